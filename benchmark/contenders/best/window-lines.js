/**
 * The iterator all of `best` is built on: lines are slices of one string per window.
 *
 * It knows nothing of the source. A subclass takes chunks (`accept`) and fills one window of
 * complete lines at a time (`fillWindow`) by setting:
 *
 * - `text` and `at`: complete lines with their newlines, and where the next one starts; a window
 *   that completes none leaves both as they are;
 * - `bytes`, `byteAt`: the same window in UTF-8, or `bytes = null` when all of it is ASCII and
 *   offsets in the string are offsets in the file;
 * - `base`: where offset 0 of the window lies in the file.
 *
 * Left out for speed, and so to be kept in mind when comparing: several `next()` at once, bad
 * base64, checks of the chunks.
 */

const NEWLINE = 0x0a
const BYTE_ORDER_MARK = 0xfeff
const DONE = Object.freeze({ value: undefined, done: true })

export class WindowLines {
  text = ''
  at = 0
  bytes = null
  byteAt = 0
  base

  #source
  #takeChunk

  /**
   * @param {AsyncIterable<string | Uint8Array>} source
   * @param {number} startPosition
   */
  constructor(source, startPosition) {
    this.base = startPosition
    this.#source = source[Symbol.asyncIterator]()
    this.#takeChunk = (result) => this.#afterChunk(result)
  }

  [Symbol.asyncIterator]() {
    return this
  }

  next() {
    if (this.at < this.text.length || this.#nextWindow()) {
      return Promise.resolve({ value: this.#takeLine(), done: false })
    }
    // One `then` for the common case that the next chunk completes a line.
    return this.#source.next().then(this.#takeChunk)
  }

  async return(value) {
    this.at = this.text.length
    this.fillWindow = () => false
    await this.#source.return?.()
    return { value, done: true }
  }

  #nextWindow() {
    while (this.fillWindow()) {
      if (this.at < this.text.length) return true
    }
    return false
  }

  #takeLine() {
    const { text, at } = this
    const end = text.indexOf('\n', at)
    this.at = end + 1
    if (this.bytes === null) return { line: text.slice(at, end), endPosition: this.base + end + 1 }
    this.byteAt = this.bytes.indexOf(NEWLINE, this.byteAt) + 1
    const from = text.charCodeAt(at) === BYTE_ORDER_MARK ? at + 1 : at
    return { line: text.slice(from, end), endPosition: this.base + this.byteAt }
  }

  #afterChunk({ value, done }) {
    if (done) return this.#end()
    this.accept(value)
    if (this.#nextWindow()) return { value: this.#takeLine(), done: false }
    return this.#pullOn()
  }

  /** A loop, not one promise inside the other: a long line may come in thousands of chunks. */
  async #pullOn() {
    for (;;) {
      const { value, done } = await this.#source.next()
      if (done) return this.#end()
      this.accept(value)
      if (this.#nextWindow()) return { value: this.#takeLine(), done: false }
    }
  }

  #end() {
    this.finish()
    return DONE
  }

  /** Subclasses that can end too early throw here. */
  finish() {}
}
