/**
 * The benchmark of runs: `npm run bench:runtime`. From what a sandbox prints to parsed events, end to
 * end. How soon events of followed runs arrive is measured by `follow.js`.
 */

import { parseArgs } from 'node:util'
import { describeEnvironment, formatEnvironment } from '../../js/cli/bench/environment.js'
import { formatTable } from '../../js/cli/table.js'
import { runChild } from '../child.js'

const NAMES = ['native', 'parse-twice', 'best', 'reference']
const CONTENTS = ['ascii', 'mixed', 'emoji']
const PLAN = { rounds: 15, sampleMs: 20, budgetMs: 12_000 }
const MB = 1e6
/** Above it the original takes minutes. */
const MOST_FOR_REFERENCE = MB

const { values } = parseArgs({ options: { smoke: { type: 'boolean', default: false } } })
console.log(`${formatEnvironment(describeEnvironment())}\n`)
const cases = []
for (const one of listCases(values.smoke)) {
  process.stderr.write(`${one.name}\n`)
  const task = { ...one, plan: values.smoke ? undefined : PLAN }
  cases.push({ ...one, ...(await runChild('../runtime/children/events', task)) })
}
if (values.smoke) console.log(`${cases.length} runs, all answers right`)
else report(cases)

function listCases(smoke) {
  const sizes = smoke ? [50_000] : [MB, 10 * MB]
  return ['journal', 'agent'].flatMap((kind) =>
    CONTENTS.flatMap((content) =>
      sizes.map((size) => ({
        kind,
        content,
        size,
        name: `${kind}, ${content}, ${size / MB} MB`,
        names: NAMES.filter(
          (name) =>
            (name !== 'reference' || size <= MOST_FOR_REFERENCE) &&
            (name !== 'parse-twice' || kind === 'journal'),
        ),
      })),
    ),
  )
}

function report(cases) {
  const nsAnEvent = ({ timings, events }, name) =>
    timings[name] ? ((timings[name].medianMs * 1e6) / events).toFixed(0) : '-'
  const ratio = ({ timings }, name) =>
    timings[name] ? (timings[name].medianMs / timings.native.medianMs).toFixed(2) : '-'
  const others = NAMES.slice(1)
  const rows = cases.map((one) => [
    one.name,
    ...NAMES.map((name) => nsAnEvent(one, name)),
    ...others.map((name) => ratio(one, name)),
  ])
  const head = ['ns an event (median)', ...NAMES, ...others.map((name) => `${name}/native`)]
  console.log(formatTable(head, rows))
  console.log(`\n${formatTable(['what', 'wanted', 'measured (worst)', 'result'], verdicts(cases))}`)
}

/** The speed that is to be shown: the worst of all cases that the sentence is about. */
function verdicts(cases) {
  const journals = cases.filter(({ kind }) => kind === 'journal')
  const worst = (what, wanted, name, rows) => {
    const measured = Math.min(
      ...rows.map(({ timings }) => timings[name].medianMs / timings.native.medianMs),
    )
    return [what, `>= ${wanted}`, measured.toFixed(2), measured >= wanted ? 'met' : 'SHORT']
  }
  return [
    worst('a journal of 10 MB, parse-twice', 1.7, 'parse-twice', journals.filter(isBig)),
    worst(
      'a journal of 1 MB, reference',
      20,
      'reference',
      journals.filter((one) => !isBig(one)),
    ),
    worst('a journal, best JavaScript with one parse', 1, 'best', journals),
    worst(
      'an agent, best JavaScript',
      1,
      'best',
      cases.filter(({ kind }) => kind === 'agent'),
    ),
  ]
}

function isBig({ size }) {
  return size > MOST_FOR_REFERENCE
}
