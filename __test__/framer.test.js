import { describe, expect, it } from 'vitest'
import { chunkings } from './support/chunkings.js'
import { base64, bytes, collect, utf8 } from './support/collect.js'
import {
  decodeBase64Stream,
  encodeUtf8Stream,
  JournalFramer,
  toJournalLines,
} from './support/subject.js'

const TEXT = 'abc\n\n\ufeffdéf\r\n😀\n\ufffdrest'
const BYTES = utf8(TEXT)

/** Pushes all `chunks` by `method`, and gives all lines. */
function pushAll(framer, method, chunks) {
  return chunks.flatMap((chunk) => framer[method](chunk))
}

describe('JournalFramer gives the lines that the streams give', () => {
  const cases = [
    ['bytes', 'push', BYTES, (chunks) => chunks],
    ['text', 'push', TEXT, encodeUtf8Stream],
    ['base64', 'pushBase64', Buffer.from(BYTES).toString('base64'), decodeBase64Stream],
  ]
  it.each(cases)('for %s', async (_name, method, input, stream) => {
    for (const { name, chunks } of chunkings(input)) {
      const framer = new JournalFramer(100)
      const expected = await collect(toJournalLines(stream(chunks), 100))
      expect(pushAll(framer, method, chunks), name).toEqual(expected)
      expect(framer.position).toBe(expected.at(-1).endPosition)
      expect(framer.pendingBytes).toBe(utf8('\ufffdrest').length)
      expect(framer.finish()).toBe(undefined)
    }
  })
})

describe('JournalFramer: positions', () => {
  it('starts at 0, or where it is told', () => {
    expect(new JournalFramer().position).toBe(0)
    expect(new JournalFramer(undefined).position).toBe(0)
    expect(new JournalFramer(2 ** 32 + 5).position).toBe(2 ** 32 + 5)
    expect(new JournalFramer(7).pendingBytes).toBe(0)
  })

  it('counts lines in position, the rest in pendingBytes', () => {
    const framer = new JournalFramer(10)
    expect(framer.push(utf8('aé'))).toEqual([])
    expect([framer.position, framer.pendingBytes]).toEqual([10, 3])
    expect(framer.push(utf8('\nbc'))).toEqual([{ line: 'aé', endPosition: 14 }])
    expect([framer.position, framer.pendingBytes]).toEqual([14, 2])
    expect(framer.push('€')).toEqual([])
    expect([framer.position, framer.pendingBytes]).toEqual([14, 5])
    expect(framer.push(new Uint8Array(0))).toEqual([])
    expect(framer.push('')).toEqual([])
    expect(framer.pushBase64('')).toEqual([])
    expect([framer.position, framer.pendingBytes]).toEqual([14, 5])
  })

  it('counts past 2^32 bytes', () => {
    const framer = new JournalFramer(2 ** 32 - 2)
    expect(framer.push('abc\n')).toEqual([{ line: 'abc', endPosition: 2 ** 32 + 2 }])
    expect(framer.position).toBe(2 ** 32 + 2)
  })

  it.each([-1, 1.5, Number.NaN, Infinity, 2 ** 53 - 4])(
    'does plain arithmetic from %d',
    (start) => {
      const framer = new JournalFramer(start)
      expect(framer.position).toBe(start)
      expect(framer.push('abc\n')).toEqual([{ line: 'abc', endPosition: start + 4 }])
      expect(framer.position).toBe(start + 4)
    },
  )

  it('tells them to be read only', () => {
    const framer = new JournalFramer(5)
    expect(() => {
      framer.position = 7
    }).toThrow(TypeError)
    expect(() => {
      framer.pendingBytes = 7
    }).toThrow(TypeError)
    expect([framer.position, framer.pendingBytes]).toEqual([5, 0])
  })
})

