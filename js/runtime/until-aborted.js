/**
 * What a promise comes to, or `undefined` when the signal aborts first: for what a sandbox may never
 * answer, and nobody needs the answer of once the signal has aborted. A late rejection is nobody's.
 *
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} [signal]
 * @returns {Promise<T | undefined>}
 */
export function untilAborted(promise, signal) {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve(undefined)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    promise.finally(() => signal.removeEventListener('abort', onAbort)).then(resolve, reject)
  })
}
