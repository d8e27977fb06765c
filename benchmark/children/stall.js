/**
 * How long the event loop is held up while one big base64 string is read by a consumer that lets
 * it turn every thousand lines.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeJournal } from '../../js/cli/bench/inputs.js'
import { encodeBase64Rows, ReadyChunks } from '../../js/cli/bench/sources.js'
import { answerParent } from '../child.js'
import { loadFramer } from '../contenders/index.js'

const LINES_PER_TURN = 1000

await answerParent(async ({ contender, characters, runs }) => {
  const framer = await loadFramer(contender, 'base64')
  await readTurning(framer, encodeBase64Rows(makeJournal('mixed', 2_000_000)))

  const text = encodeBase64Rows(makeJournal('mixed', (characters / 77) * 57))
  const results = []
  for (let left = runs; left > 0; left -= 1) results.push(await readTurning(framer, text))
  return {
    characters: text.length,
    firstMs: Math.max(...results.map(({ firstMs }) => firstMs)),
    restMs: Math.max(...results.map(({ restMs }) => restMs)),
    restMsOfRuns: results.map(({ restMs }) => restMs),
  }
})

/** The first gap has the opening in it, with whatever is done to the whole string. */
async function readTurning(framer, text) {
  await nextTurn()
  const gaps = []
  let count = 0
  let lastTurn = performance.now()
  for await (const _line of framer(new ReadyChunks([text]), 0)) {
    count += 1
    if (count % LINES_PER_TURN !== 0) continue
    await nextTurn()
    const now = performance.now()
    gaps.push(now - lastTurn)
    lastTurn = now
  }
  return { firstMs: gaps[0], restMs: Math.max(...gaps.slice(1)) }
}
