/**
 * The public errors. Native code says what went wrong in a code and numbers; their classes and
 * messages are made here and nowhere else.
 */

import { getSystemErrorMap } from 'node:util'

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
    case 'ARGUMENT':
      return new TypeError(`journal: ${error.message}`)
    default:
      return error
  }
}

/**
 * The error to throw for what was caught of a native function over a file.
 *
 * @param {unknown} error
 * @param {number} position where the line starts that was being read, in bytes
 * @param {string} path
 */
export function toFileError(error, position, path) {
  switch (/** @type {{ code?: string }} */ (error)?.code) {
    case 'FILE_OPEN':
      return systemError(error.errno, 'open', path)
    case 'FILE_STAT':
      return systemError(error.errno, 'stat', path)
    case 'FILE_READ':
      return systemError(error.errno, 'read', path)
    case 'NOT_A_FILE':
      return fileError(
        Error,
        'ERR_JOURNAL_NOT_A_FILE',
        `${path} is ${error.message}, not a file`,
        path,
      )
    case 'POSITION_BEYOND_END':
      return fileError(
        RangeError,
        'ERR_JOURNAL_POSITION',
        `${path} has ${error.size} bytes, and was to be read from byte ${error.position}`,
        path,
      )
    case 'TRUNCATED':
      return fileError(
        Error,
        'ERR_JOURNAL_TRUNCATED',
        `${path} was truncated to ${error.size} bytes, after ${error.position} were read`,
        path,
      )
    case 'REPLACED':
      return fileError(
        Error,
        'ERR_JOURNAL_REPLACED',
        `${path} was replaced by another file while it was followed`,
        path,
      )
    case 'REMOVED':
      return fileError(
        Error,
        'ERR_JOURNAL_REMOVED',
        `${path} was removed while it was followed`,
        path,
      )
    default:
      return toPublicError(error, position)
  }
}

function fileError(ErrorClass, code, what, path) {
  return Object.assign(new ErrorClass(`journal: ${what}`), { code, path })
}

/** As `fs` makes it. */
function systemError(errno, syscall, path) {
  const [code, message] = getSystemErrorMap().get(errno) ?? ['EIO', `error ${errno}`]
  return Object.assign(new Error(`${code}: ${message}, ${syscall} '${path}'`), {
    errno,
    code,
    syscall,
    path,
  })
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
