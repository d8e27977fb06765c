/**
 * The public errors. Native code says what went wrong in a code and numbers; their classes and
 * messages are made here and nowhere else.
 */

const LONGEST_LINE = 'a line longer than a JavaScript string can be'

/**
 * The error to throw for what was caught of a native method.
 *
 * @param {unknown} error
 * @param {number} position where the line starts that was being read, in bytes
 */
export function toPublicError(error, position) {
  switch (/** @type {{ code?: string }} */ (error)?.code) {
    case 'INVALID_CHARACTER':
      return invalidCharacter(
        `${nameOfUnit(error.unit)} is not base64, at character ${error.index}`,
      )
    case 'MISPLACED_PADDING':
      return invalidCharacter(
        `"=" does not end what its chunk completes, at character ${error.index}`,
      )
    case 'MID_QUANTUM':
      return new Error(
        `journal: base64 frame ended mid-quantum with ${error.pending} character(s) pending`,
      )
    case 'LINE_TOO_LONG':
      return new RangeError(
        `journal: ${LONGEST_LINE} starts at byte ${position} (${error.bytes} bytes so far)`,
      )
    case 'OUT_OF_MEMORY':
      return new RangeError(
        `journal: no memory for the line that starts at byte ${position} (${error.bytes} bytes so far)`,
      )
    default:
      return error
  }
}

/** @param {string} what */
function invalidCharacter(what) {
  return new DOMException(`journal: ${what} of the stream`, 'InvalidCharacterError')
}

/** @param {number} unit a UTF-16 code unit */
function nameOfUnit(unit) {
  const code = `U+${unit.toString(16).toUpperCase().padStart(4, '0')}`
  const character = String.fromCharCode(unit)
  return /[^\p{C}\p{Z}]/u.test(character) ? `"${character}" (${code})` : code
}
