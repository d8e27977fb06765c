/**
 * The speed this package is to show, one row each: the worst of all cases that the sentence is
 * about, against what is wanted.
 */

import { median } from '../js/cli/bench/measure.js'
import { USUAL_CONTENTS } from './cases.js'

const KIB = 1024
const MB = 1e6
const NON_ASCII = USUAL_CONTENTS.filter((content) => content !== 'ascii')

/**
 * @typedef {{ what: string, wanted: string, measured: string, where: string,
 *   result: 'met' | 'SHORT' | 'not measured' }} Verdict
 */

/**
 * @param {{ cases: object[], singles: object[] }} results
 * @returns {Verdict[]}
 */
export function judge({ cases, singles }) {
  return [
    ...RATIOS.map((rule) => judgeRatio(rule, cases)),
    judgeFirstLine(singles),
    judgeGrowth(singles),
    ...judgeLongLine(singles),
    judgeStall(singles),
    judgeKeptLine(singles),
  ]
}

const isString =
  (...megabytes) =>
  ({ source, size }) =>
    source === 'base64' && megabytes.some((count) => size === count * MB)
const isChunk =
  (chunk, ...sources) =>
  (row) =>
    row.chunk === chunk && (sources.length === 0 || sources.includes(row.source))
const is64KiB = isChunk(64 * KIB)
const isStringOr64KiB = (row) => row.source === 'base64' || is64KiB(row)
const ofContent = (contents, accept) => (row) => contents.includes(row.content) && accept(row)

/** `slow` takes this many times as long as `fast`: at least, or at most. */
const RATIOS = [
  faster('reference', 'base64 0.4 MB', isString(0.4), 60),
  faster('reference', 'base64 1 MB', isString(1), 200),
  faster('reference', 'text chunks of 64 KiB', isChunk(64 * KIB, 'text'), 20),
  faster('reference', 'one line a chunk', isChunk('line'), 2.5),
  faster('good', 'base64 10 and 50 MB', isString(10, 50), 2),
  faster('good', 'byte and text chunks of 64 KiB', is64KiB, 2),
  faster('good', 'chunks of 4 KiB', isChunk(4 * KIB), 1.5),
  faster('good', 'one line a chunk', isChunk('line'), 1),
  slowerAtMost('best', 'ASCII, base64', ofContent(['ascii'], isString(0.4, 1, 10, 50)), 1.2),
  slowerAtMost('best', 'ASCII, chunks of 64 KiB', ofContent(['ascii'], is64KiB), 1.2),
  faster('best', 'non-ASCII, base64', ofContent(NON_ASCII, isString(0.4, 1, 10, 50)), 1.5),
  faster('best', 'non-ASCII, chunks of 64 KiB', ofContent(NON_ASCII, is64KiB), 1.5),
  faster('best-utf8', 'non-ASCII, base64', ofContent(NON_ASCII, isString(0.4, 1, 10, 50)), 1.5),
  faster('best-utf8', 'non-ASCII, bytes of 64 KiB', ofContent(NON_ASCII, is64KiB), 1.5),
  ...USUAL_CONTENTS.map((content) =>
    slowerAtMost(
      'floor',
      `${content}, base64 and 64 KiB`,
      ofContent([content], isStringOr64KiB),
      3,
    ),
  ),
  {
    what: 'batches against lines: base64 and 64 KiB',
    slow: 'native',
    fast: 'batches',
    atLeast: 1.5,
    accept: ofContent(USUAL_CONTENTS, isStringOr64KiB),
  },
]

function faster(slow, what, accept, atLeast) {
  return {
    what: `against ${slow}: ${what}`,
    slow,
    fast: 'native',
    atLeast,
    accept: ofContent(USUAL_CONTENTS, accept),
  }
}

function slowerAtMost(fast, what, accept, atMost) {
  return { what: `against ${fast}: ${what}`, slow: 'native', fast, atMost, accept }
}

