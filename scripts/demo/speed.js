/**
 * How fast the two ways of reading are, beside what a good engineer writes in plain JavaScript.
 * For figures to quote, run `npm run bench`; this is a look.
 *
 * @module
 */

import { isUtf8 } from 'node:buffer'
import { decodeBase64Stream, encodeUtf8Stream, toJournalLines } from '../../api/native.js'
import * as good from '../../js/cli/bench/contenders/good.js'
import { cutJournal } from '../../js/cli/bench/sources.js'
import { green, note, red } from '../lib/output.js'
import { Digest } from './digest.js'

const ROUNDS = 5
/** Below this the clock measures the start of a stream. */
const LEAST_BYTES = 1_000_000
const TEXT_CHUNK_BYTES = 64 * 1024

/**
 * @param {{ bytes: Buffer, expected: Digest }} journal
 * @returns {Promise<boolean>} Whether all readings were right.
 */
export async function compareSpeed({ bytes, expected }) {
  const rows = [base64Row(bytes)]
  // Ill-formed bytes don't survive as text: its lines have other positions.
  if (isUtf8(bytes)) rows.push(textRow(bytes))
  if (bytes.length < LEAST_BYTES) note('A small file: the figures say little.')
  note(`Reading alone, nothing parsed; the median of ${ROUNDS} rounds, taken in turn.`)
  let allRight = true
  for (const row of rows) {
    const isRight = await isSame(row.native(), expected)
    allRight &&= isRight
    if (!isRight) console.log(red(`  ${row.label}: WRONG LINES`))
    else printRow(row.label, await measure(row), expected)
  }
  return allRight
}

function base64Row(bytes) {
  const chunks = cutJournal(bytes, { source: 'base64', chunk: 'whole' })
  return {
    label: 'base64, one string',
    native: () => toJournalLines(decodeBase64Stream(chunks), 0),
    plain: () => good.base64Lines(chunks, 0),
  }
}

function textRow(bytes) {
  const chunks = cutJournal(bytes, { source: 'text', chunk: TEXT_CHUNK_BYTES })
  return {
    label: 'text, chunks of 64 KiB',
    native: () => toJournalLines(encodeUtf8Stream(chunks), 0),
    plain: () => good.textLines(chunks, 0),
  }
}

async function isSame(lines, expected) {
  const digest = new Digest()
  for await (const line of lines) digest.add(line)
  return digest.value() === expected.value()
}

async function measure({ native, plain }) {
  const times = { native: [], plain: [] }
  // The first round warms up both, and is dropped.
  for (let round = 0; round <= ROUNDS; round += 1) {
    times.native.push(await timeMs(native()))
    times.plain.push(await timeMs(plain()))
  }
  return { nativeMs: median(times.native.slice(1)), plainMs: median(times.plain.slice(1)) }
}

async function timeMs(lines) {
  const startedAt = performance.now()
  let last = 0
  for await (const { endPosition } of lines) last = endPosition
  return last >= 0 ? performance.now() - startedAt : Number.NaN
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

function printRow(label, { nativeMs, plainMs }, { lines, position }) {
  const perSecond = (amount, ms) =>
    ((amount / ms) * 1e3).toLocaleString('en-US', { maximumSignificantDigits: 3 }).padStart(10)
  const rate = (ms) => `${perSecond(lines, ms)} lines/s ${perSecond(position / 1e6, ms)} MB/s`
  console.log(`  ${label.padEnd(24)} native           ${rate(nativeMs)}`)
  console.log(`  ${''.padEnd(24)} plain JavaScript ${rate(plainMs)}`)
  const ratio = plainMs / nativeMs
  const words =
    ratio >= 1 ? `${ratio.toFixed(1)} times as fast` : `${ratio.toFixed(2)} times the speed`
  console.log(`  ${''.padEnd(24)} ${green(words)}`)
}
