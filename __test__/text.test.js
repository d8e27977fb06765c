import { describe, expect, it } from 'vitest'
import { chunkings } from './support/chunkings.js'
import { collect, hex } from './support/collect.js'
import { encodeUtf8Stream, toJournalLines } from './support/subject.js'

async function encode(chunks) {
  return (await collect(encodeUtf8Stream(chunks))).map((bytes) => hex(bytes))
}

async function encodeAll(chunks) {
  return (await encode(chunks)).join('')
}

const FFFD = 'efbfbd'

describe('rule 1: UTF-8 of each chunk', () => {
  it('yields one array per chunk, none for an empty one', async () => {
    expect(await encode(['a', '', 'é\n', '', '€', '😀'])).toEqual([
      '61',
      'c3a90a',
      'e282ac',
      'f09f9880',
    ])
  })

  it.each([[[]], [['']], [['', '']]])('%j yields nothing', async (chunks) => {
    expect(await encode(chunks)).toEqual([])
  })

  it('keeps every character, a byte order mark and NUL among them', async () => {
    const text = '\ufeff\0a\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}\r\n\u2028'
    for (const { name, chunks } of chunkings(text)) {
      expect(await encodeAll(chunks), name).toBe(Buffer.from(text).toString('hex'))
    }
  })

  it('encodes every code point as TextEncoder does', async () => {
    const points = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point))
    // A newline between, so that no two lone surrogates make a pair.
    const text = points.join('\n')
    const expected = new TextEncoder().encode(text)
    const [actual] = await collect(encodeUtf8Stream([text]))
    expect(Buffer.from(expected).equals(actual)).toBe(true)
  })

  it('yields plain arrays that belong to the caller', async () => {
    const iterator = encodeUtf8Stream(['abc', 'def', 'ghi'])
    const first = (await iterator.next()).value
    expect(Object.getPrototypeOf(first)).toBe(Uint8Array.prototype)
    const second = (await iterator.next()).value
    structuredClone(first, { transfer: [first.buffer] })
    second.fill(0)
    expect(hex((await iterator.next()).value)).toBe('676869')
  })
})

describe('rule 2: a lone surrogate is U+FFFD', () => {
  it.each([
    ['\ud83d', FFFD],
    ['\ude00', FFFD],
    ['a\ud83db', `61${FFFD}62`],
    ['a\ude00b', `61${FFFD}62`],
    ['\ude00\ud83d', FFFD + FFFD],
    ['\ud83d\ud83d\ude00', `${FFFD}f09f9880`],
    ['\ud83d\ude00\ude00', `f09f9880${FFFD}`],
    ['\ud83dé', `${FFFD}c3a9`],
  ])('%j', async (text, expected) => {
    for (const { name, chunks } of chunkings(text)) {
      expect(await encodeAll(chunks), name).toBe(expected)
    }
  })
})

describe('rule 3: a pair cut between two chunks is one character', () => {
  it('is joined', async () => {
    expect(await encode(['a\ud83d', '\ude00b'])).toEqual(['61', 'f09f988062'])
  })

  it('is joined across empty chunks', async () => {
    expect(await encode(['\ud83d', '', '', '\ude00'])).toEqual(['f09f9880'])
  })

  it('is joined each time when every unit is its own chunk', async () => {
    expect(await encodeAll('😀😀\ud83d😀'.split(''))).toBe(`f09f9880f09f9880${FFFD}f09f9880`)
  })

  it('is U+FFFD when something else follows', async () => {
    expect(await encodeAll(['\ud83d', 'x'])).toBe(`${FFFD}78`)
    expect(await encodeAll(['\ud83d', '\n'])).toBe(`${FFFD}0a`)
    expect(await encodeAll(['\ud83d', '\ud83d', '\ude00'])).toBe(`${FFFD}f09f9880`)
  })

  it('is U+FFFD at the end of the input', async () => {
    expect(await encode(['a\ud83d'])).toEqual(['61', FFFD])
    expect(await encode(['\ud83d', ''])).toEqual([FFFD])
  })

  it('does not join a low surrogate to one that was not held', async () => {
    expect(await encodeAll(['\ude00', '\ude00'])).toBe(FFFD + FFFD)
    expect(await encodeAll(['a', '\ude00'])).toBe(`61${FFFD}`)
  })

  it('keeps the positions of lines right', async () => {
    const text = 'a😀b\n\ud83d\n😀\n'
    for (const { name, chunks } of chunkings(text)) {
      expect(await collect(toJournalLines(encodeUtf8Stream(chunks), 100)), name).toEqual([
        { line: 'a😀b', endPosition: 107 },
        { line: '\ufffd', endPosition: 111 },
        { line: '😀', endPosition: 116 },
      ])
    }
  })
})
