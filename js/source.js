/** The protocol between an iterator and its source, by the rules of `for await`. */

import { describe } from './describe.js'

/** What {@link readResult} gives at the end of a source. */
export const END = Symbol('end')

/** Opens a source. One that is only a plain iterable gives its values, or what they promise. */
export function openSource(source) {
  const openAsync = source?.[Symbol.asyncIterator]
  if (openAsync !== undefined && openAsync !== null) {
    return asObject(Reflect.apply(openAsync, source, []), 'the async iterator of the source')
  }
  const open = source?.[Symbol.iterator]
  if (typeof open !== 'function') {
    throw new TypeError(`journal: the source must be iterable, and this is ${describe(source)}`)
  }
  const iterator = asObject(Reflect.apply(open, source, []), 'the iterator of the source')
  return new SyncSource(iterator)
}

/** The chunk in a result of `next()`, or {@link END}. */
export function readResult(result) {
  const { done } = asObject(result, 'what next() of the source gave')
  return done ? END : result.value
}

/** Closes a source that is left before its end. */
export async function closeSource(iterator) {
  const close = iterator.return
  if (close === undefined || close === null) return
  asObject(await Reflect.apply(close, iterator, []), 'what return() of the source gave')
}

/** Closes a source because of an error, which counts for more than what happens here. */
export async function closeQuietly(iterator) {
  try {
    const close = iterator.return
    if (close !== undefined && close !== null) await Reflect.apply(close, iterator, [])
  } catch {
    // The caller has the first error.
  }
}

function asObject(value, what) {
  if (typeof value === 'object' && value !== null) return value
  if (typeof value === 'function') return value
  throw new TypeError(`journal: ${what} must be an object, and this is ${describe(value)}`)
}

class SyncSource {
  #iterator
  #next

  constructor(iterator) {
    this.#iterator = iterator
    this.#next = iterator.next
  }

  async next() {
    return settle(Reflect.apply(this.#next, this.#iterator, []), 'next()')
  }

  async return() {
    const close = this.#iterator.return
    if (close === undefined || close === null) return { value: undefined, done: true }
    return settle(Reflect.apply(close, this.#iterator, []), 'return()')
  }
}

async function settle(result, method) {
  const { done, value } = asObject(result, `what ${method} of the source gave`)
  return { value: await value, done: Boolean(done) }
}
