/** A contender bound to one input, ready to be run again and again. */

import { ReadyChunks } from './sources.js'

/**
 * @param {string} name - Contenders of the same name share a copy of the loop that is timed.
 * @param {(source: AsyncIterable<any>, startPosition: number) => AsyncIterable<unknown>} framer
 * @param {(string | Uint8Array)[]} chunks
 * @returns {Promise<{ open: () => AsyncIterable<unknown>, run: () => Promise<number> }>}
 */
export async function makeRunner(name, framer, chunks) {
  const { consumeLines, consumeBatches } = await import(`./consume.js?for=${name}`)
  const consume = name === 'batches' ? consumeBatches : consumeLines
  const open = () => framer(new ReadyChunks(chunks), 0)
  return { open, run: () => consume(open()) }
}
