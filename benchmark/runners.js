/**
 * Contenders bound to one input, ready to be run again and again.
 */

import { makeRunner } from '../js/cli/bench/runner.js'
import { FloorLines, loadFramer } from './contenders/index.js'

const NEWLINE = 0x0a
const MAX_READY_LINES = 1024

/**
 * @param {string} name
 * @param {'base64' | 'bytes' | 'text'} source
 * @param {(string | Uint8Array)[]} chunks
 * @returns {Promise<{ open: () => AsyncIterable<unknown>, run: () => Promise<number> }>}
 */
export async function makeFramerRunner(name, source, chunks) {
  const framer = await loadFramer(name, source)
  return makeRunner(name, framer, chunks)
}

/** The same for `floor`, which has its lines ready. */
export async function makeFloorRunner(journal, lineCount) {
  const ready = readyLines(journal)
  const { consumeLines } = await import('../js/cli/bench/consume.js?for=floor')
  const open = () => new FloorLines(ready, lineCount)
  return { open, run: () => consumeLines(open()) }
}

function readyLines(journal) {
  const ready = []
  let from = 0
  for (let end = journal.indexOf(NEWLINE); end !== -1; end = journal.indexOf(NEWLINE, from)) {
    ready.push({ line: journal.utf8Slice(from, end), endPosition: end + 1 })
    from = end + 1
    if (ready.length === MAX_READY_LINES) break
  }
  return ready
}
