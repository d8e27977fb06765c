/**
 * By how much does the process grow over many operations of every kind?
 */

import { collectGarbage } from '../../../js/cli/bench/measure.js'
import { answerParent } from '../../child.js'
import { loadBackend } from '../contenders.js'
import { OPERATIONS } from '../operations.js'
import { makeSandbox } from '../sandbox.js'

const AT_ONCE = 100

// The entries of a folder are made of promises too, a thousand times as many.
const SINGLE_OPERATIONS = OPERATIONS.filter(({ calls }) => calls < 100)

await answerParent(async ({ contender, count }) => {
  const backend = (await loadBackend(contender))(makeSandbox().handle)
  await work(backend, count)
  const before = await usage()
  await work(backend, count)
  const after = await usage()
  return { rssBytes: after.rss - before.rss, heapBytes: after.heap - before.heap }
})

async function work(backend, count) {
  for (let done = 0; done < count; done += AT_ONCE) {
    const all = Array.from({ length: AT_ONCE }, (_, index) =>
      SINGLE_OPERATIONS[index % SINGLE_OPERATIONS.length].run(backend),
    )
    await Promise.all(all)
  }
}

async function usage() {
  for (let round = 0; round < 5; round += 1) {
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heap: heapUsed + external }
}
