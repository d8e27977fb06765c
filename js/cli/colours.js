/** Colour where a person looks, none in a pipe; NO_COLOR and FORCE_COLOR decide first. */

import picocolors from 'picocolors'

/**
 * @param {{ isTTY?: boolean }} stream
 * @returns {ReturnType<typeof picocolors.createColors>}
 */
export function coloursFor(stream) {
  return picocolors.createColors(wantsColour(stream))
}

/** Not picocolors' own answer: that is for stdout alone, and gives colour to the pipes of CI. */
function wantsColour(stream, { NO_COLOR, FORCE_COLOR, TERM } = process.env) {
  if (NO_COLOR) return false
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return stream.isTTY === true && TERM !== 'dumb'
}
