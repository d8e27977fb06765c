/**
 * Figures for people: plain tables.
 */

import { formatTable } from '../../js/cli/table.js'
import { usPerCall } from './verdicts.js'

const MB = 1e6
const MIB = 2 ** 20
const NAMES = ['floor', 'port', 'native']

/** Microseconds a provider call of every contender, and how many calls an operation makes. */
export function formatCases(cases) {
  const timed = cases.filter(({ timings }) => timings !== undefined)
  if (timed.length === 0) return ''
  const names = NAMES.filter((name) => timed.some(({ timings }) => timings[name]))
  const rows = timed.map((row) => [
    row.name,
    ...names.map((name) => formatNumber(usPerCall(row, name))),
    ratio(row, 'native', 'port'),
    ratio(row, 'native', 'floor'),
    row.providerCalls.port?.toString() ?? '-',
    row.providerCalls.native?.toString() ?? '-',
  ])
  const head = ['µs a provider call (median)', ...names, 'native/port', 'native/floor']
  return formatTable([...head, 'calls of port', 'of native'], rows)
}

/** Memory and output. */
export function formatSingles(singles) {
  const of = (child) => singles.filter((one) => one.child === child)
  const memory = of('memory').map(({ task, heapBytes, rssBytes }) => [
    task.contender,
    (heapBytes / MB).toFixed(2),
    (rssBytes / MB).toFixed(1),
  ])
  const output = of('output').map(({ task, ms, outputBytes, extraBytes }) => [
    task.contender,
    (ms / 1000).toFixed(1),
    (outputBytes / MIB).toFixed(2),
    (extraBytes / MB).toFixed(0),
  ])
  return [
    formatTable(['100,000 operations', 'heap MB more', 'resident MB more'], memory),
    formatTable(['a job that prints 1 GB', 'seconds', 'MiB kept', 'MB above start'], output),
  ]
    .filter((table) => table !== '')
    .join('\n\n')
}

/** @param {import('./verdicts.js').Verdict[]} verdicts */
export function formatVerdicts(verdicts) {
  return formatTable(
    ['what', 'measured (worst)', 'wanted', 'result', 'where'],
    verdicts.map(({ what, measured, wanted, result, where }) => [
      what,
      measured,
      wanted,
      result,
      where,
    ]),
  )
}

function ratio({ timings }, slow, fast) {
  if (!timings[slow] || !timings[fast]) return '-'
  return formatNumber(timings[slow].medianMs / timings[fast].medianMs)
}

function formatNumber(value) {
  return value === undefined ? '-' : value.toFixed(2)
}
