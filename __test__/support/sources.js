/** Sources that write down what is done to them. */

/**
 * An async iterable over `chunks` that logs `open`, `next` and `return`.
 *
 * @param {unknown[]} chunks
 * @param {object} [behaviour]
 * @param {() => unknown} [behaviour.onEnd] - Answers the `next()` behind the last chunk.
 * @param {() => unknown} [behaviour.onReturn] - Answers `return()`.
 * @param {string[]} [log]
 */
export function loggedSource(chunks, { onEnd, onReturn } = {}, log = []) {
  let index = 0
  const iterator = {
    next() {
      log.push('next')
      if (index < chunks.length) return Promise.resolve({ value: chunks[index++], done: false })
      return onEnd ? onEnd() : Promise.resolve({ value: undefined, done: true })
    },
    return() {
      log.push('return')
      return onReturn ? onReturn() : Promise.resolve({ value: undefined, done: true })
    },
  }
  return {
    log,
    iterator,
    [Symbol.asyncIterator]() {
      log.push('open')
      return iterator
    },
  }
}

/** A promise and the functions that settle it. */
export function deferred() {
  let resolve
  let reject
  const promise = new Promise((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/** A source whose every answer waits until the test gives it. */
export function manualSource(log = []) {
  const asked = []
  const source = {
    log,
    [Symbol.asyncIterator]() {
      log.push('open')
      return {
        next() {
          log.push('next')
          const answer = deferred()
          asked.push(answer)
          return answer.promise
        },
        return() {
          log.push('return')
          return Promise.resolve({ value: undefined, done: true })
        },
      }
    },
    give: (value) => asked.shift().resolve({ value, done: false }),
    end: () => asked.shift().resolve({ value: undefined, done: true }),
    fail: (error) => asked.shift().reject(error),
    get waiting() {
      return asked.length
    },
  }
  return source
}
