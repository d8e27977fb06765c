/**
 * The measurements that aren't a row of the table: each is a child process of its own.
 */

import { listGrowthCases, listKeptLineCases } from './cases.js'

const MIB = 1024 * 1024
const LONG_LINE_REPEATS = 3

/**
 * @typedef {{ id: string, kind: string, child: string, contender?: string, task: object }} Single
 */

/**
 * @param {{ smoke: boolean, contenders: string[] }} options
 * @returns {Single[]}
 */
export function listSingles(options) {
  const { smoke, contenders } = options
  const compared = ['native', 'best'].filter((name) => contenders.includes(name))
  const [subject] = compared
  if (subject === undefined) return []
  // Without verdicts, one of each is enough to see that the measurement still works.
  const some = (shapes) => (smoke ? shapes.slice(0, 1) : shapes)
  return [
    ...compared.map((contender) => firstLine(contender, smoke)),
    ...longLines(contenders, smoke),
    ...compared.map((contender) => stall(contender, smoke)),
    ...some(listKeptLineCases(options)).flatMap((shape) =>
      compared.map((contender) => single('kept', 'kept-line', contender, shape)),
    ),
    ...some(listGrowthCases(options)).map((shape) => single('growth', 'growth', subject, shape)),
    ...(subject === 'native' ? [crossing(smoke)] : []),
  ]
}

function firstLine(contender, smoke) {
  const characters = smoke ? 1e6 : 50e6
  return single('first line', 'first-line', contender, {
    id: 'first line/50 MB',
    characters,
    samples: smoke ? 1 : 11,
  })
}

/** Repeated in turns, each in a fresh process: a peak of memory is one of the whole process. */
function longLines(contenders, smoke) {
  const size = smoke ? 2 * MIB : 64 * MIB
  const shape = { size, chunk: 16 * 1024 }
  const takers = ['native', 'best', 'good'].filter((name) => contenders.includes(name))
  return Array.from({ length: smoke ? 1 : LONG_LINE_REPEATS }).flatMap(() =>
    ['bytes', 'text'].flatMap((source) =>
      takers.map((contender) =>
        single('long line', 'long-line', contender, {
          ...shape,
          source,
          id: `long line/${source}/${size / MIB} MiB`,
        }),
      ),
    ),
  )
}

function stall(contender, smoke) {
  return single('stall', 'stall', contender, {
    id: 'stall/30 MB',
    characters: smoke ? 2e6 : 30e6,
    runs: smoke ? 1 : 5,
  })
}

function crossing(smoke) {
  const plan = { rounds: smoke ? 1 : 9, sampleMs: 1, budgetMs: 1000 }
  return single('crossing', 'crossing', 'native', { id: 'crossing', plan })
}

function single(kind, child, contender, { id, ...task }) {
  return { id, kind, child, contender, task: { ...task, contender } }
}
