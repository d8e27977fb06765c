/**
 * Does eight times the input cost eight times the time? The small input is read eight times for
 * each reading of the large one, so that both do the same work.
 */

import { makeJournal } from '../../js/cli/bench/inputs.js'
import { measureInterleaved } from '../../js/cli/bench/measure.js'
import { cutJournal } from '../../js/cli/bench/sources.js'
import { answerParent } from '../child.js'
import { makeFramerRunner } from '../runners.js'

const FACTOR = 8

await answerParent(async ({ contender, source, chunk, content, size, plan }) => {
  const small = await runnerOf(size / FACTOR)
  const large = await runnerOf(size)
  const smallEight = async () => {
    for (let left = FACTOR; left > 0; left -= 1) await small()
  }
  const { one, eight } = await measureInterleaved(
    [
      { name: 'one', run: smallEight },
      { name: 'eight', run: large },
    ],
    plan,
  )
  return {
    smallMs: one.medianMs / FACTOR,
    largeMs: eight.medianMs,
    ratio: (FACTOR * eight.medianMs) / one.medianMs,
  }

  async function runnerOf(bytes) {
    const chunks = cutJournal(makeJournal(content, bytes), { source, chunk })
    const { run } = await makeFramerRunner(contender, source, chunks)
    return run
  }
})
