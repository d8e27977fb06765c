import { execFileSync } from 'node:child_process'
import { appendFileSync, symlinkSync } from 'node:fs'
import { relative } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JournalFile, JournalFramer } from '../../api/native.js'
import { collect, collectWithError } from '../support/collect.js'
import { countOpen, expectedLines, freshPath, makeFile } from './support/files.js'

/** Bytes that are more telling than random ones: newlines, marks, pieces of characters. */
const telling = fc.constantFrom(
  ...['0a', '0a0a', '0d0a', '00', 'efbbbf', 'efbb', 'e282ac', 'e282', 'f09f9880', 'f09f', '80'],
  ...['c3a9', 'c3', 'ff', '7b7d', '61', '6162636465666768'],
)
const content = fc.oneof(
  fc.array(telling, { maxLength: 40 }).map((parts) => Buffer.from(parts.join(''), 'hex')),
  fc
    .array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 30 })
    .map((lines) => Buffer.from(lines.join('\n'))),
)

describe('the lines of a file', () => {
  it('are those of toJournalLines over its bytes, from any position', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.double({ min: 0, max: 1, noNaN: true }), async (bytes, part) => {
        const position = Math.floor(part * bytes.length)
        const path = makeFile(bytes)
        const expected = await expectedLines(bytes, position)
        const file = new JournalFile(path, { position })
        expect(await collect(file)).toEqual(expected)
        expect(file.position).toBe(expected.at(-1)?.endPosition ?? position)
        const batches = await collect(new JournalFile(path, { position }).batches())
        expect(batches.flat()).toEqual(expected)
        expect(batches.every((lines) => lines.length > 0)).toBe(true)
      }),
      { numRuns: 200 },
    )
    expect(countOpen()).toBe(0)
  })

  it('are the same across many reads, with characters cut at each', async () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `${index} ${'€'.repeat(index % 50)}`)
    const bytes = Buffer.from(lines.join('\n'))
    expect(bytes.length).toBeGreaterThan(4 * 256 * 1024)
    const found = await collect(new JournalFile(makeFile(bytes)))
    expect(found).toEqual(await expectedLines(bytes))
    expect(found.length).toBe(lines.length - 1)
  })

  it.each(['x', '€'])('may be as long as 5 million of %s', async (letter) => {
    const line = letter.repeat(5_000_000)
    const [first, second] = await collect(new JournalFile(makeFile(`${line}\nb\n`)))
    expect(first.line === line).toBe(true)
    expect(second).toEqual({ line: 'b', endPosition: Buffer.byteLength(line) + 3 })
  })

  it('end at the end of the file, and one without its newline is left for the next', async () => {
    const path = makeFile('a\nb')
    const file = new JournalFile(path)
    expect(await collect(file)).toEqual([{ line: 'a', endPosition: 2 }])
    appendFileSync(path, 'c\n')
    const next = new JournalFile(path, { position: file.position })
    expect(await collect(next)).toEqual([{ line: 'bc', endPosition: 5 }])
  })

  it('come from an empty file, and from a position at the end, as none', async () => {
    expect(await collect(new JournalFile(makeFile('')))).toEqual([])
    expect(await collect(new JournalFile(makeFile('a\n'), { position: 2 }))).toEqual([])
  })

  it('come from a relative path, and from a name that is not ASCII', async () => {
    const path = relative(process.cwd(), makeFile('a\n'))
    expect(await collect(new JournalFile(path))).toHaveLength(1)
    const other = `${freshPath()}-é😀 '\n`
    appendFileSync(other, 'a\n')
    expect(await collect(new JournalFile(other))).toHaveLength(1)
  })

  it('leave the shared array to other readers between two batches', async () => {
    const bytes = Buffer.from('abc é\n'.repeat(50_000))
    const framer = new JournalFramer()
    const lines = []
    for await (const batch of new JournalFile(makeFile(bytes)).batches()) {
      lines.push(...batch)
      expect(framer.push('one\ntwö\n')).toHaveLength(2)
    }
    expect(lines).toEqual(await expectedLines(bytes))
  })

  it('are counted by position as they are delivered, and not before', async () => {
    const file = new JournalFile(makeFile('a\nb\nc\n'))
    const positions = [file.position]
    const lines = file[Symbol.asyncIterator]()
    for (let count = 0; count < 4; count += 1) {
      await lines.next()
      positions.push(file.position)
    }
    expect(positions).toEqual([0, 2, 4, 6, 6])
  })

  it('answer several next() at once in order', async () => {
    const lines = new JournalFile(makeFile('a\nb\n'))[Symbol.asyncIterator]()
    const results = await Promise.all([lines.next(), lines.next(), lines.next(), lines.next()])
    expect(results.map(({ value }) => value?.line)).toEqual(['a', 'b', undefined, undefined])
  })
})

