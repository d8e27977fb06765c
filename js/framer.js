/** The framing without streams. What it does is said in `index.d.ts`. */

import { hasMore, readBatch } from './batch.js'
import { Base64Codec, BytesCodec, newNative, TextCodec } from './codecs.js'
import { describe } from './describe.js'
import { toPublicError } from './errors.js'
import { binding } from './load.js'

const { finishBase64, nextLines, pendingBytes } = binding

export class JournalFramer {
  #native = newNative()
  #bytes = new BytesCodec(this.#native)
  #text = new TextCodec(this.#native)
  #base64 = new Base64Codec(this.#native)
  #position
  #finished = false

  constructor(startPosition = 0) {
    if (typeof startPosition !== 'number') {
      throw new TypeError(
        `journal: the start position must be a number, and this is ${describe(startPosition)}`,
      )
    }
    this.#position = startPosition
  }

  get position() {
    return this.#position
  }

  get pendingBytes() {
    return pendingBytes(this.#native)
  }

  push(chunk) {
    return this.#read(typeof chunk === 'string' ? this.#text : this.#bytes, chunk)
  }

  pushBase64(text) {
    return this.#read(this.#base64, text)
  }

  finish() {
    if (this.#finished) return
    this.#finished = true
    try {
      finishBase64(this.#native)
    } catch (error) {
      throw toPublicError(error, this.#position)
    }
  }

  #read(codec, chunk) {
    if (this.#finished) throw new TypeError('journal: the framer is finished')
    const lines = []
    let position = this.#position
    let begun = false
    try {
      const completes = codec.begin(chunk)
      begun = true
      if (completes && codec !== this.#text) this.#text.flushToLines()
      while (codec.at < codec.length) {
        let text = codec.toLines()
        while (text !== undefined) {
          position = readBatch(text, position, lines, lines.length)
          text = hasMore() ? nextLines(this.#native) : undefined
        }
      }
    } catch (error) {
      // The lines of this chunk are not delivered, so none may follow, and the position stays.
      if (begun) this.#finished = true
      throw toPublicError(error, position)
    }
    this.#position = position
    return lines
  }
}
