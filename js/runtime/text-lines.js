/**
 * Text to lines, in plain JavaScript: the lines are cut out of the chunks as they are, so that
 * lone surrogates and byte order marks stay, and native code could only copy them.
 *
 * A stage, as `js/stages.js` describes it.
 */

import { ChunkText } from './chunk-text.js'

export class TextLineStage {
  /** What has come of a line that goes on. Joined once, or long lines would take ages. */
  #parts = []
  #chunk = ''
  #from = 0
  #text = new ChunkText()

  take() {
    const end = this.#chunk.indexOf('\n', this.#from)
    if (end === -1) return undefined
    const piece = this.#chunk.slice(this.#from, end)
    this.#from = end + 1
    return this.#join(piece)
  }

  refill() {
    if (this.#from < this.#chunk.length) this.#parts.push(this.#chunk.slice(this.#from))
    this.#chunk = ''
    this.#from = 0
    return undefined
  }

  accept(chunk) {
    this.#chunk = this.#text.of(chunk)
  }

  /** The last line, if it has no newline. */
  finish() {
    const rest = this.#join(this.#text.end())
    return rest === '' ? undefined : rest
  }

  toPublicError(error) {
    return error
  }

  #join(piece) {
    if (this.#parts.length === 0) return piece
    const line = this.#parts.join('') + piece
    this.#parts = []
    return line
  }
}