describe('JournalFramer: bytes, text and base64 in turn', () => {
  it('go on where the other stopped', () => {
    const framer = new JournalFramer()
    const lines = [
      ...framer.push(bytes('61 e2 82')),
      ...framer.pushBase64(Buffer.from('ac0a62', 'hex').toString('base64')),
      ...framer.push('é\nc'),
      ...framer.push(utf8('\n')),
    ]
    expect(lines).toEqual([
      { line: 'a€', endPosition: 5 },
      { line: 'bé', endPosition: 9 },
      { line: 'c', endPosition: 11 },
    ])
  })

  it('joins a pair of surrogates that two pushes of text cut', () => {
    const framer = new JournalFramer()
    framer.push('a\ud83d')
    framer.push('')
    expect(framer.push('\ude00\n')).toEqual([{ line: 'a😀', endPosition: 6 }])
  })

  it.each([
    ['bytes', (framer) => framer.push(new Uint8Array(0))],
    ['text', (framer) => framer.push('')],
    ['base64', (framer) => framer.pushBase64('')],
    ['base64 of white space', (framer) => framer.pushBase64(' \n')],
  ])('also with an empty push of %s between them', (_kind, pushNothing) => {
    const framer = new JournalFramer()
    framer.push('\ud83d')
    expect(pushNothing(framer)).toEqual([])
    expect(framer.push('\ude00\n')).toEqual([{ line: '😀', endPosition: 5 }])
  })

  it('makes U+FFFD of a high surrogate that bytes or base64 follow', () => {
    for (const [method, newline] of [
      ['push', utf8('b\n\n')],
      ['pushBase64', base64('b\n\n')],
    ]) {
      const framer = new JournalFramer()
      framer.push('a\ud83d')
      expect(framer[method](newline)).toEqual([
        { line: 'a\ufffdb', endPosition: 6 },
        { line: '', endPosition: 7 },
      ])
      expect(framer.push('\ude00\n')).toEqual([{ line: '\ufffd', endPosition: 11 }])
    }
  })

  it('keeps the characters of a base64 group that is cut', () => {
    const framer = new JournalFramer()
    expect(framer.pushBase64('YWI')).toEqual([])
    expect(framer.pendingBytes).toBe(0)
    expect(framer.pushBase64(' K\n')).toEqual([{ line: 'ab', endPosition: 3 }])
  })
})

describe('JournalFramer: errors', () => {
  it('takes nothing of base64 that is bad', () => {
    const framer = new JournalFramer(3)
    framer.push('x')
    framer.pushBase64('YW')
    const good = base64('line\nline\n..')
    for (const bad of [`IK${good}*AAA`, `IK${good}====`, `*${good}`, 'I\u0141']) {
      let error
      try {
        framer.pushBase64(bad)
      } catch (caught) {
        error = caught
      }
      expect(error).toBeInstanceOf(DOMException)
      expect(error.name).toBe('InvalidCharacterError')
      expect(error.code).toBe(5)
      expect([framer.position, framer.pendingBytes]).toEqual([3, 1])
    }
    expect(framer.pushBase64('IK')).toEqual([{ line: 'xab', endPosition: 7 }])
    framer.finish()
  })

  it.each([1, 2, 3])('finish() tells that %i characters wait', (count) => {
    const framer = new JournalFramer()
    framer.pushBase64(`YWIK${'YWI'.slice(0, count)}`)
    expect(() => framer.finish()).toThrow(
      new Error(`journal: base64 frame ended mid-quantum with ${count} character(s) pending`),
    )
  })

  it('finish() delivers no line without newline', () => {
    const framer = new JournalFramer()
    framer.push('a\nb')
    expect(framer.finish()).toBe(undefined)
    expect(framer.position).toBe(2)
  })

  it('takes nothing more after finish()', () => {
    const framer = new JournalFramer()
    framer.push('a\n')
    framer.finish()
    expect(() => framer.push('b\n')).toThrow(TypeError)
    expect(() => framer.push(utf8('b\n'))).toThrow(TypeError)
    expect(() => framer.pushBase64('YWIK')).toThrow(TypeError)
    expect(framer.position).toBe(2)
  })

  const wrong = [
    [undefined, /undefined/],
    [null, /null/],
    [7, /7|number/],
    [Symbol('s'), /symbol/i],
    [{}, /object/i],
    [[97], /array/i],
    [new ArrayBuffer(2), /ArrayBuffer/],
    [new DataView(new ArrayBuffer(2)), /DataView/],
    [new Uint16Array(2), /Uint16Array/],
    [new Proxy(new Uint8Array(2), {}), /object|proxy|Uint8Array/i],
  ]
  it.each(wrong.map(([chunk, message]) => [String(message), chunk, message]))(
    'a wrong chunk (%s) is a TypeError; the framer goes on',
    (_name, chunk, message) => {
      const framer = new JournalFramer()
      framer.push('a')
      for (const method of ['push', 'pushBase64']) {
        expect(() => framer[method](chunk)).toThrow(TypeError)
        expect(() => framer[method](chunk)).toThrow(message)
      }
      expect(() => framer.pushBase64(utf8('YWIK'))).toThrow(TypeError)
      expect(() => framer.push()).toThrow(TypeError)
      expect(framer.push('\n')).toEqual([{ line: 'a', endPosition: 2 }])
    },
  )

  it('uses a chunk during the call only', () => {
    const framer = new JournalFramer()
    const chunk = utf8('ab')
    framer.push(chunk)
    chunk.fill(0x7a)
    structuredClone(chunk, { transfer: [chunk.buffer] })
    expect(framer.push('\n')).toEqual([{ line: 'ab', endPosition: 3 }])
  })
})

