import { describe, expect, it } from 'vitest'
import { settled } from '../support/collect.js'
import { paths } from '../support/paths.js'
import { deferred, loggedSource, manualSource } from '../support/sources.js'

const DONE = { value: undefined, done: true }

describe.each(paths)('$name: closing', ({ open, chunks, items, plain }) => {
  it('return() before the first next() touches nothing', async () => {
    const source = loggedSource(chunks)
    const iterator = open(source)
    expect(await iterator.return(5)).toEqual({ value: 5, done: true })
    expect(await iterator.next()).toEqual(DONE)
    expect(source.log).toEqual([])
  })

  it('throw() before the first next() touches nothing', async () => {
    const source = loggedSource(chunks)
    const iterator = open(source)
    const error = new Error('before')
    await expect(iterator.throw(error)).rejects.toBe(error)
    expect(await iterator.next()).toEqual(DONE)
    expect(source.log).toEqual([])
  })

  it('return() closes the source once and waits for it', async () => {
    const closed = deferred()
    const source = loggedSource(chunks, { onReturn: () => closed.promise })
    const iterator = open(source)
    await iterator.next()
    let outcome
    const returning = iterator.return('value').then((result) => (outcome = result))
    await settled()
    expect(source.log).toEqual(['open', 'next', 'return'])
    expect(outcome).toBe(undefined)
    closed.resolve({})
    await returning
    expect(outcome).toEqual({ value: 'value', done: true })
    expect(await iterator.next()).toEqual(DONE)
    expect(await iterator.return(7)).toEqual({ value: 7, done: true })
    expect(source.log).toEqual(['open', 'next', 'return'])
  })

  it('throw(e) closes the source, waits for it and rejects with e', async () => {
    for (const error of [new Error('mine'), 'text', undefined, Object.freeze({})]) {
      const closed = deferred()
      const source = loggedSource(chunks, { onReturn: () => closed.promise })
      const iterator = open(source)
      await iterator.next()
      const outcomes = []
      const throwing = iterator.throw(error).then(
        () => outcomes.push('no error'),
        (reason) => outcomes.push(reason),
      )
      await settled()
      expect(outcomes).toEqual([])
      expect(source.log).toEqual(['open', 'next', 'return'])
      closed.resolve({})
      await throwing
      expect(outcomes.length).toBe(1)
      expect(outcomes[0]).toBe(error)
      expect(await iterator.next()).toEqual(DONE)
      expect(source.log).toEqual(['open', 'next', 'return'])
    }
  })

  it('break closes the source once and waits for it', async () => {
    const source = loggedSource(chunks, {
      onReturn: async () => {
        await settled()
        source.log.push('closed')
        return {}
      },
    })
    const iterator = open(source)
    for await (const item of iterator) {
      expect(plain(item)).toEqual(items[0])
      break
    }
    expect(source.log).toEqual(['open', 'next', 'return', 'closed'])
    expect(await iterator.next()).toEqual(DONE)
  })

  it('an error in the body closes the source and goes on to the caller', async () => {
    const source = loggedSource(chunks)
    const error = new Error('body')
    const loop = async () => {
      for await (const _ of open(source)) throw error
    }
    await expect(loop()).rejects.toBe(error)
    expect(source.log).toEqual(['open', 'next', 'return'])
  })

  it('an end of the source is not followed by return()', async () => {
    const source = loggedSource([])
    const iterator = open(source)
    expect(await iterator.next()).toEqual(DONE)
    expect(await iterator.return()).toEqual(DONE)
    await expect(iterator.throw('late')).rejects.toBe('late')
    expect(source.log).toEqual(['open', 'next'])
  })

  it('a source without return(), or with null for it, is just left', async () => {
    for (const value of [undefined, null]) {
      const { iterator: inner } = loggedSource(chunks)
      const source = { [Symbol.asyncIterator]: () => ({ next: inner.next, return: value }) }
      const iterator = open(source)
      await iterator.next()
      expect(await iterator.return(1)).toEqual({ value: 1, done: true })
      expect(await iterator.next()).toEqual(DONE)
    }
  })

  it('an error of the source in return() is the outcome', async () => {
    for (const error of [new Error('close'), 'text', undefined, Object.freeze({})]) {
      const failures = [
        () => Promise.reject(error),
        () => {
          throw error
        },
      ]
      for (const onReturn of failures) {
        const iterator = open(loggedSource(chunks, { onReturn }))
        await iterator.next()
        const outcome = await iterator.return().catch((reason) => [reason])
        expect(outcome.length).toBe(1)
        expect(outcome[0]).toBe(error)
        expect(await iterator.next()).toEqual(DONE)
      }
    }
  })

  it('an error of the source in return() does not hide that of throw()', async () => {
    const onReturn = () => Promise.reject(new Error('close'))
    const iterator = open(loggedSource(chunks, { onReturn }))
    await iterator.next()
    await expect(iterator.throw('mine')).rejects.toBe('mine')
  })

  it('return() of the source must give an object, and be a function', async () => {
    for (const onReturn of [() => 7, () => undefined, async () => null]) {
      const iterator = open(loggedSource(chunks, { onReturn }))
      await iterator.next()
      await expect(iterator.return()).rejects.toBeInstanceOf(TypeError)
      expect(await iterator.next()).toEqual(DONE)
    }
    const { iterator: inner } = loggedSource(chunks)
    const source = { [Symbol.asyncIterator]: () => ({ next: inner.next, return: 7 }) }
    const iterator = open(source)
    await iterator.next()
    await expect(iterator.return()).rejects.toBeInstanceOf(TypeError)
  })

  it('calls return() of the source on it and without arguments', async () => {
    const calls = []
    const { iterator: inner } = loggedSource(chunks)
    const opened = {
      next: inner.next,
      return(...args) {
        calls.push([this === opened, args.length])
        return {}
      },
    }
    const iterator = open({ [Symbol.asyncIterator]: () => opened })
    await iterator.next()
    await iterator.return('value')
    expect(calls).toEqual([[true, 0]])
  })

  it('return() behind a pending next() waits for its turn', async () => {
    const source = manualSource()
    const iterator = open(source)
    const order = []
    const first = iterator.next().then((result) => order.push(['next', result.done]))
    const second = iterator.return('bye').then((result) => order.push(['return', result]))
    const third = iterator.next().then((result) => order.push(['next', result.done]))
    await settled()
    expect(source.log).toEqual(['open', 'next'])
    expect(order).toEqual([])
    source.give(chunks[0])
    await Promise.all([first, second, third])
    expect(order).toEqual([
      ['next', false],
      ['return', { value: 'bye', done: true }],
      ['next', true],
    ])
    expect(source.log).toEqual(['open', 'next', 'return'])
  })

  it('return(promise) waits for the value', async () => {
    const iterator = open(loggedSource(chunks))
    await iterator.next()
    expect(await iterator.return(Promise.resolve(5))).toEqual({ value: 5, done: true })
    expect(await iterator.return(Promise.resolve(6))).toEqual({ value: 6, done: true })
    await expect(iterator.return(Promise.reject('no'))).rejects.toBe('no')
  })
})
