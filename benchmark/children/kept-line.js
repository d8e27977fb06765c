/**
 * How many bytes a kept line of 200 characters holds alive: a few lines of a journal are kept,
 * far from each other, and the rest of the heap is collected.
 */

import { makeJournal } from '../../js/cli/bench/inputs.js'
import { collectGarbage } from '../../js/cli/bench/measure.js'
import { cutJournal, ReadyChunks } from '../../js/cli/bench/sources.js'
import { answerParent } from '../child.js'
import { loadFramer } from '../contenders/index.js'

const NEWLINE = 0x0a
const KEPT_CHARACTERS = 200
const KEPT_EVERY_BYTES = 256 * 1024

await answerParent(async ({ contender, source, chunk, content, size, rounds }) => {
  const framer = await loadFramer(contender, source)
  const journal = markedJournal(content, size)
  const cut = () => cutJournal(journal, { source, chunk })
  const chunks = cut()
  const before = await memoryAfter(await readKeeping(rounds, false))
  const kept = await readKeeping(rounds, true)
  const after = await memoryAfter(kept)
  if (kept.length === 0) throw new Error('no line was kept')
  return {
    count: kept.length,
    heapBytesPerLine: (after.heap - before.heap) / kept.length,
    residentBytesPerLine: (after.resident - before.resident) / kept.length,
  }

  async function readKeeping(times, keep) {
    const kept = []
    for (let left = times; left > 0; left -= 1) {
      // New text each time: a line may be a slice of the caller's own chunk, which then counts.
      const input = source === 'text' ? cut() : chunks
      for await (const { line } of framer(new ReadyChunks(input), 0)) {
        if (keep && line.length === KEPT_CHARACTERS && line.startsWith('keep')) kept.push(line)
      }
    }
    return kept
  }
})

/** The resident size shows what V8 wasn't told of; it is only right to a few KiB a line. */
async function memoryAfter(kept) {
  for (let left = 3; left > 0; left -= 1) {
    collectGarbage()
    await new Promise(setImmediate)
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { count: kept.length, heap: heapUsed + external, resident: rss }
}

/** A journal with a line of the length wanted every 256 KiB. */
function markedJournal(content, size) {
  const journal = makeJournal(content, size)
  const mark = Buffer.from(`${'keep'.padEnd(KEPT_CHARACTERS, content === 'ascii' ? '.' : 'é')}\n`)
  const parts = []
  for (let from = 0; from < journal.length; ) {
    const newline = journal.indexOf(NEWLINE, from + KEPT_EVERY_BYTES)
    const to = newline === -1 ? journal.length : newline + 1
    parts.push(journal.subarray(from, to), mark)
    from = to
  }
  return Buffer.concat(parts)
}
