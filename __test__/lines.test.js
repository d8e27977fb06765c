import { describe, expect, it } from 'vitest'
import { chunkings } from './support/chunkings.js'
import { bytes, collect, utf8 } from './support/collect.js'
import { toJournalLineBatches, toJournalLines } from './support/subject.js'

const lines = async (chunks, start = 0) => collect(toJournalLines(chunks, start))

/** Reads `input` in every chunking, line by line and in batches. */
async function expectLines(input, expected, start = 0) {
  for (const { name, chunks } of chunkings(input)) {
    expect(await lines(chunks, start), name).toEqual(expected)
    expect((await collect(toJournalLineBatches(chunks, start))).flat(), name).toEqual(expected)
  }
}

describe('rule 1: a line ends at the newline byte only', () => {
  it('keeps carriage returns, NUL and the line ends of Unicode', async () => {
    await expectLines(utf8('a\r\nb\0c\n\u2028d\u2029\u0085\v\f\n\r\n'), [
      { line: 'a\r', endPosition: 3 },
      { line: 'b\0c', endPosition: 7 },
      { line: '\u2028d\u2029\u0085\v\f', endPosition: 19 },
      { line: '\r', endPosition: 21 },
    ])
  })

  it('does not take 0x0A in the code units of a character for a newline', async () => {
    // U+0A0A, U+010A, U+1F60A: the low byte of the code unit is 0x0A.
    await expectLines(utf8('\u0a0a\u010a\u{1f60a}\n'), [
      { line: '\u0a0a\u010a\u{1f60a}', endPosition: 10 },
    ])
  })

  it('gives a plain object of two properties', async () => {
    const [line] = await lines([utf8('a\n')])
    expect(Object.getPrototypeOf(line)).toBe(Object.prototype)
    expect(Object.getOwnPropertyDescriptors(line)).toEqual({
      line: { value: 'a', writable: true, enumerable: true, configurable: true },
      endPosition: { value: 2, writable: true, enumerable: true, configurable: true },
    })
    expect(JSON.stringify(line)).toBe('{"line":"a","endPosition":2}')
  })
})

describe('rule 2: endPosition counts bytes', () => {
  it('counts bytes, not characters', async () => {
    await expectLines(
      utf8('é\n€€\n😀\n'),
      [
        { line: 'é', endPosition: 10 },
        { line: '€€', endPosition: 17 },
        { line: '😀', endPosition: 22 },
      ],
      7,
    )
  })

  it.each([0, 1, 2 ** 31 - 3, 2 ** 32 - 3, 2 ** 32 + 5, 2 ** 40, 2 ** 53 - 9])(
    'counts from %i',
    async (start) => {
      await expectLines(
        utf8('abc\n\ndé\n'),
        [
          { line: 'abc', endPosition: start + 4 },
          { line: '', endPosition: start + 5 },
          { line: 'dé', endPosition: start + 9 },
        ],
        start,
      )
    },
  )

  it.each([-1, -(2 ** 32) - 5, 1.5, -0.25, Number.NaN, Infinity, -Infinity])(
    'does the plain arithmetic of numbers from %d',
    async (start) => {
      await expectLines(
        utf8('abc\n\n'),
        [
          { line: 'abc', endPosition: start + 4 },
          { line: '', endPosition: start + 5 },
        ],
        start,
      )
    },
  )
})