function judgeRatio({ what, slow, fast, accept, atLeast, atMost }, cases) {
  const measured = cases
    .filter((row) => row.timings?.[slow] && row.timings[fast] && accept(row))
    .map((row) => ({
      value: row.timings[slow].medianMs / row.timings[fast].medianMs,
      where: row.id,
    }))
  const format = (value) => `${value.toFixed(2)} x`
  return verdict({ what, measured, atLeast, atMost, format })
}

function judgeFirstLine(singles) {
  const measured = pickNative(singles, 'first line').map(({ id, answer }) => ({
    value: answer.medianMs,
    where: `${id}, slowest ${answer.maxMs.toFixed(2)} ms`,
  }))
  const format = (value) => `${value.toFixed(2)} ms`
  return verdict({ what: 'first line of a 50 MB base64 string', measured, atMost: 5, format })
}

function judgeGrowth(singles) {
  const measured = pickNative(singles, 'growth').map(({ id, answer }) => ({
    value: answer.ratio,
    where: id,
  }))
  const format = (value) => `${value.toFixed(2)} x`
  return verdict({ what: '8 times the bytes, every shape', measured, atMost: 9, format })
}

/** By byte chunks, and by text chunks too. */
function judgeLongLine(singles) {
  return ['bytes', 'text'].flatMap((source) => {
    const of = (contender) =>
      singles.filter(
        (one) => one.id.startsWith(`long line/${source}`) && one.contender === contender,
      )
    const [native, best] = [of('native'), of('best')]
    const time = (rows) => median(rows.map(({ answer }) => answer.ms))
    const pair = native.length > 0 && best.length > 0
    return [
      verdict({
        what: `64 MiB line, ${source} of 16 KiB: time against best`,
        measured: pair
          ? [
              {
                value: time(best) / time(native),
                where: `${time(native).toFixed(0)} ms against ${time(best).toFixed(0)} ms`,
              },
            ]
          : [],
        atLeast: 1.5,
        format: (value) => `${value.toFixed(2)} x`,
      }),
      verdict({
        what: `64 MiB line, ${source} of 16 KiB: peak above the start`,
        measured: native.map(({ answer, task }) => ({
          value: answer.extraBytes / task.size,
          where: `${(answer.extraBytes / 2 ** 20).toFixed(0)} MiB`,
        })),
        atMost: 2.5,
        format: (value) => `${value.toFixed(2)} lines`,
      }),
    ]
  })
}

function judgeStall(singles) {
  const measured = pickNative(singles, 'stall').map(({ answer }) => ({
    value: answer.restMs,
    where: `first turn ${answer.firstMs.toFixed(1)} ms`,
  }))
  const format = (value) => `${value.toFixed(1)} ms`
  return verdict({ what: 'longest stall in a 30 MB base64 string', measured, atMost: 30, format })
}

function judgeKeptLine(singles) {
  const measured = pickNative(singles, 'kept').map(({ id, answer }) => ({
    value: answer.heapBytesPerLine / KIB,
    where: id,
  }))
  const format = (value) => `${value.toFixed(1)} KiB`
  return verdict({ what: 'held by a kept line of 200', measured, atMost: 64, format })
}

function pickNative(singles, kind) {
  return singles.filter((one) => one.kind === kind && one.contender === 'native')
}

function verdict({ what, measured, atLeast, atMost, format }) {
  const wanted = atLeast === undefined ? `<= ${atMost}` : `>= ${atLeast}`
  if (measured.length === 0) {
    return { what, wanted, measured: '-', where: '', result: 'not measured' }
  }
  const sorted = measured.toSorted((a, b) => a.value - b.value)
  const worst = atLeast === undefined ? sorted.at(-1) : sorted[0]
  const met = atLeast === undefined ? worst.value <= atMost : worst.value >= atLeast
  return {
    what,
    wanted,
    measured: format(worst.value),
    where: worst.where,
    result: met ? 'met' : 'SHORT',
  }
}
