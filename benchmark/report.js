/**
 * Figures for people: plain tables.
 */

import { median } from '../js/cli/bench/measure.js'
import { formatTable } from '../js/cli/table.js'
import { CONTENDER_NAMES } from './contenders/index.js'

const MIB = 2 ** 20

/** Nanoseconds a line of every contender, and how native compares. */
export function formatCases(cases) {
  const timed = cases.filter(({ timings }) => timings !== undefined)
  if (timed.length === 0) return ''
  const names = CONTENDER_NAMES.filter((name) => timed.some(({ timings }) => timings[name]))
  const rows = timed.map((row) => [
    row.id,
    ...names.map((name) => formatNs(nsPerLine(row, name))),
    formatSpeed(row),
    ...COMPARISONS.map(([slow, fast]) => formatRatio(row.timings, slow, fast)),
  ])
  const ratios = COMPARISONS.map(([slow, fast]) => `${slow}/${fast}`)
  return formatTable(['ns a line (median)', ...names, 'native MB/s', ...ratios], rows)
}

/** First line, long line, stall, kept lines, growth and crossing, as far as they were measured. */
export function formatSingles(singles) {
  const kinds = [...new Set(singles.map(({ kind }) => kind))]
  return kinds
    .map((kind) => SINGLE_TABLES[kind](singles.filter((one) => one.kind === kind)))
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

/** Pairs of the table: how many times as long the first takes as the second. */
const COMPARISONS = [
  ['reference', 'native'],
  ['good', 'native'],
  ['best', 'native'],
  ['native', 'floor'],
  ['native', 'batches'],
]

const SINGLE_TABLES = {
  'first line': (rows) =>
    formatTable(
      ['first line of one base64 string', 'contender', 'median ms', 'slowest ms'],
      rows.map(({ id, contender, answer }) => [
        id,
        contender,
        answer.medianMs.toFixed(2),
        answer.maxMs.toFixed(2),
      ]),
    ),
  'long line': (rows) =>
    formatTable(
      ['one long line in 16 KiB chunks', 'contender', 'median ms', 'peak MiB above start'],
      groupBy(rows, ({ id, contender }) => `${id}|${contender}`).map((group) => [
        group[0].id,
        group[0].contender,
        median(group.map(({ answer }) => answer.ms)).toFixed(0),
        (median(group.map(({ answer }) => answer.extraBytes)) / MIB).toFixed(0),
      ]),
    ),
  stall: (rows) =>
    formatTable(
      ['event loop, a turn every 1,000 lines', 'contender', 'first turn ms', 'longest later ms'],
      rows.map(({ id, contender, answer }) => [
        id,
        contender,
        answer.firstMs.toFixed(1),
        answer.restMs.toFixed(1),
      ]),
    ),
  kept: (rows) =>
    formatTable(
      ['one kept line of 200 characters', 'contender', 'heap KiB', 'resident KiB'],
      rows.map(({ id, contender, answer }) => [
        id,
        contender,
        (answer.heapBytesPerLine / 1024).toFixed(1),
        (answer.residentBytesPerLine / 1024).toFixed(1),
      ]),
    ),
  growth: (rows) =>
    formatTable(
      ['8 times the bytes', 'contender', 'small ms', 'large ms', 'times'],
      rows.map(({ id, contender, answer }) => [
        id,
        contender,
        answer.smallMs.toFixed(2),
        answer.largeMs.toFixed(2),
        answer.ratio.toFixed(2),
      ]),
    ),
  crossing: ([{ answer }]) =>
    formatTable(
      ['one call that does nothing', 'ns'],
      answer.map(({ name, nsPerCall }) => [name, nsPerCall.toFixed(0)]),
    ),
}

/** `Map.groupBy` came with Node 21. */
function groupBy(items, keyOf) {
  const groups = new Map()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}

function nsPerLine({ timings, lines }, name) {
  return timings[name] && (timings[name].medianMs * 1e6) / lines
}

function formatNs(ns) {
  if (ns === undefined) return '-'
  return Math.round(ns).toLocaleString('en-US')
}

function formatSpeed({ timings, bytes }) {
  return timings.native ? (bytes / timings.native.medianMs / 1000).toFixed(0) : '-'
}

function formatRatio(timings, slow, fast) {
  if (!timings[slow] || !timings[fast]) return '-'
  const ratio = timings[slow].medianMs / timings[fast].medianMs
  return ratio < 100 ? ratio.toFixed(2) : ratio.toFixed(0)
}
