import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunkings } from './support/chunkings.js'
import { base64, collect, collectWithError, passOn, utf8 } from './support/collect.js'
import { expectSame, shown } from './support/compare.js'
import * as oracle from './support/oracle.js'
import { loggedSource } from './support/sources.js'
import * as native from './support/subject.js'

/** The two streams of bytes that the line functions know, and text for each. */
const STREAMS = [
  { inner: 'encodeUtf8Stream', chunk: (text) => text },
  { inner: 'decodeBase64Stream', chunk: base64 },
]
const OUTERS = ['toJournalLines', 'toJournalLineBatches']
const ROWS = STREAMS.flatMap((row) => OUTERS.map((outer) => ({ ...row, outer })))

/** Lines of 60 bytes (a whole number of base64 groups), some of them not ASCII. */
function text(from, count) {
  const line = (_, index) => {
    const start = `${from}:${index} ${index % 4 === 3 ? 'é' : 'ab'}`
    return `${start.padEnd(index % 4 === 3 ? 58 : 59, '.')}\n`
  }
  return Array.from({ length: count }, line).join('')
}

describe.each(ROWS)('$outer over $inner', ({ inner, outer, chunk }) => {
  const chunks = [text('a', 2000), text('b', 3), text('c', 1500)].map(chunk)

  /** Opens both over `chunks`, runs `use(outerIterator, innerIterator, log)`, and notes the log. */
  async function play(api, use) {
    const source = loggedSource(chunks)
    const bytes = api[inner](source)
    const notes = await use(api[outer](bytes, 0), bytes, (stream) => api[outer](stream, 0))
    return { notes, log: source.log }
  }

  it('gives the same as over a generator that hands the bytes on', async () => {
    for (const { name, chunks: cut } of chunkings(chunk(text('a', 40)))) {
      const direct = native[outer](native[inner](cut), 5)
      const handedOn = native[outer](passOn(native[inner](cut)), 5)
      expect((await collect(direct)).flat(), name).toEqual((await collect(handedOn)).flat())
    }
  })

  it('ends with the same error', async () => {
    const bad = [chunks[0], inner === 'decodeBase64Stream' ? 'Q*==' : null, chunks[1]]
    for (const failing of [bad, [chunks[0], 7], [...chunks, 'QU']]) {
      const read = (bytes) => collectWithError(native[outer](bytes, 0))
      const direct = await read(native[inner](failing))
      const handedOn = await read(passOn(native[inner](failing)))
      expect(direct.items.flat()).toEqual(handedOn.items.flat())
      expect(direct.error?.name).toBe(handedOn.error?.name)
      expect(direct.error?.message).toBe(handedOn.error?.message)
    }
  })

  it('takes up a stream that was advanced by hand', async () => {
    await expectSame((api) =>
      play(api, async (lines, bytes) => {
        const first = shown(await bytes.next())
        return [first, (await collect(lines)).flat()]
      }),
    )
  })

  it('takes up a stream with a call still under way', async () => {
    await expectSame((api) =>
      play(api, async (lines, bytes) => {
        const pending = bytes.next()
        return [(await collect(lines)).flat(), shown(await pending)]
      }),
    )
  })

  it('takes up a stream that has ended, or was closed', async () => {
    await expectSame((api) =>
      play(api, async (lines, bytes) => {
        for await (const _ of bytes);
        return collect(lines)
      }),
    )
    await expectSame((api) =>
      play(api, async (lines, bytes) => {
        await bytes.return()
        return collect(lines)
      }),
    )
    await expectSame((api) =>
      play(api, async (lines, bytes) => {
        await bytes.next()
        await bytes.return()
        return collect(lines)
      }),
    )
  })

  it('leaves the next chunk to who asks the stream while a chunk is being read', async () => {
    await expectSame((api) =>
      play(api, async (lines, bytes) => {
        const first = await lines.next()
        const byHand = shown(await bytes.next())
        const rest = (await collect(lines)).flat()
        return [[first.value, rest].flat(), byHand, shown(await bytes.next())]
      }),
    )
  })

  it('shares a stream with another reader, chunk by chunk', async () => {
    await expectSame((api) =>
      play(api, async (lines, bytes, open) => {
        const others = open(bytes)
        const read = { lines: [], others: [] }
        read.lines.push((await lines.next()).value)
        read.others.push((await others.next()).value)
        for await (const item of lines) read.lines.push(item)
        for await (const item of others) read.others.push(item)
        return { lines: read.lines.flat(), others: read.others.flat() }
      }),
    )
  })

  it('shares a stream with another reader when both ask at once', async () => {
    await expectSame((api) =>
      play(api, async (lines, bytes, open) => {
        const others = open(bytes)
        const [a, b] = await Promise.all([collect(lines), collect(others)])
        return { a: a.flat(), b: b.flat() }
      }),
    )
  })

  it('closes the stream for the other reader too, which keeps what it has', async () => {
    await expectSame((api) =>
      play(api, async (lines, bytes, open) => {
        const others = open(bytes)
        await lines.next()
        const first = (await others.next()).value
        await lines.return()
        const rest = await collect(others)
        return [[first, rest].flat(2), shown(await bytes.next())]
      }),
    )
  })

  it('keeps the lines of its chunk when the stream is closed by hand', async () => {
    await expectSame((api) =>
      play(api, async (lines, bytes) => {
        const first = await lines.next()
        await bytes.return()
        return [first.value, await collect(lines)].flat(2)
      }),
    )
  })

  it('ends when it is closed: the stream is done, the source closed once', async () => {
    await expectSame((api) =>
      play(api, async (lines, bytes) => {
        await lines.next()
        await lines.return()
        return [shown(await bytes.next()), shown(await lines.next())]
      }),
    )
  })

  it('touches nothing when it is closed before the first next()', async () => {
    await expectSame((api) =>
      play(api, async (lines, bytes) => {
        await lines.return()
        return shown(await bytes.next())
      }),
    )
  })

  it('reads on in a second reader after the first was left with its last line', async () => {
    await expectSame((api) => {
      const short = ['a\n..', 'b\n..', 'c\n..'].map(chunk)
      const bytes = api[inner](loggedSource(short))
      const noReturn = { [Symbol.asyncIterator]: () => ({ next: () => bytes.next() }) }
      return (async () => {
        const notes = []
        for await (const item of api[outer](noReturn, 0)) {
          notes.push(item)
          break
        }
        notes.push(await collect(api[outer](bytes, 0)))
        return notes.flat(2)
      })()
    })
  })

  it.each(['next', 'return', Symbol.asyncIterator])(
    'heeds a method of the stream that was replaced (%s)',
    async (key) => {
      await expectSame((api) =>
        play(api, async (lines, bytes) => {
          const calls = []
          const method = bytes[key]
          bytes[key] = (...args) => {
            calls.push(args.length)
            return method.apply(bytes, args)
          }
          const first = await lines.next()
          await lines.return()
          return [calls, [first.value].flat()[0]]
        }),
      )
    },
  )

  it('heeds a next() that was replaced before the first next() only', async () => {
    await expectSame((api) =>
      play(api, async (lines, bytes) => {
        const first = await lines.next()
        bytes.next = () => {
          throw new Error('never called: for await looks next up once')
        }
        return [first.value, (await collect(lines)).flat()].flat()
      }),
    )
  })

  it('heeds a return() that was replaced while it was read', async () => {
    await expectSame((api) =>
      play(api, async (lines, bytes) => {
        await lines.next()
        let calls = 0
        bytes.return = () => {
          calls += 1
          return {}
        }
        await lines.return()
        return [calls, shown(await bytes.next())]
      }),
    )
  })

  it('heeds a next() that gives other bytes', async () => {
    await expectSame((api) =>
      play(api, async (lines, bytes) => {
        let done = false
        bytes.next = async () => {
          const result = { value: utf8('other\n'), done }
          done = true
          return result
        }
        return (await collect(lines)).flat()
      }),
    )
  })

  it('does not hide an error of the stream from the reader whose turn it is', async () => {
    await expectSame(async (api) => {
      const error = new Error('source')
      const onEnd = () => Promise.reject(error)
      const source = loggedSource(chunks.slice(0, 1), { onEnd })
      const bytes = api[inner](source)
      const [lines, others] = [api[outer](bytes, 0), api[outer](bytes, 0)]
      const results = await Promise.all([collectWithError(lines), collectWithError(others)])
      return results.map((result) => [result.items.flat(), result.error === error])
    })
  })
})

