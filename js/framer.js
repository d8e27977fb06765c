/** The framing without streams. What it does is said in `index.d.ts`. */

import { hasMore, readBatch } from './batch.js'
import { Base64Codec, BytesCodec, newNative, TextCodec } from './codecs.js'
import { describe } from './describe.js'
import { toPublicError } from './errors.js'

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
    return this.#native.pendingBytes()
  }

  push(chunk) {
    if (typeof chunk === 'string') return this.#read(this.#text, chunk)
    // A half of a character that text ended with can't be completed by bytes.
    return this.#read(this.#bytes, chunk, true)
  }

  pushBase64(text) {
    return this.#read(this.#base64, text, true)
  }

  finish() {
    if (this.#finished) return
    this.#finished = true
    try {
      this.#native.flushText(true)
      this.#native.finishBase64()
    } catch (error) {
      throw toPublicError(error, this.#position)
    }
  }

  #read(codec, chunk, textEnds = false) {
    if (this.#finished) throw new TypeError('journal: the framer is finished')
    const lines = []
    let position = this.#position
    let begun = false
    try {
      codec.begin(chunk)
      begun = true
      if (textEnds && codec.length > 0) this.#native.flushText(true)
      while (codec.at < codec.length) {
        let text = codec.toLines()
        while (text !== undefined) {
          position = readBatch(text, position, lines)
          text = hasMore() ? this.#native.nextLines() : undefined
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
