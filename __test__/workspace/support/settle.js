/** Helpers for promises, and the values that a provider may reject with. */

/** How `promise` ends, as a value that compares well. */
export function outcomeOf(promise) {
  return Promise.resolve(promise).then(
    (value) => ({ value }),
    (error) => ({ error }),
  )
}

/** What `promise` rejects with; a promise that resolves is an error here. */
export async function rejectionOf(promise) {
  const outcome = await outcomeOf(promise)
  if (!('error' in outcome)) throw new Error('it resolved')
  return outcome.error
}

/** Lets all that is ready run. */
export function turn() {
  return new Promise((resolve) => setImmediate(resolve))
}

/** A promise with its ends in hand. */
export function deferred() {
  const parts = {}
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }))
  return parts
}

/** What a provider may reject with: each has to come back as the same value. */
export const oddErrors = [
  ['an Error', new Error('of the provider')],
  ['an Error of a class', new (class ProviderError extends Error {})('of a class')],
  ['a frozen Error', Object.freeze(new TypeError('frozen'))],
  ['a DOMException', new DOMException('stopped', 'AbortError')],
  ['a string', 'text'],
  ['an empty string', ''],
  ['undefined', undefined],
  ['null', null],
  ['a number', 7],
  ['NaN', Number.NaN],
  ['a bigint', 2n ** 70n],
  ['a boolean', false],
  ['a symbol', Symbol('odd')],
  ['an object without prototype', Object.create(null)],
  ['a frozen object', Object.freeze({ code: 'X' })],
  ['a function', () => 'never called'],
  ['a proxy', new Proxy({}, {})],
  [
    'an object whose getters throw',
    new Proxy(
      {},
      {
        get: () => {
          throw new Error('trap')
        },
      },
    ),
  ],
]

/** A thenable that is no promise, and that settles on a later turn. */
export function foreignThenable(value) {
  return {
    // biome-ignore lint/suspicious/noThenProperty: a thenable is what this is.
    then(resolve) {
      setImmediate(resolve, value)
    },
  }
}