describe('a file that cannot be read', () => {
  const failure = async (path, options) => {
    const { items, error } = await collectWithError(new JournalFile(path, options))
    expect(items).toEqual([])
    return error
  }

  it('that is missing is ENOENT, as from node:fs', async () => {
    const path = freshPath()
    expect(await failure(path, { follow: true })).toMatchObject({
      message: `ENOENT: no such file or directory, open '${path}'`,
      code: 'ENOENT',
      errno: -2,
      syscall: 'open',
      path,
    })
    expect(await failure('')).toMatchObject({ code: 'ENOENT' })
    expect(await failure(`${makeFile('')}/x`)).toMatchObject({ code: 'ENOTDIR' })
  })

  it('since its links go round is ELOOP', async () => {
    const path = freshPath()
    symlinkSync(path, path)
    expect(await failure(path)).toMatchObject({ code: 'ELOOP', syscall: 'open', path })
  })

  it.each([
    ['folder', 'a folder', () => '/'],
    ['device', 'a device', () => '/dev/zero'],
    [
      'FIFO that nobody writes to',
      'a FIFO',
      () => {
        const path = freshPath()
        execFileSync('mkfifo', [path])
        return path
      },
    ],
  ])('since it is a %s is refused at once', async (_name, kind, make) => {
    const path = make()
    for (const follow of [false, true]) {
      const error = await failure(path, { follow })
      expect(error).toMatchObject({ code: 'ERR_JOURNAL_NOT_A_FILE', path })
      expect(error.message).toContain(kind)
    }
  })

  it('from a position beyond its end is a RangeError', async () => {
    const path = makeFile('a\n')
    for (const position of [3, Number.MAX_SAFE_INTEGER]) {
      const error = await failure(path, { position, follow: true })
      expect(error).toBeInstanceOf(RangeError)
      expect(error).toMatchObject({ code: 'ERR_JOURNAL_POSITION', path })
      expect(error.message).toContain(`byte ${position}`)
    }
  })

  it('is closed, and ends its iterator', async () => {
    const file = new JournalFile(freshPath())
    const lines = file[Symbol.asyncIterator]()
    await expect(lines.next()).rejects.toThrow('ENOENT')
    expect(await lines.next()).toEqual({ value: undefined, done: true })
    await file.close()
    expect(countOpen()).toBe(0)
  })
})

describe('arguments', () => {
  it.each([
    [undefined],
    [null],
    [7],
    [Symbol('path')],
    [Buffer.from('/')],
    ['a\0b'],
    ['/', null],
    ['/', 7],
    ['/', { position: '0' }],
    ['/', { position: 0n }],
    ['/', { position: null }],
    ['/', { follow: 1 }],
    ['/', { pollIntervalMs: '5' }],
  ])('of a wrong type are a TypeError: %s', (...args) => {
    expect(() => new JournalFile(...args)).toThrow(TypeError)
  })

  it.each([
    [{ position: -1 }],
    [{ position: 1.5 }],
    [{ position: Number.NaN }],
    [{ position: 2 ** 53 }],
    [{ pollIntervalMs: 0 }],
    [{ pollIntervalMs: Number.NaN }],
  ])('out of their range are a RangeError: %o', (options) => {
    expect(() => new JournalFile('/', options)).toThrow(RangeError)
  })

  it('that are undefined have their defaults', async () => {
    const options = { position: undefined, follow: undefined, pollIntervalMs: undefined }
    expect(await collect(new JournalFile(makeFile('a\n'), options))).toHaveLength(1)
  })
})

it('a file is read once: a second reading is a TypeError', async () => {
  const file = new JournalFile(makeFile('a\n'))
  file.batches()
  expect(() => file[Symbol.asyncIterator]()).toThrow(TypeError)
  expect(() => file.batches()).toThrow('read once')
})
