/**
 * Plays a script of calls and answers against an iterator and writes down, step by step, what the
 * source saw and what the caller got. Two implementations that behave alike leave the same record.
 *
 * Within a step the two lists are kept apart: which microtask comes first is nobody's business,
 * but what has happened when all is at rest is.
 */

import { settled } from './collect.js'

/**
 * @typedef {object} SourceStep - How the source answers one `next()`.
 * @property {'chunk' | 'wrong' | 'reject' | 'throw' | 'nonObject' | 'getter' | 'done'} kind
 * @property {'plain' | 'promise' | 'held'} when - `held` waits for the action `release`.
 * @property {string} [text] - What a chunk carries.
 */

/**
 * @typedef {object} Scenario
 * @property {SourceStep[]} steps
 * @property {'ok' | 'missing' | 'null' | 'number' | 'reject' | 'throw' | 'nonObject' | 'held'} closing
 * @property {Array<'next' | 'return' | 'returnRejected' | 'throw' | 'rest' | 'release'>} actions
 */

/** Errors are compared by identity: each has its own name in the record. */
const ERRORS = Object.fromEntries(
  ['next', 'getter', 'closing', 'throw', 'value'].map((name) => [name, new Error(name)]),
)

/**
 * @param {Scenario} scenario
 * @param {(source: object) => AsyncGenerator} open
 * @param {{ chunk: (text: string) => unknown, plain: (item: unknown) => unknown }} path
 */
export async function play({ steps, closing, actions }, open, { chunk, plain }) {
  const record = []
  const events = { source: [], outcomes: [] }
  const held = []
  const iterator = open(scriptedSource(steps, closing, chunk, events.source, held))
  const rest = async () => {
    await settled()
    record.push({ source: [...events.source], outcomes: [...events.outcomes] })
    events.source.length = 0
    events.outcomes.length = 0
  }
  // Whether a pull has come by now or comes a microtask later must not decide what is released.
  const release = async () => {
    await settled()
    held.shift()?.()
  }
  for (const [index, action] of actions.entries()) {
    if (action === 'rest') await rest()
    else if (action === 'release') await release()
    else watch(call(iterator, action, index), `${action} ${index}`, events.outcomes, plain)
  }
  await rest()
  while (held.length > 0) {
    await release()
    await rest()
  }
  return record
}

function call(iterator, action, index) {
  if (action === 'throw') return iterator.throw(ERRORS.throw)
  if (action === 'returnRejected') return iterator.return(rejected(ERRORS.value))
  if (action === 'return') return iterator.return(index)
  return iterator.next()
}

/** A rejected promise that may lie in a queue for a while without being called unhandled. */
function rejected(error) {
  const promise = Promise.reject(error)
  promise.catch(() => {})
  return promise
}

function watch(promise, name, outcomes, plain) {
  promise.then(
    ({ value, done }) => outcomes.push([name, done, done ? value : plain(value)]),
    (error) => outcomes.push([name, 'error', nameOf(error)]),
  )
}

function nameOf(error) {
  const known = Object.entries(ERRORS).find(([, value]) => value === error)
  if (known) return known[0]
  const isInterface = error.message.includes('mid-quantum')
  return isInterface ? error.message : error.name
}

function scriptedSource(steps, closing, chunk, log, held) {
  let index = 0
  let isAsked = false
  const iterator = {
    next() {
      log.push(isAsked ? 'next while asked' : 'next')
      isAsked = true
      const step = steps[index++] ?? { kind: 'done', when: 'plain' }
      return answer(step, chunk, held, () => {
        isAsked = false
      })
    },
  }
  if (closing === 'null') iterator.return = null
  else if (closing === 'number') iterator.return = 7
  else if (closing !== 'missing') iterator.return = () => close(closing, log, held)
  return {
    [Symbol.asyncIterator]() {
      log.push('open')
      return iterator
    },
  }
}

function answer({ kind, when, text }, chunk, held, onAnswer) {
  const make = () => {
    onAnswer()
    if (kind === 'reject' || kind === 'throw') throw ERRORS.next
    return resultOf(kind, text, chunk)
  }
  if (kind === 'throw') return make()
  if (when === 'held') return hold(held, make)
  if (when === 'promise' || kind === 'reject') return Promise.resolve().then(make)
  return make()
}

function resultOf(kind, text, chunk) {
  if (kind === 'nonObject') return 7
  if (kind === 'wrong') return { value: null, done: false }
  if (kind === 'done') return { value: 'ignored', done: true }
  if (kind === 'chunk') return { value: chunk(text), done: false }
  return {
    done: false,
    get value() {
      throw ERRORS.getter
    },
  }
}

function close(closing, log, held) {
  log.push('return')
  if (closing === 'throw') throw ERRORS.closing
  if (closing === 'reject') return Promise.reject(ERRORS.closing)
  if (closing === 'nonObject') return 7
  if (closing === 'held') return hold(held, () => ({}))
  return Promise.resolve({})
}

function hold(held, make) {
  return new Promise((resolve) => held.push(resolve)).then(make)
}
