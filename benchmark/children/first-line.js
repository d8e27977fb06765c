/**
 * How soon the first line of one big base64 string comes, with the check of all of it included.
 */

import { makeJournal } from '../../js/cli/bench/inputs.js'
import { collectGarbage, median } from '../../js/cli/bench/measure.js'
import { encodeBase64Rows, ReadyChunks } from '../../js/cli/bench/sources.js'
import { answerParent } from '../child.js'
import { loadFramer } from '../contenders/index.js'

const WARM_UPS = 100

await answerParent(async ({ contender, characters, samples }) => {
  const framer = await loadFramer(contender, 'base64')
  const small = encodeBase64Rows(makeJournal('ascii', 100_000))
  for (let left = WARM_UPS; left > 0; left -= 1) await firstLineMs(framer, small)

  const big = encodeBase64Rows(makeJournal('ascii', (characters / 77) * 57))
  const times = []
  for (let left = samples; left > 0; left -= 1) {
    collectGarbage()
    times.push(await firstLineMs(framer, big))
  }
  return { characters: big.length, medianMs: median(times), maxMs: Math.max(...times) }
})

async function firstLineMs(framer, text) {
  const start = performance.now()
  const lines = framer(new ReadyChunks([text]), 0)[Symbol.asyncIterator]()
  const { value, done } = await lines.next()
  const elapsed = performance.now() - start
  if (done || !value.line.startsWith('{')) throw new Error('no first line')
  await lines.return()
  return elapsed
}
