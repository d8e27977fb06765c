/**
 * Small seeded random numbers (mulberry32): the same journal on every machine.
 *
 * @module
 */
export class Random {
  #state

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** A whole number from `least` to `most`. */
  between(least, most) {
    return least + (this.#next() % (most - least + 1))
  }

  /** @template T @param {readonly T[]} items @returns {T} */
  pick(items) {
    return items[this.#next() % items.length]
  }

  /** @param {number} count */
  bytes(count) {
    const bytes = Buffer.allocUnsafe(count)
    for (let index = 0; index < count; index += 1) bytes[index] = this.#next() & 0xff
    return bytes
  }

  /** Letters and digits. @param {number} length */
  token(length) {
    return this.bytes(length).toString('hex').slice(0, length)
  }

  #next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
