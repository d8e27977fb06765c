/**
 * Keeps what a journal holds from steering the terminal: an agent's output may carry escape
 * sequences, on purpose or not.
 */

// C0, DEL and C1; what turns the direction of text; separators that some terminals break lines at.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSAFE = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/**
 * Writes control characters as JSON writes them (`\u001b`), so a line of JSON stays one.
 *
 * @param {string} text
 */
export function escapeControls(text) {
  return text.replace(UNSAFE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * The same for text whose lines are to stay. JSON stays equal: control characters are only in its
 * strings, but for the newlines between them.
 *
 * @param {string} text
 */
export function escapeLines(text) {
  return text.split('\n').map(escapeControls).join('\n')
}

/**
 * Text of any length in one short line: white space runs become one space, control characters are
 * escaped, and what is longer than `limit` is cut.
 *
 * @param {string} text
 * @param {number} limit - At most so many UTF-16 units.
 */
export function toOneLine(text, limit) {
  // A text of 100 MB isn't looked at to its end for one line of it.
  const head = text.length > LOOKED_AT * limit ? text.slice(0, LOOKED_AT * limit) : text
  const line = escapeControls(head.replace(/\s+/g, ' ').trim())
  return line.length <= limit && head.length === text.length ? line : cut(line, limit)
}

const LOOKED_AT = 4
const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/

function cut(line, limit) {
  const head = line.slice(0, Math.max(0, limit - 1)).replace(HIGH_SURROGATE_AT_END, '')
  return `${head.trimEnd()}…`
}
