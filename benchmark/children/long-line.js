/**
 * One very long line in small chunks: time of the first and only run, and the peak of memory.
 *
 * The chunks are made as they are asked for, in one buffer that is used again: what is measured
 * is the framer's memory, and a framer that keeps a chunk instead of its bytes gives a wrong line.
 */

import { createHash } from 'node:crypto'
import { collectGarbage } from '../../js/cli/bench/measure.js'
import { answerParent } from '../child.js'
import { loadFramer } from '../contenders/index.js'
import { LongLine, longLineDigest } from '../long-line.js'

const WARM_UP_BYTES = 1 << 18

await answerParent(async ({ contender, source, size, chunk }) => {
  const framer = await loadFramer(contender, source)
  for (let left = 20; left > 0; left -= 1) await readOne(framer, source, WARM_UP_BYTES, chunk)
  collectGarbage()
  const startBytes = process.memoryUsage.rss()
  const { ms, line, endPosition } = await readOne(framer, source, size, chunk)
  // Before the check below, which needs memory of its own.
  const peakBytes = process.resourceUsage().maxRSS * 1024

  const digest = createHash('sha1').update(line).digest('hex')
  if (digest !== longLineDigest(size, chunk) || endPosition !== size + 1) {
    throw new Error(`${contender} gives a wrong line of ${line.length} characters`)
  }
  return { ms, startBytes, peakBytes, extraBytes: peakBytes - startBytes }
})

async function readOne(framer, source, size, chunk) {
  const start = performance.now()
  const lines = framer(new LongLine(source, size, chunk), 0)[Symbol.asyncIterator]()
  const { value } = await lines.next()
  value.line.charCodeAt(size - 1) // A chain of pieces is joined within the time.
  const ms = performance.now() - start
  await lines.return()
  return { ms, ...value }
}
