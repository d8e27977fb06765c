/**
 * Lines out of a batch: the text of many lines, and where in it each ends.
 *
 * Native code fills the shared array `ends`, whose layout `src/bindings/journal.rs` describes. One
 * array serves a whole thread, since a batch is read before anything else runs.
 *
 * @typedef {import('../api/journal-bytes.js').JournalLine} JournalLine
 */

import { binding } from './load.js'

const ends = binding.journalEnds
const HEADER = 2
const WIDE = 1
const MORE = 2
const SENTINEL = 4
/** Where the ends in bytes begin. */
const BYTE_ENDS = HEADER + (ends.length - HEADER) / 2

/** Whether native code holds complete lines behind the batch that was read last. */
export function hasMore() {
  return (ends[1] & MORE) !== 0
}

/**
 * Whether the batch that was read last may hold the exit sentinel that native code watches for: never
 * wrongly `false`, so that only the lines of such a batch need the exact test.
 */
export function mayHoldSentinel() {
  return (ends[1] & SENTINEL) !== 0
}

/** How many lines the batch has. */
export function countLines() {
  return ends[0]
}

/**
 * Writes the lines of a batch to `lines`.
 *
 * The position is advanced line by line, so that the arithmetic is that of the original for any
 * start position, a fraction or `NaN` too.
 *
 * @param {string} text
 * @param {number} position where the first line starts, in bytes
 * @param {JournalLine[]} lines
 * @param {number} at where in `lines` the first line goes
 * @returns {number} the position behind the last line
 */
export function readBatch(text, position, lines, at) {
  const count = ends[0]
  if ((ends[1] & WIDE) !== 0) return readWide(text, position, lines, at, count)
  let start = 0
  for (let index = 0; index < count; index += 1) {
    const end = ends[HEADER + index]
    position += end - start + 1
    lines[at + index] = { line: text.slice(start, end), endPosition: position }
    start = end + 1
  }
  return position
}

/** Here a line has other lengths in code units and in bytes. */
function readWide(text, position, lines, at, count) {
  let start = 0
  let byteStart = 0
  for (let index = 0; index < count; index += 1) {
    const end = ends[HEADER + index]
    const byteEnd = ends[BYTE_ENDS + index]
    position += byteEnd - byteStart + 1
    lines[at + index] = { line: text.slice(start, end), endPosition: position }
    start = end + 1
    byteStart = byteEnd + 1
  }
  return position
}
