import { describe, expect, it } from 'vitest'
import { collectWithError } from '../support/collect.js'
import { paths } from '../support/paths.js'
import { loggedSource } from '../support/sources.js'

const DONE = { value: undefined, done: true }
const ERRORS = [
  ['an Error', new Error('source')],
  ['a frozen object', Object.freeze({ frozen: true })],
  ['an object without prototype', Object.create(null)],
  ['a string', 'text'],
  ['undefined', undefined],
  ['null', null],
  ['a symbol', Symbol('error')],
  ['a function', () => {}],
]

/** Asserts that `source` ends with the very `error` behind `count` items, and isn't closed. */
async function expectError({ open, items, plain }, source, error, count = 1) {
  const iterator = open(source)
  const seen = []
  let caught
  try {
    for await (const item of iterator) seen.push(plain(item))
  } catch (reason) {
    caught = [reason]
  }
  expect(seen).toEqual(items.slice(0, count))
  expect(caught?.length).toBe(1)
  expect(Object.is(caught[0], error)).toBe(true)
  expect(await iterator.next()).toEqual(DONE)
  expect(await iterator.return('r')).toEqual({ value: 'r', done: true })
  expect(source.log).not.toContain('return')
}

describe.each(paths)('$name: errors of the source', (path) => {
  const { open, chunks, items, plain } = path

  it.each(ERRORS)('%s that next() rejects with arrives as it is', async (_name, error) => {
    const onEnd = () => Promise.reject(error)
    await expectError(path, loggedSource(chunks.slice(0, 2), { onEnd }), error, 2)
  })

  it.each(ERRORS)('%s that next() throws arrives as it is', async (_name, error) => {
    const onEnd = () => {
      throw error
    }
    await expectError(path, loggedSource(chunks.slice(0, 1), { onEnd }), error)
  })

  it('of a generator, which then is done', async () => {
    const error = new Error('generator')
    async function* source() {
      yield chunks[0]
      throw error
    }
    const result = await collectWithError(open(source()))
    expect(result.items.map(plain)).toEqual([items[0]])
    expect(result.error).toBe(error)
  })

  it.each([[undefined], [null], [7], ['text'], [Symbol('s')]])(
    'next() that gives %s is a TypeError',
    async (value) => {
      const source = loggedSource(chunks.slice(0, 1), { onEnd: () => value })
      const iterator = open(source)
      await iterator.next()
      await expect(iterator.next()).rejects.toBeInstanceOf(TypeError)
      expect(await iterator.next()).toEqual(DONE)
      expect(source.log).toEqual(['open', 'next', 'next'])
    },
  )

  it.each(['done', 'value'])('a getter of %s that throws', async (property) => {
    const error = new Error('getter')
    const result = { value: chunks[1], done: false }
    Object.defineProperty(result, property, {
      get() {
        throw error
      },
    })
    await expectError(path, loggedSource(chunks.slice(0, 1), { onEnd: () => result }), error)
  })

  it('does not read the value of a result that is done', async () => {
    const result = {
      done: 'yes',
      get value() {
        throw new Error('read')
      },
    }
    const source = loggedSource(chunks, { onEnd: () => result })
    expect((await collectWithError(open(source))).error).toBe(undefined)
  })

  it('takes any thenable from next()', async () => {
    let index = 0
    const next = () => ({
      // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested.
      then(resolve) {
        resolve({ value: chunks[index], done: index++ >= chunks.length })
      },
    })
    const result = await collectWithError(open({ [Symbol.asyncIterator]: () => ({ next }) }))
    expect(result.items.map(plain)).toEqual(items)
  })

  it('a next() that is no function is a TypeError', async () => {
    for (const next of [undefined, null, 7, {}]) {
      const iterator = open({ [Symbol.asyncIterator]: () => ({ next }) })
      await expect(iterator.next()).rejects.toBeInstanceOf(TypeError)
      expect(await iterator.next()).toEqual(DONE)
    }
  })

  it.each([
    ['throws', true],
    ['is a getter that throws', false],
  ])('[Symbol.asyncIterator] %s', async (_name, isMethod) => {
    const error = new Error('open')
    const fail = () => {
      throw error
    }
    const descriptor = isMethod ? { value: fail } : { get: fail }
    const iterator = open(Object.defineProperty({}, Symbol.asyncIterator, descriptor))
    await expect(iterator.next()).rejects.toBe(error)
    expect(await iterator.next()).toEqual(DONE)
  })

  it('[Symbol.asyncIterator] that gives no object is a TypeError', async () => {
    for (const value of [undefined, null, 7, 'text']) {
      const iterator = open({ [Symbol.asyncIterator]: () => value })
      await expect(iterator.next()).rejects.toBeInstanceOf(TypeError)
    }
  })

  it.each([
    [undefined],
    [null],
    [7],
    [Symbol('s')],
    [{}],
    [() => {}],
    [{ [Symbol.asyncIterator]: 7 }],
    [{ [Symbol.iterator]: 7 }],
  ])('a source that cannot be iterated (%s) is a TypeError of next()', async (source) => {
    const iterator = open(source)
    await expect(iterator.next()).rejects.toBeInstanceOf(TypeError)
    expect(await iterator.next()).toEqual(DONE)
  })
})
