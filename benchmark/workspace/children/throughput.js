/**
 * One operation, all contenders by turns: one at a time, or many at once.
 */

import { measureInterleaved } from '../../../js/cli/bench/measure.js'
import { answerParent } from '../../child.js'
import { loadBackend } from '../contenders.js'
import { OPERATIONS } from '../operations.js'

/** How many in a run, one after the other, so that a run is long beside the clock. */
const SEQUENCE_CALLS = 2000

await answerParent(async ({ id, mode, contenders, plan }) => {
  const operation = OPERATIONS.find((each) => each.id === id)
  const count = mode === 'at once' ? operation.batch : sequenceLength(operation)
  const entries = []
  for (const name of contenders) entries.push(await prepare(name, operation, mode, count))
  const providerCalls = Object.fromEntries(entries.map(({ name, calls }) => [name, calls]))
  if (plan === undefined) return { count, providerCalls }
  const timings = await measureInterleaved(entries, plan)
  return { count, providerCalls, timings }
})

function sequenceLength({ calls }) {
  return Math.max(1, Math.round(SEQUENCE_CALLS / calls))
}

/** A contender that has given the right answer, on a sandbox and with a loop of its own. */
async function prepare(name, operation, mode, count) {
  const { makeSandbox } = await import(`../sandbox.js?for=${name}`)
  const { oneByOne, atOnce } = await import(`../loops.js?for=${name}`)
  const sandbox = makeSandbox()
  const start = await starter(name, operation, sandbox.handle)
  const calls = await check(name, operation, start, sandbox)
  const loop = mode === 'at once' ? atOnce : oneByOne
  return { name, calls, run: () => loop(start, count) }
}

async function starter(name, { run, floor }, handle) {
  if (name === 'floor') return () => floor(handle)
  const backend = (await loadBackend(name))(handle)
  return () => run(backend)
}

async function check(name, { id, calls, isRight }, start, sandbox) {
  const value = await start()
  const made = sandbox.calls()
  if (name !== 'floor' && !isRight(value)) {
    throw new Error(`${name} gives a wrong answer for ${id}: ${JSON.stringify(value)}`)
  }
  if (name !== 'native' && made !== calls) {
    throw new Error(`${name} calls the sandbox ${made} times for ${id}, not ${calls} times`)
  }
  return made
}