describe('rule 3: decoding', () => {
  it.each([
    ['80', '\ufffd'],
    ['c3', '\ufffd'],
    ['c0 80', '\ufffd\ufffd'],
    ['e2 82', '\ufffd'],
    ['e2 82 41', '\ufffdA'],
    ['f0 9f 98', '\ufffd'],
    ['f0 9f 98 f0 9f 98 80', '\ufffd😀'],
    ['ed a0 80', '\ufffd\ufffd\ufffd'],
    ['f4 90 80 80', '\ufffd\ufffd\ufffd\ufffd'],
    ['f8 88 80 80 80', '\ufffd\ufffd\ufffd\ufffd\ufffd'],
    ['fe ff', '\ufffd\ufffd'],
    ['61 e2 82 ac ff 62', 'a€\ufffdb'],
  ])('%s is decoded by maximal subparts', async (text, line) => {
    const input = bytes(`61 0a ${text} 0a 62 0a`)
    const end = input.length
    await expectLines(input, [
      { line: 'a', endPosition: 2 },
      { line, endPosition: end - 2 },
      { line: 'b', endPosition: end },
    ])
  })

  it('decodes each line alone: a cut character does not join the next line', async () => {
    await expectLines(bytes('e2 82 0a ac 0a'), [
      { line: '\ufffd', endPosition: 3 },
      { line: '\ufffd', endPosition: 5 },
    ])
  })

  it('drops one byte order mark at the start of each line', async () => {
    await expectLines(bytes('ef bb bf 0a ef bb bf ef bb bf 61 0a ef bb 0a 61 ef bb bf 0a'), [
      { line: '', endPosition: 4 },
      { line: '\ufeffa', endPosition: 12 },
      { line: '\ufffd', endPosition: 15 },
      { line: 'a\ufeff', endPosition: 20 },
    ])
  })

  it('does so in a line among long ones, ASCII or not', async () => {
    for (const filler of ['x'.repeat(30_000), 'ä'.repeat(15_000), '😀'.repeat(9_000)]) {
      const text = `${filler}\n\ufeff${filler}\n${filler}\ufeff\n`
      const size = Buffer.byteLength(filler)
      expect(await lines([utf8(text)])).toEqual([
        { line: filler, endPosition: size + 1 },
        { line: filler, endPosition: 2 * size + 5 },
        { line: `${filler}\ufeff`, endPosition: 3 * size + 9 },
      ])
    }
  })

  it('decodes every pair of bytes as TextDecoder does', async () => {
    const input = new Uint8Array(65536 * 3)
    for (let pair = 0; pair < 65536; pair += 1) input.set([pair >> 8, pair & 255, 10], pair * 3)
    const actual = (await lines([input])).map(({ line }) => line)
    const expected = []
    for (let start = 0, at = 0; at < input.length; at += 1) {
      if (input[at] !== 10) continue
      expected.push(new TextDecoder().decode(input.subarray(start, at)))
      start = at + 1
    }
    expect(actual.length).toBe(expected.length)
    expect(actual.findIndex((line, index) => line !== expected[index])).toBe(-1)
  })
})

describe('rule 4: an unterminated line', () => {
  it('is never yielded, and not counted', async () => {
    await expectLines(utf8('a\nbc'), [{ line: 'a', endPosition: 2 }])
    await expectLines(utf8('abc'), [])
    await expectLines(utf8(''), [])
    await expectLines(bytes('61 0a e2 82'), [{ line: 'a', endPosition: 2 }])
  })
})

describe('rule 5: an empty line', () => {
  it("is yielded as ''", async () => {
    await expectLines(utf8('\n\na\n\n'), [
      { line: '', endPosition: 1 },
      { line: '', endPosition: 2 },
      { line: 'a', endPosition: 4 },
      { line: '', endPosition: 5 },
    ])
  })
})

describe('rule 6: any Uint8Array', () => {
  it('takes a Buffer, also one of the pool', async () => {
    expect(await lines([Buffer.from('ab\nc'), Buffer.from('d\n')])).toEqual([
      { line: 'ab', endPosition: 3 },
      { line: 'cd', endPosition: 6 },
    ])
  })

  it('takes a view with an offset, and reads nothing beside it', async () => {
    const whole = utf8('\n\nxxab\ncd\nxx\n')
    expect(await lines([whole.subarray(4, 8), whole.subarray(8, 10)])).toEqual([
      { line: 'ab', endPosition: 3 },
      { line: 'cd', endPosition: 6 },
    ])
  })

  it('takes empty views, at the end of a buffer too', async () => {
    const whole = utf8('a\n')
    expect(await lines([whole.subarray(2), whole, new Uint8Array(0)])).toEqual([
      { line: 'a', endPosition: 2 },
    ])
  })

  it.each(['toJournalLines', 'toJournalLineBatches'])(
    'lets the producer of %s reuse its buffer for the next chunk',
    async (name) => {
      const read = { toJournalLines, toJournalLineBatches }[name]
      const texts = ['one\ntw', 'o\nthr', 'ee\nfour\n']
      async function* producer() {
        const shared = new Uint8Array(16)
        for (const text of texts) {
          shared.fill(0x21)
          const { written } = new TextEncoder().encodeInto(text, shared)
          yield shared.subarray(0, written)
          shared.fill(0x3f)
        }
      }
      const items = (await collect(read(producer(), 0))).flat()
      expect(items.map(({ line }) => line)).toEqual(['one', 'two', 'three', 'four'])
    },
  )

  it('does not write to a chunk', async () => {
    const chunk = utf8('a\n\ufeffb\r\nc')
    const before = chunk.slice()
    await lines([chunk, chunk])
    expect(chunk).toEqual(before)
  })
})
