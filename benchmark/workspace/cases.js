/**
 * The rows of the tables.
 */

import { BACKENDS } from './contenders.js'
import { OPERATIONS } from './operations.js'

const MB = 1e6

/** @param {{ smoke: boolean, contenders: string[] }} options */
export function listCases({ smoke, contenders }) {
  const plan = smoke ? undefined : { rounds: 15, sampleMs: 25, budgetMs: 3000 }
  return ['one at a time', 'at once'].flatMap((mode) =>
    OPERATIONS.map(({ id, calls, batch, isJudged }) => ({
      name: mode === 'at once' ? `${id}, ${batch.toLocaleString('en-US')} at once` : id,
      child: 'throughput',
      calls,
      mode,
      isJudged,
      task: { id, mode, contenders, plan },
    })),
  )
}

/** What is measured once per contender, in a process of its own. */
export function listSingles({ smoke, contenders }) {
  const backends = BACKENDS.filter((name) => contenders.includes(name))
  const single = (child, task) => ({ name: `${child} (${task.contender})`, child, task })
  return backends.flatMap((contender) => [
    single('memory', { contender, count: smoke ? 1000 : 100_000 }),
    single('output', { contender, size: smoke ? 10 * MB : 1000 * MB }),
  ])
}
