/**
 * Lines out of a batch: the text of many lines, and where in it each ends.
 *
 * Native code fills the shared array `ends`, whose layout `src/bindings/journal.rs` describes. One
 * array serves a whole thread, since a batch is read before anything else runs.
 *
 * @typedef {import('../journal-bytes.js').JournalLine} JournalLine
 */

import { binding } from './load.js'

const ends = binding.journalEnds
const HEADER = 2
const WIDE = 1
const MORE = 2
/** How far behind the end of a line in code units its end in bytes stands. */
const TO_BYTE_ENDS = (ends.length - HEADER) / 2

/** Whether native code holds complete lines behind the batch that was read last. */
export function hasMore() {
  return (ends[1] & MORE) !== 0
}

/**
 * Appends the lines of a batch to `lines`.
 *
 * The position is advanced line by line, so that the arithmetic is that of the original for any
 * start position, a fraction or `NaN` too.
 *
 * @param {string} text
 * @param {number} position where the first line starts, in bytes
 * @param {JournalLine[]} lines
 * @returns {number} the position behind the last line
 */
export function readBatch(text, position, lines) {
  const last = HEADER + ends[0]
  if ((ends[1] & WIDE) !== 0) return readWide(text, position, lines, last)
  let start = 0
  for (let at = HEADER; at < last; at += 1) {
    const end = ends[at]
    position += end - start + 1
    lines.push({ line: text.slice(start, end), endPosition: position })
    start = end + 1
  }
  return position
}

/** Here a line has other lengths in code units and in bytes. */
function readWide(text, position, lines, last) {
  let start = 0
  let byteStart = 0
  for (let at = HEADER; at < last; at += 1) {
    const end = ends[at]
    const byteEnd = ends[at + TO_BYTE_ENDS]
    position += byteEnd - byteStart + 1
    lines.push({ line: text.slice(start, end), endPosition: position })
    start = end + 1
    byteStart = byteEnd + 1
  }
  return position
}
