/**
 * What ends a wait of a journal reader before its time: the caller's signal, or a journal that
 * gives no first byte.
 *
 * 1. Each wait has a promise of its own, so that nothing piles up on a promise that lives as long as
 *    the read does.
 * 2. After {@link ReadWatch.stop} no timer and no listener is left.
 */

import { timerDelay } from '../timer-delay.js'

/** What a wait gives that the signal has ended. */
export const ABORTED = Symbol('aborted')

export class ReadWatch {
  #signal
  #onAbort
  #abort = () => this.#end(ABORTED)
  #stallTimer
  #sleepTimer
  /** Settles the wait under way. */
  #resolve
  #reject
  /** Why no further wait begins: {@link ABORTED}, or the error of a stall. */
  #outcome

  /**
   * @param {object} options
   * @param {AbortSignal} [options.signal]
   * @param {number} options.firstByteTimeoutMs - 0, less, and what is not finite: no limit.
   * @param {() => Error} options.createStallError
   * @param {() => void} options.onAbort - Called during the abort.
   */
  constructor({ signal, firstByteTimeoutMs, createStallError, onAbort }) {
    this.#signal = signal
    this.#onAbort = onAbort
    if (signal?.aborted) {
      this.#outcome = ABORTED
      return
    }
    signal?.addEventListener('abort', this.#abort)
    if (Number.isFinite(firstByteTimeoutMs) && firstByteTimeoutMs > 0) {
      const stall = () => this.#end(createStallError())
      this.#stallTimer = setTimeout(stall, timerDelay(firstByteTimeoutMs))
    }
  }

  get isAborted() {
    return this.#outcome === ABORTED
  }

  /** Whether an abort or a stall has ended the read. */
  get hasEnded() {
    return this.#outcome !== undefined
  }

  /** The journal gives bytes: from now on it may be silent for as long as it likes. */
  sawByte() {
    clearTimeout(this.#stallTimer)
  }

  /** What `promise` comes to, or {@link ABORTED}. Rejects when the journal has stalled. */
  wait(promise) {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      if (this.#outcome !== undefined) this.#settle()
      promise.then(resolve, reject)
    })
  }

  sleep(ms) {
    const elapsed = new Promise((resolve) => {
      this.#sleepTimer = setTimeout(resolve, timerDelay(ms))
    })
    return this.wait(elapsed)
  }

  stop() {
    this.#signal?.removeEventListener('abort', this.#abort)
    clearTimeout(this.#stallTimer)
    clearTimeout(this.#sleepTimer)
  }

  #end(outcome) {
    this.#outcome ??= outcome
    this.stop()
    this.#settle()
    if (outcome === ABORTED) this.#onAbort()
  }

  #settle() {
    if (this.#outcome === ABORTED) this.#resolve?.(ABORTED)
    else this.#reject?.(this.#outcome)
  }
}
