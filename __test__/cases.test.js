/**
 * Cases from the field: what people reported of other splitters, decoders and addons. The numbers
 * are those of the project's list. Cases 20 to 22 have test files of their own.
 */

import { describe, expect, it } from 'vitest'
import { base64, bytes, collect, collectWithError, hex, utf8 } from './support/collect.js'
import { decodeBase64Stream, encodeUtf8Stream, toJournalLines } from './support/subject.js'

describe('case 1: a long line in small chunks', () => {
  it('is one line', async () => {
    async function* source() {
      const chunk = utf8('a'.repeat(1460))
      for (let count = 0; count < 5746; count += 1) yield chunk
      yield utf8('\n')
    }
    const lines = await collect(toJournalLines(source(), 0))
    expect(lines.length).toBe(1)
    expect(lines[0].endPosition).toBe(8_389_161)
    expect(lines[0].line === 'a'.repeat(8_389_160)).toBe(true)
  })
})

describe('case 2: many lines in one chunk', () => {
  const line = `{"seq":1,"text":"${'x'.repeat(80)}"}\n`

  it.each([
    ['4 MB', 40_000],
    ['16 MB', 160_000],
  ])('%s: all lines, and timers fire meanwhile', async (_name, count) => {
    expect(line.length).toBe(100)
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 1)
    let seen = 0
    for await (const { line: text, endPosition } of toJournalLines([utf8(line.repeat(count))], 0)) {
      seen += 1
      if (endPosition !== seen * 100 || text.length !== 99) throw new Error(`line ${seen}`)
      if (seen % 1000 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    clearInterval(timer)
    expect(seen).toBe(count)
    expect(ticks).toBeGreaterThan(0)
  })
})

describe('case 3: a line that is still being written', () => {
  it('is not delivered, and is read whole from the last endPosition', async () => {
    const first = await collect(toJournalLines([utf8('{"a":1}\n{"b":')], 0))
    expect(first).toEqual([{ line: '{"a":1}', endPosition: 8 }])
    const second = await collect(toJournalLines([utf8('{"b":2}\n')], first[0].endPosition))
    expect(second).toEqual([{ line: '{"b":2}', endPosition: 16 }])
  })

  it('is joined across chunks, an empty one between', async () => {
    expect(await collect(toJournalLines([utf8('12'), utf8(''), utf8('3\n')], 0))).toEqual([
      { line: '123', endPosition: 4 },
    ])
  })
})

describe('case 4: bytes that are no text', () => {
  it('a character cut by a newline is not joined', async () => {
    expect(await collect(toJournalLines([bytes('61 e2 82 0a 80 80 0a')], 0))).toEqual([
      { line: 'a\ufffd', endPosition: 4 },
      { line: '\ufffd\ufffd', endPosition: 7 },
    ])
  })

  it('a run of NUL is a line as any', async () => {
    const input = utf8(`{"a":1}\n${'\0'.repeat(300)}\n{"b":2}\n`)
    expect(await collect(toJournalLines([input], 0))).toEqual([
      { line: '{"a":1}', endPosition: 8 },
      { line: '\0'.repeat(300), endPosition: 309 },
      { line: '{"b":2}', endPosition: 317 },
    ])
  })
})

describe('case 5: base64 padding', () => {
  it.each([
    [['QQ==Qg=='], [], 'InvalidCharacterError'],
    [['QQ==', 'Qg=='], ['41', '42'], undefined],
    [['QQ=', '=Qg=='], [], 'InvalidCharacterError'],
    [['===='], [], 'InvalidCharacterError'],
    [['A==='], [], 'InvalidCharacterError'],
    [['QUJDQUJ'], ['414243'], 'Error'],
  ])('%j', async (chunks, expected, name) => {
    const { items, error } = await collectWithError(decodeBase64Stream(chunks))
    expect(items.map((item) => hex(item))).toEqual(expected)
    expect(error?.name).toBe(name)
    if (name === 'Error') {
      expect(error.message).toBe(
        'journal: base64 frame ended mid-quantum with 3 character(s) pending',
      )
    }
  })
})

describe('case 6: white space of Unicode in base64', () => {
  it.each(['\ufeff', '\u00a0', '\u2028'])('%j is dropped', async (space) => {
    expect(await collect(decodeBase64Stream([`QU${space}JD`]))).toEqual([utf8('ABC')])
  })

  it('U+0085 is an error', async () => {
    const { items, error } = await collectWithError(decodeBase64Stream(['QU\u0085JD']))
    expect(items).toEqual([])
    expect(error.name).toBe('InvalidCharacterError')
  })
})

describe('case 7: byte order marks', () => {
  it('one is dropped at the start of each line', async () => {
    expect(await collect(toJournalLines([bytes('ef bb bf 41 0a ef bb bf 42 0a')], 0))).toEqual([
      { line: 'A', endPosition: 5 },
      { line: 'B', endPosition: 10 },
    ])
  })

  it('one in mid-line stays', async () => {
    expect(await collect(toJournalLines([bytes('41 ef bb bf 42 0a')], 0))).toEqual([
      { line: 'A\ufeffB', endPosition: 6 },
    ])
  })
})

describe('case 8: a surrogate pair cut between two text chunks', () => {
  it('is the one character, 4 bytes, and the position is right', async () => {
    const chunks = ['x\ud83d', '\ude00\n', 'y\n']
    expect(hex(...(await collect(encodeUtf8Stream(chunks))))).toBe('78f09f98800a790a')
    expect(await collect(toJournalLines(encodeUtf8Stream(chunks), 0))).toEqual([
      { line: 'x😀', endPosition: 6 },
      { line: 'y', endPosition: 8 },
    ])
  })
})

describe('case 11: iteration', () => {
  const openers = [
    ['toJournalLines', (source) => toJournalLines(source, 0), utf8],
    ['decodeBase64Stream', decodeBase64Stream, base64],
    ['encodeUtf8Stream', encodeUtf8Stream, (text) => text],
  ]
  it.each(openers)('%s: nothing starts before the first next()', async (_name, open, chunk) => {
    let isStarted = false
    async function* source() {
      isStarted = true
      yield chunk('ab\n')
    }
    const iterator = open(source())
    await new Promise((resolve) => setImmediate(resolve))
    expect(isStarted).toBe(false)
    await iterator.next()
    expect(isStarted).toBe(true)
  })

  it.each(openers)('%s: break and a throw run the finally of a generator', async (...row) => {
    const [, open, chunk] = row
    let closed = 0
    async function* source() {
      try {
        yield chunk('ab\n')
        yield chunk('cd\n')
      } finally {
        closed += 1
      }
    }
    for await (const _ of open(source())) break
    expect(closed).toBe(1)
    const error = new Error('body')
    const loop = async () => {
      for await (const _ of open(source())) throw error
    }
    await expect(loop()).rejects.toBe(error)
    expect(closed).toBe(2)
  })
})

describe('sizes: cost is linear however the input is cut', () => {
  const MEGABYTE = 1 << 20

  it('a line of 512 KB in chunks of one byte', async () => {
    const size = MEGABYTE / 2
    async function* source() {
      const x = utf8('x')
      for (let count = 0; count < size; count += 1) yield x
      yield utf8('\n')
    }
    const lines = await collect(toJournalLines(source(), 0))
    expect(lines.map(({ endPosition }) => endPosition)).toEqual([size + 1])
    expect(lines[0].line === 'x'.repeat(size)).toBe(true)
  })

  it('64 MB of base64 in one chunk', async () => {
    const text = `${'0123456789'.repeat(26)}é\n`
    const group = Buffer.from(text.repeat(3)).toString('base64')
    const repeats = Math.floor((64 * MEGABYTE) / group.length)
    const size = Buffer.byteLength(text)
    let count = 0
    const stream = decodeBase64Stream([group.repeat(repeats)])
    for await (const { line, endPosition } of toJournalLines(stream, 0)) {
      count += 1
      if (endPosition !== count * size || line.length !== text.length - 1) {
        throw new Error(`line ${count}`)
      }
    }
    expect(count).toBe(repeats * 3)
  })
})
