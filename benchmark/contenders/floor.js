/**
 * `floor`: what `for await` itself costs. The lines are ready; a hand-written iterator only hands
 * them out.
 */

/** An async iterator over `count` lines, taken from `ready` in a circle. */
export class FloorLines {
  #ready
  #left
  #at = 0

  /**
   * @param {{ line: string, endPosition: number }[]} ready
   * @param {number} count
   */
  constructor(ready, count) {
    this.#ready = ready
    this.#left = count
  }

  [Symbol.asyncIterator]() {
    return this
  }

  next() {
    if (this.#left === 0) return Promise.resolve({ value: undefined, done: true })
    this.#left -= 1
    if (this.#at === this.#ready.length) this.#at = 0
    const value = this.#ready[this.#at]
    this.#at += 1
    return Promise.resolve({ value, done: false })
  }
}
