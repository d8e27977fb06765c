import { describe, expect, it } from 'vitest'
import { paths } from '../support/paths.js'

/** Wraps `target` so that each property that is read of it lands in `log`. */
function watched(target, name, log) {
  return new Proxy(target, {
    get(object, key) {
      log.push(`${name}.${String(key)}`)
      const value = Reflect.get(object, key)
      return typeof value === 'function' ? value.bind(object) : value
    },
  })
}

/** What is read of a source and its results while `use` works with the iterator. */
async function lookups(open, chunks, use) {
  const log = []
  let index = 0
  const iterator = {
    async next() {
      const done = index >= chunks.length
      return watched({ value: chunks[index++], done }, 'result', log)
    },
    async return() {
      return watched({ value: undefined, done: true }, 'closed', log)
    },
  }
  const source = { [Symbol.asyncIterator]: () => watched(iterator, 'iterator', log) }
  await use(open(watched(source, 'source', log)))
  // A promise reads `then` of what it is resolved with, how often is the engine's affair.
  return log.filter((entry) => !entry.endsWith('.then'))
}

const USES = {
  'read to the end': async (iterator) => {
    for await (const _ of iterator);
  },
  'left after one item': async (iterator) => {
    for await (const _ of iterator) break
  },
  'closed before it began': async (iterator) => {
    await iterator.return()
  },
  'ended by throw()': async (iterator) => {
    await iterator.next()
    await iterator.throw('e').catch(() => {})
  },
}

describe.each(paths)('$name reads of the source what `for await` reads', (path) => {
  it.each(Object.entries(USES))('when it is %s', async (_name, use) => {
    expect(await lookups(path.open, path.chunks, use)).toEqual(
      await lookups(path.openOracle, path.chunks, use),
    )
  })
})
