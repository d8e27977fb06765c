/**
 * Each public stream function, and each way two of them go together, as one row: the rules of
 * async iteration hold for all alike, so their tests run once per row.
 */

import { base64, hex, utf8 } from './collect.js'
import * as oracle from './oracle.js'
import * as native from './subject.js'

/**
 * @typedef {object} Path
 * @property {string} name
 * @property {(source: unknown) => AsyncGenerator} open - Through the package.
 * @property {(source: unknown) => AsyncGenerator} openOracle - The same through the oracle.
 * @property {(text: string) => unknown} chunk - The chunk that carries `text`.
 * @property {unknown[]} chunks - Three chunks; each gives one item.
 * @property {unknown[]} items - Those three items, as `plain` shows them.
 * @property {(item: unknown) => unknown} plain - An item in a form that compares well.
 * @property {unknown} incomplete - A chunk that alone gives nothing.
 * @property {boolean} takesText - Whether chunks are strings.
 */

const TEXTS = ['abc\n', 'défg\n', 'xyz\n']
const LINES = [
  { line: 'abc', endPosition: 4 },
  { line: 'défg', endPosition: 10 },
  { line: 'xyz', endPosition: 14 },
]
// The base64 of one chunk must end with a whole group without padding, so that chunks can follow.
const BASE64_TEXTS = ['ab\n', 'déef\n', 'xyzuv\n']
const BASE64_LINES = [
  { line: 'ab', endPosition: 3 },
  { line: 'déef', endPosition: 9 },
  { line: 'xyzuv', endPosition: 15 },
]

const base64Source = { chunk: base64, texts: BASE64_TEXTS, takesText: true, incomplete: 'YWI' }
const textSource = { chunk: (text) => text, texts: TEXTS, takesText: true, incomplete: '' }
const byteSource = { chunk: utf8, texts: TEXTS, takesText: false, incomplete: utf8('') }

/** @type {Path[]} */
export const paths = [
  bytePath('decodeBase64Stream', (api) => api.decodeBase64Stream, base64Source),
  bytePath('encodeUtf8Stream', (api) => api.encodeUtf8Stream, textSource),
  ...['toJournalLines', 'toJournalLineBatches'].flatMap((name) => [
    linePath(name, name, (_api, source) => source, byteSource, LINES),
    linePath(
      `${name} over encodeUtf8Stream`,
      name,
      (api, source) => api.encodeUtf8Stream(source),
      { ...textSource, incomplete: 'ab' },
      LINES,
    ),
    linePath(
      `${name} over decodeBase64Stream`,
      name,
      (api, source) => api.decodeBase64Stream(source),
      base64Source,
      BASE64_LINES,
    ),
  ]),
]

/** The rows where one chunk can give several items. */
export const linePaths = paths.filter(({ name }) => name.startsWith('toJournalLines'))

function bytePath(name, pick, { chunk, texts, takesText, incomplete }) {
  return {
    name,
    open: (source) => pick(native)(source),
    openOracle: (source) => pick(oracle)(source),
    chunk,
    chunks: texts.map(chunk),
    items: texts.map((text) => hex(utf8(text))),
    plain: (item) => (item instanceof Uint8Array ? hex(item) : item),
    incomplete,
    takesText,
  }
}

function linePath(name, method, bytesOf, { chunk, texts, takesText, incomplete }, lines) {
  const isBatch = method === 'toJournalLineBatches'
  return {
    name,
    open: (source) => native[method](bytesOf(native, source), 0),
    openOracle: (source) => oracle[method](bytesOf(oracle, source), 0),
    chunk,
    chunks: texts.map(chunk),
    items: isBatch ? lines.map((line) => [line]) : lines,
    plain: (item) => item,
    incomplete,
    takesText,
  }
}
