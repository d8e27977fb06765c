/**
 * A source of one very long line: its chunks are made as they are asked for, in one buffer that is
 * used again, as a producer may do.
 */

import { createHash } from 'node:crypto'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** `size` letters in chunks of `chunk`, then the newline. */
export class LongLine {
  #buffer
  #isText
  #count
  #next = 0

  constructor(source, size, chunk) {
    this.#isText = source === 'text'
    this.#buffer = letters(chunk)
    this.#count = size / chunk
  }

  [Symbol.asyncIterator]() {
    return this
  }

  next() {
    if (this.#next > this.#count) return Promise.resolve({ value: undefined, done: true })
    const last = this.#next === this.#count
    const bytes = last ? Buffer.from('\n') : numbered(this.#buffer, this.#next)
    this.#next += 1
    const value = this.#isText ? bytes.latin1Slice(0, bytes.length) : bytes
    return Promise.resolve({ value, done: false })
  }

  return() {
    this.#next = this.#count + 1
    return Promise.resolve({ value: undefined, done: true })
  }
}

/** The digest of the line that {@link LongLine} makes. */
export function longLineDigest(size, chunk) {
  const hash = createHash('sha1')
  const buffer = letters(chunk)
  for (let number = 0; number < size / chunk; number += 1) hash.update(numbered(buffer, number))
  return hash.digest('hex')
}

function letters(length) {
  return Buffer.from(LETTERS.repeat(Math.ceil(length / LETTERS.length)).slice(0, length))
}

/** Writes the number of the chunk at its start, so that chunks in a wrong order are noticed. */
function numbered(buffer, number) {
  buffer.latin1Write(String(number).padStart(8, '0'), 0)
  return buffer
}