describe('a stream with several readers, in any order of calls', () => {
  const act = fc.constantFrom('lines', 'lines', 'others', 'bytes', 'returnLines', 'returnBytes')

  async function play(api, { inner, outer, chunk }, texts, acts, atOnce) {
    const source = loggedSource(texts.map(chunk))
    const bytes = api[inner](source)
    const readers = { lines: api[outer](bytes, 0), others: api[outer](bytes, 10), bytes }
    const call = (name) => {
      if (name === 'returnLines') return readers.lines.return()
      if (name === 'returnBytes') return bytes.return()
      return readers[name].next()
    }
    const outcome = (name) =>
      call(name).then(
        (result) => [name, shown(result)],
        (error) => [name, error.message],
      )
    const notes = []
    if (atOnce) notes.push(...(await Promise.all(acts.map(outcome))))
    else for (const name of acts) notes.push(await outcome(name))
    return { notes, log: source.log }
  }

  it.each(ROWS)('$outer over $inner', async (row) => {
    const texts = fc.array(fc.constantFrom('a\n.', '..b', '\n\n\n', 'c\nd\né..'), { maxLength: 5 })
    const property = fc.asyncProperty(
      texts,
      fc.array(act, { minLength: 1, maxLength: 10 }),
      fc.boolean(),
      async (pieces, acts, atOnce) => {
        // A close among calls that were not awaited is a race of microtasks between the readers.
        const calls = atOnce ? acts.filter((name) => !name.startsWith('return')) : acts
        const expected = await play(oracle, row, pieces, calls, atOnce)
        expect(await play(native, row, pieces, calls, atOnce)).toEqual(expected)
      },
    )
    await fc.assert(property, { numRuns: 250 })
  })
})