describe('JournalFramer is a class', () => {
  it('needs new', () => {
    expect(() => JournalFramer(0)).toThrow(TypeError)
    expect(() => JournalFramer.call({}, 0)).toThrow(TypeError)
  })

  it('can be extended', () => {
    class Counting extends JournalFramer {
      lines = 0
      push(chunk) {
        const lines = super.push(chunk)
        this.lines += lines.length
        return lines
      }
    }
    const framer = new Counting(4)
    expect(framer).toBeInstanceOf(JournalFramer)
    expect(framer.push('a\nb\n')).toEqual([
      { line: 'a', endPosition: 6 },
      { line: 'b', endPosition: 8 },
    ])
    expect([framer.lines, framer.position]).toEqual([2, 8])
  })

  it('works when it is frozen', () => {
    const framer = Object.freeze(new JournalFramer())
    framer.push('a')
    expect(framer.push('\n')).toEqual([{ line: 'a', endPosition: 2 }])
    expect(framer.position).toBe(2)
    framer.finish()
  })

  it('refuses to work on another object', () => {
    const { push, pushBase64, finish } = JournalFramer.prototype
    const { get } = Object.getOwnPropertyDescriptor(JournalFramer.prototype, 'position')
    for (const other of [{}, null, undefined, 7, Object.create(JournalFramer.prototype)]) {
      expect(() => push.call(other, 'a')).toThrow(TypeError)
      expect(() => pushBase64.call(other, 'YWIK')).toThrow(TypeError)
      expect(() => finish.call(other)).toThrow(TypeError)
      expect(() => get.call(other)).toThrow(TypeError)
    }
  })

  it('keeps two instances apart', () => {
    const [one, two] = [new JournalFramer(0), new JournalFramer(100)]
    one.push('a')
    two.push('b')
    expect(one.push('\n')).toEqual([{ line: 'a', endPosition: 2 }])
    expect(two.push('\n')).toEqual([{ line: 'b', endPosition: 102 }])
  })

  it('gives many lines of one push in order', () => {
    const count = 50_000
    const text = Array.from({ length: count }, (_, index) => `${index} é\n`).join('')
    const lines = new JournalFramer().push(text)
    expect(lines.length).toBe(count)
    expect(lines.findIndex(({ line }, index) => line !== `${index} é`)).toBe(-1)
    expect(lines.at(-1).endPosition).toBe(Buffer.byteLength(text))
  })
})
