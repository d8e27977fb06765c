import { timerDelay } from '../timer-delay.js'

/**
 * A stretch of time in which to wait. It ends when its time is over or its signal aborts, and each
 * wait in it ends with it, also for a promise that never settles.
 *
 * One wait at a time. A promise that outlives the span holds only its own last wait: nothing is
 * raced against one long-lived promise, which would gather a reaction for each round.
 */
export class Span {
  isOver = false
  #signal
  #timer
  #wake = () => undefined
  #onAbort = () => this.#finish()

  /**
   * @param {number} ms - Not more than 0: over at once. `Infinity`: as long as a timer can.
   * @param {AbortSignal} [signal]
   */
  constructor(ms, signal) {
    this.#signal = signal
    if (signal?.aborted) this.#finish()
    else if (ms > 0) this.#begin(ms)
    else this.#finish()
  }

  /**
   * What `work` resolves to, or `undefined` when the span ends first. Not started in a span that is
   * over.
   *
   * @template T
   * @param {() => Promise<T>} work - Its promise must not reject.
   * @returns {Promise<T | undefined>}
   */
  async within(work) {
    if (this.isOver) return undefined
    const promise = work()
    return new Promise((resolve) => {
      this.#wake = () => resolve(undefined)
      // The work itself may have ended the span.
      if (this.isOver) this.#wake()
      promise.then(resolve)
    })
  }

  /** Waits, for as long as the span lasts. At least one turn of the timers, however short. */
  async sleep(ms) {
    let timer
    await this.within(
      () =>
        new Promise((resolve) => {
          timer = setTimeout(resolve, timerDelay(ms))
        }),
    )
    clearTimeout(timer)
  }

  /** Leaves no timer and no listener behind. */
  close() {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }

  #begin(ms) {
    this.#signal?.addEventListener('abort', this.#onAbort)
    this.#timer = setTimeout(() => this.#finish(), timerDelay(ms))
  }

  #finish() {
    this.isOver = true
    this.close()
    this.#wake()
  }
}
