import { describe, expect, it } from 'vitest'
import { settled } from '../support/collect.js'
import { paths } from '../support/paths.js'
import { loggedSource } from '../support/sources.js'

describe.each(paths)('$name: the result', ({ open, chunks, items, plain }) => {
  it('is its own iterator, and has the methods of an async generator', () => {
    const iterator = open(loggedSource(chunks))
    expect(iterator[Symbol.asyncIterator]()).toBe(iterator)
    for (const method of ['next', 'return', 'throw']) {
      expect(typeof iterator[method]).toBe('function')
    }
    expect(iterator[Symbol.iterator]).toBe(undefined)
  })

  it('is not a thenable: it can be returned from an async function', async () => {
    const iterator = open(loggedSource(chunks))
    expect(await iterator).toBe(iterator)
  })

  it('gives promises, and plain results of two properties', async () => {
    const iterator = open(loggedSource(chunks.slice(0, 1)))
    const promise = iterator.next()
    expect(promise).toBeInstanceOf(Promise)
    const result = await promise
    expect(Object.keys(result).sort()).toEqual(['done', 'value'])
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect(plain(result.value)).toEqual(items[0])
    expect(result.done).toBe(false)
    expect(await iterator.next()).toStrictEqual({ value: undefined, done: true })
    expect(await iterator.next()).toStrictEqual({ value: undefined, done: true })
    expect(iterator.return()).toBeInstanceOf(Promise)
    expect(iterator.throw(1).catch(() => {})).toBeInstanceOf(Promise)
  })

  it('gives a new result object each time', async () => {
    const iterator = open(loggedSource(chunks))
    const first = await iterator.next()
    const copy = { ...first }
    const second = await iterator.next()
    expect(second).not.toBe(first)
    expect(first).toEqual(copy)
    const [last, again] = [await iterator.return(), await iterator.next()]
    last.done = false
    expect(again.done).toBe(true)
    expect((await iterator.next()).done).toBe(true)
  })

  it('rejects, and does not throw, when a method is called on another object', async () => {
    const iterator = open(loggedSource(chunks))
    for (const method of ['next', 'return', 'throw']) {
      for (const other of [{}, undefined, null, 7]) {
        const outcome = Promise.resolve(iterator[method].call(other))
        await expect(outcome).rejects.toBeInstanceOf(TypeError)
      }
    }
    expect((await iterator.next()).done).toBe(false)
  })

  it.runIf(Symbol.asyncDispose)('closes by Symbol.asyncDispose', async () => {
    const source = loggedSource(chunks)
    const iterator = open(source)
    await iterator.next()
    expect(await iterator[Symbol.asyncDispose]()).toBe(undefined)
    expect(source.log).toEqual(['open', 'next', 'return'])
    expect(await iterator.next()).toEqual({ value: undefined, done: true })
    await iterator[Symbol.asyncDispose]()
    expect(source.log).toEqual(['open', 'next', 'return'])
  })

  it('does nothing when it is never iterated (case 11)', async () => {
    const source = loggedSource(chunks)
    open(source)
    await settled()
    expect(source.log).toEqual([])
  })
})
