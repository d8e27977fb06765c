/**
 * The watch for the exit sentinel while framing: a batch that may hold it is flagged, so that the
 * lines of others need no test. A flag too many costs time; one too few would lose the end of a run.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exitSentinelLine, journalPaths, parseExitSentinel } from '../../api/native.js'
import { hasMore, mayHoldSentinel, readBatch } from '../../js/batch.js'
import { Base64Codec, BytesCodec, newNative, TextCodec } from '../../js/codecs.js'
import { binding } from '../../js/load.js'

const { nextLines, watchSentinel } = binding
const paths = journalPaths('run-1')
const { nonce } = paths
const sentinel = exitSentinelLine(paths, 3)
const plain = JSON.stringify({ type: 'text', text: 'an "agent" \u001b[0m at é work', n: 1 })

const kinds = [
  ['bytes', BytesCodec, (text) => Buffer.from(text)],
  ['text', TextCodec, (text) => text],
  ['base64', Base64Codec, (text) => Buffer.from(text).toString('base64')],
]

/** The batches that chunks give: their lines, and whether each is flagged. */
function frame(Codec, chunks, native = watching(nonce)) {
  const codec = new Codec(native)
  const batches = []
  for (const chunk of chunks) {
    codec.begin(chunk)
    while (codec.at < codec.length) {
      let text = codec.toLines()
      while (text !== undefined) {
        const flagged = mayHoldSentinel()
        const more = hasMore()
        const lines = []
        readBatch(text, 0, lines, 0)
        batches.push({ lines: lines.map(({ line }) => line), flagged })
        text = more ? nextLines(native) : undefined
      }
    }
  }
  return batches
}

function watching(value) {
  const native = newNative()
  watchSentinel(native, value)
  return native
}

const holding = (batches) =>
  batches.filter(({ lines }) => lines.some((line) => parseExitSentinel(line, paths) !== null))

describe.each(kinds)('over %s', (_name, Codec, encode) => {
  it('flags the one batch that holds the sentinel', () => {
    const lines = [...Array(5000).fill(plain), sentinel, ...Array(5000).fill(plain)]
    const batches = frame(Codec, [encode(`${lines.join('\n')}\n`)])
    expect(batches.length).toBeGreaterThan(10)
    expect(batches.flatMap((batch) => batch.lines)).toEqual(lines)
    const flagged = batches.filter((batch) => batch.flagged)
    expect(flagged).toHaveLength(1)
    expect(holding(batches)).toEqual(flagged)
  })

  it('flags none without a watch', () => {
    const batches = frame(Codec, [encode(`${plain}\n${sentinel}\n`)], newNative())
    expect(batches.map(({ flagged }) => flagged)).toEqual([false])
  })

  it('finds it wherever it is cut', () => {
    const text = `${plain}\n${sentinel}\n${plain}\n`
    for (let at = 1; at < sentinel.length; at += 1) {
      const cut = plain.length + 1 + at
      const chunks =
        Codec === Base64Codec
          ? [encode(text).slice(0, cut), encode(text).slice(cut)]
          : [encode(text.slice(0, cut)), encode(text.slice(cut))]
      const batches = frame(Codec, chunks)
      expect(holding(batches)).toHaveLength(1)
      expect(holding(batches)[0].flagged).toBe(true)
    }
  })

  it.each([
    ['ASCII', 'x'],
    ['other text', '€'],
  ])('finds it in a line of megabytes of %s', (_text, filling) => {
    const long = (text) => `{"x":"${filling.repeat(1 << 20)}",${text.slice(1)}`
    const lines = [plain, long(sentinel), long('{"x":1}'), plain]
    const batches = frame(Codec, [encode(`${lines.join('\n')}\n`)])
    expect(batches.map(({ lines, flagged }) => [lines.length, flagged])).toEqual([
      [1, false],
      [1, true],
      [1, false],
      [1, false],
    ])
    expect(holding(batches)).toHaveLength(1)
  })
})

it('is for one nonce', () => {
  const other = exitSentinelLine(journalPaths('run-2'), 0)
  const [batch] = frame(TextCodec, [`${plain}\n${other}\n`])
  expect(batch.flagged).toBe(false)
})

it('a later watch takes the place of the first, and covers what waits', () => {
  const native = watching('00')
  expect(frame(TextCodec, [sentinel], native)).toEqual([])
  watchSentinel(native, nonce)
  expect(frame(TextCodec, ['\n'], native)).toEqual([{ lines: [sentinel], flagged: true }])
})

it('a nonce that could be escaped in many ways is possible everywhere', () => {
  for (const value of ['', 'A', 'é', '/', '\n', '\ud83d']) {
    expect(frame(TextCodec, [`${plain}\n`], watching(value))[0].flagged).toBe(true)
  }
})

it('never leaves out a batch with the sentinel, however it is spelled', () => {
  const spelled = (text) =>
    fc
      .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
      .map((escapes) => text.replace(/./g, (c, at) => (escapes[at] ? escapeOf(c, at) : c)))
  const line = fc.oneof(
    { weight: 1, arbitrary: fc.constant(plain) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(spelled('__exit'), spelled('__nonce'), spelled(nonce), fc.integer())
        .map(([exit, key, value, code]) => `{"${exit}":${code},"${key}":"${value}"}`),
    },
    { weight: 1, arbitrary: fc.json() },
  )
  let found = 0
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
      for (const batch of frame(TextCodec, [`${lines.join('\n')}\n`])) {
        const held = holding([batch]).length
        found += held
        if (held > 0) expect(batch.flagged).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
  expect(found).toBeGreaterThan(50)
})

function escapeOf(character, at) {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${at % 2 === 0 ? code : code.toUpperCase()}`
}
