import { describe, expect, it } from 'vitest'
import { collect, settled, utf8 } from '../support/collect.js'
import { linePaths, paths } from '../support/paths.js'
import { loggedSource, manualSource } from '../support/sources.js'
import { toJournalLineBatches } from '../support/subject.js'

describe.each(paths)('$name is lazy', ({ open, chunks, items, plain, incomplete }) => {
  it('touches nothing before the first next()', async () => {
    const log = []
    const source = {
      get [Symbol.asyncIterator]() {
        log.push('get')
        return () => loggedSource(chunks)[Symbol.asyncIterator]()
      },
    }
    const iterator = open(source)
    iterator[Symbol.asyncIterator]()
    await settled()
    expect(log).toEqual([])
    await iterator.next()
    expect(log).toEqual(['get'])
  })

  it('opens the source and asks it during the first next(), not later', () => {
    const source = loggedSource(chunks)
    open(source).next()
    expect(source.log).toEqual(['open', 'next'])
  })

  it('pulls once for each item, and not while one waits', async () => {
    const source = loggedSource(chunks)
    const iterator = open(source)
    for (let count = 1; count <= chunks.length; count += 1) {
      expect(plain((await iterator.next()).value)).toEqual(items[count - 1])
      await settled()
      expect(source.log.filter((event) => event === 'next').length).toBe(count)
    }
  })

  it('delivers an item as soon as it has arrived', async () => {
    const source = manualSource()
    const iterator = open(source)
    for (const [index, chunk] of chunks.entries()) {
      const outcome = iterator.next()
      await settled()
      expect(source.waiting).toBe(1)
      source.give(chunk)
      expect(plain((await outcome).value)).toEqual(items[index])
      expect(source.waiting).toBe(0)
    }
  })

  it('pulls on for a chunk that completes nothing', async () => {
    const source = manualSource()
    const outcome = open(source).next()
    await settled()
    source.give(incomplete)
    await settled()
    expect(source.log).toEqual(['open', 'next', 'next'])
    source.end()
    // A base64 group that never ends is an error, anything else just the end.
    const ended = await outcome.then(
      ({ done }) => done,
      (error) => error.message.includes('mid-quantum'),
    )
    expect(ended).toBe(true)
  })

  it('looks up the next method of the source once', async () => {
    let reads = 0
    const { iterator } = loggedSource(chunks)
    const source = {
      [Symbol.asyncIterator]: () => ({
        get next() {
          reads += 1
          return () => iterator.next()
        },
      }),
    }
    expect((await collect(open(source))).map(plain)).toEqual(items)
    expect(reads).toBe(1)
  })
})

describe.each(linePaths)('$name with many lines in a chunk', ({ open, chunk }) => {
  it('is not pulled before the last of them is taken', async () => {
    const texts = ['a\nb\n\n\n  ', '  \n+\n']
    const source = loggedSource(texts.map(chunk))
    const iterator = open(source)
    for (const [line, pulls] of [
      ['a', 1],
      ['b', 1],
      ['', 1],
      ['', 1],
      ['    ', 2],
      ['+', 2],
    ]) {
      expect((await iterator.next()).value.line).toBe(line)
      await settled()
      expect(source.log.filter((event) => event === 'next').length).toBe(pulls)
    }
    expect((await iterator.next()).done).toBe(true)
  })

  it('is not pulled while any of 3 MB of lines waits', async () => {
    const text = `${'0123456789 é 0123456789 01234\n'.repeat(100_000)}`
    const source = loggedSource([chunk(text.slice(0, 30 * 99_000)), chunk('+\n1')])
    const iterator = open(source)
    let count = 0
    for (; count < 99_000; count += 1) {
      const { value } = await iterator.next()
      if (value.line.length !== 29) throw new Error(`line ${count}: ${value.line}`)
      if (source.log.length !== 2) throw new Error(`pulled at line ${count}`)
    }
    expect((await iterator.next()).value.line).toBe('+')
    expect(source.log).toEqual(['open', 'next', 'next'])
  })
})

describe('toJournalLineBatches', () => {
  it('is not pulled while lines of a chunk wait', async () => {
    const line = `${'x'.repeat(99)}\n`
    const source = loggedSource([utf8(line.repeat(10_000)), utf8('end\n')])
    let count = 0
    for await (const batch of toJournalLineBatches(source, 0)) {
      count += batch.length
      const isLast = batch.at(-1).line === 'end'
      expect(source.log.length).toBe(isLast ? 3 : 2)
    }
    expect(count).toBe(10_001)
  })
})
