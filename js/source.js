/** The protocol between an iterator and its source, by the rules of `for await`. */

import { types } from 'node:util'
import { describe } from './describe.js'

const NEXT = 'what next() of the source gave'
const RETURN = 'what return() of the source gave'

/** The last result of a source of our own. */
export const DONE = { value: undefined, done: true }

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
  const { done } = asObject(result, NEXT)
  return done ? END : result.value
}

/** Closes a source that is left before its end. */
export async function closeSource(iterator) {
  const close = iterator.return
  if (close === undefined || close === null) return
  asObject(await Reflect.apply(close, iterator, []), RETURN)
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

/** An object as it is; anything else is an error that says what it was. */
export function asObject(value, what) {
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

  /** Gives the result itself where its value promises nothing: the caller awaits it anyway. */
  next() {
    const result = asObject(Reflect.apply(this.#next, this.#iterator, []), NEXT)
    const { done, value } = result
    return isPlain(value) ? { value, done } : settle(value, done)
  }

  return() {
    const close = this.#iterator.return
    if (close === undefined || close === null) return { value: undefined, done: true }
    const { done, value } = asObject(Reflect.apply(close, this.#iterator, []), RETURN)
    return settle(value, done)
  }
}

function isPlain(value) {
  return typeof value === 'string' || types.isUint8Array(value)
}

async function settle(value, done) {
  return { value: await value, done }
}
