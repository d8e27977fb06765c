import { describe, expect, it } from 'vitest'
import { collect, collectWithError, settled } from '../support/collect.js'
import { paths } from '../support/paths.js'
import { loggedSource, manualSource } from '../support/sources.js'

const DONE = { value: undefined, done: true }

describe.each(paths)('$name: calls that are not awaited', ({ open, chunks, items, plain }) => {
  it('5 next() at once are answered in order (case 11)', async () => {
    const source = loggedSource(chunks)
    const iterator = open(source)
    const order = []
    const calls = Array.from({ length: 5 }, (_, index) =>
      iterator.next().then((result) => {
        order.push(index)
        return result
      }),
    )
    const results = await Promise.all(calls)
    expect(results.slice(0, 3).map(({ value }) => plain(value))).toEqual(items)
    expect(results.slice(3)).toEqual([DONE, DONE])
    expect(order).toEqual([0, 1, 2, 3, 4])
    expect(source.log).toEqual(['open', 'next', 'next', 'next', 'next'])
  })

  it('never pull the source twice at once', async () => {
    let running = 0
    let most = 0
    async function pull(index) {
      running += 1
      most = Math.max(most, running)
      await settled()
      running -= 1
      return index < chunks.length ? { value: chunks[index], done: false } : DONE
    }
    let index = 0
    const iterator = open({ [Symbol.asyncIterator]: () => ({ next: () => pull(index++) }) })
    const results = await Promise.all(Array.from({ length: 5 }, () => iterator.next()))
    expect(results.slice(0, 3).map(({ value }) => plain(value))).toEqual(items)
    expect(most).toBe(1)
  })

  it('an error answers the call whose turn it is, the others find the end', async () => {
    const error = new Error('source')
    const source = loggedSource(chunks.slice(0, 1), { onEnd: () => Promise.reject(error) })
    const iterator = open(source)
    const calls = Array.from({ length: 4 }, () => iterator.next())
    const results = await Promise.allSettled(calls)
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(results[1].reason).toBe(error)
    expect(results.slice(2).map(({ value }) => value)).toEqual([DONE, DONE])
    expect(source.log).toEqual(['open', 'next', 'next'])
  })

  it('a next() from within the next() of the source queues', async () => {
    const inner = []
    const log = []
    let index = 0
    const source = {
      [Symbol.asyncIterator]: () => ({
        async next() {
          log.push('next')
          if (index < 2) inner.push(iterator.next())
          return index < chunks.length ? { value: chunks[index++], done: false } : DONE
        },
      }),
    }
    const iterator = open(source)
    const first = await iterator.next()
    expect(plain(first.value)).toEqual(items[0])
    await settled()
    const results = await Promise.all(inner)
    expect(results.map(({ value }) => plain(value))).toEqual(items.slice(1))
    expect(log).toEqual(['next', 'next', 'next'])
  })

  it('a return() from within the next() of the source queues', async () => {
    const inner = []
    const source = loggedSource(chunks)
    const next = source.iterator.next
    source.iterator.next = function () {
      inner.push(iterator.return('inner'))
      return next.call(this)
    }
    const iterator = open(source)
    expect(plain((await iterator.next()).value)).toEqual(items[0])
    expect(await inner[0]).toEqual({ value: 'inner', done: true })
    expect(source.log).toEqual(['open', 'next', 'return'])
  })

  it('1,000 next() at once are all answered', async () => {
    const source = loggedSource([chunks[0]])
    const iterator = open(source)
    const results = await Promise.all(Array.from({ length: 1000 }, () => iterator.next()))
    expect(results.filter(({ done }) => done).length).toBe(999)
    expect(source.log).toEqual(['open', 'next', 'next'])
  })

  it('a call behind return() finds the end even while closing takes long', async () => {
    const source = manualSource()
    const iterator = open(source)
    const calls = [iterator.next(), iterator.next(), iterator.return(1), iterator.throw('late')]
    const settledCalls = Promise.allSettled(calls)
    await settled()
    source.give(chunks[0])
    await settled()
    source.give(chunks[1])
    const results = await settledCalls
    expect(results.slice(0, 2).map(({ value }) => plain(value.value))).toEqual(items.slice(0, 2))
    expect(results[2].value).toEqual({ value: 1, done: true })
    expect(results[3].reason).toBe('late')
    expect(source.log).toEqual(['open', 'next', 'next', 'return'])
  })
})

describe.each(paths)('$name: other sources', ({ open, chunks, items, plain }) => {
  it('takes an array (case 11)', async () => {
    expect((await collect(open(chunks))).map(plain)).toEqual(items)
  })

  it('takes an array of promises', async () => {
    const promises = chunks.map((chunk) => Promise.resolve(chunk))
    expect((await collect(open(promises))).map(plain)).toEqual(items)
  })

  it('a rejected promise in an array is the error', async () => {
    const error = new Error('promise')
    const rejected = Promise.reject(error)
    rejected.catch(() => {})
    const result = await collectWithError(open([chunks[0], rejected, chunks[1]]))
    expect(result.items.map(plain)).toEqual([items[0]])
    expect(result.error).toBe(error)
  })

  it('takes a set and a generator, and closes the latter', async () => {
    expect((await collect(open(new Set(chunks)))).map(plain)).toEqual(items)
    let closed = 0
    function* source() {
      try {
        yield* chunks
      } finally {
        closed += 1
      }
    }
    for await (const _ of open(source())) break
    expect(closed).toBe(1)
  })

  it('prefers the async iterator of a source that has both', async () => {
    const source = loggedSource(chunks)
    source[Symbol.iterator] = () => {
      throw new Error('sync')
    }
    expect((await collect(open(source))).map(plain)).toEqual(items)
  })

  it('does not wait for a promise that an async source gives as a value', async () => {
    const result = await collectWithError(open(loggedSource([Promise.resolve(chunks[0])])))
    expect(result.items).toEqual([])
    expect(result.error).toBeInstanceOf(TypeError)
  })

  it('takes a web stream and a Node stream', async () => {
    const { Readable } = await import('node:stream')
    expect((await collect(open(Readable.from(chunks)))).map(plain)).toEqual(items)
    const stream = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
    expect((await collect(open(stream))).map(plain)).toEqual(items)
  })

  it('calls next() of the source on it and without arguments', async () => {
    const calls = []
    const { iterator: inner } = loggedSource(chunks)
    const opened = {
      next(...args) {
        calls.push([this === opened, args.length])
        return inner.next()
      },
    }
    const iterator = open({ [Symbol.asyncIterator]: () => opened })
    await iterator.next('argument')
    await iterator.next('argument')
    expect(calls).toEqual([
      [true, 0],
      [true, 0],
    ])
  })

  it('opens the source on itself', async () => {
    const source = loggedSource(chunks)
    const openSource = source[Symbol.asyncIterator]
    let receiver
    source[Symbol.asyncIterator] = function () {
      receiver = this
      return openSource()
    }
    await open(source).next()
    expect(receiver).toBe(source)
  })
})
