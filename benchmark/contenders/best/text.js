/**
 * `best` over text chunks: the chunk itself is the window, and no bytes are made for the lines.
 *
 * Only a window that isn't ASCII is encoded, into a buffer that is used again, to learn where its
 * lines end in the file.
 */

import { WindowLines } from './window-lines.js'

const SMALL_UNITS = 1024
const MAX_BYTES_PER_UNIT = 3
const REPLACEMENT = Buffer.from('\ufffd')

export class TextChunkLines extends WindowLines {
  #carry = ''
  #chunk = ''
  #windowBytes = 0
  #scratch = Buffer.allocUnsafeSlow(1 << 18)
  #wasAscii = true

  accept(chunk) {
    this.#chunk = chunk
  }

  fillWindow() {
    const chunk = this.#chunk
    if (chunk === '') return false
    const end = chunk.lastIndexOf('\n') + 1
    if (end === 0) {
      this.#chunk = ''
      this.#carry += chunk
    } else if (this.#carry === '') {
      this.#chunk = ''
      this.#carry = chunk.slice(end)
      this.#setWindow(end === chunk.length ? chunk : chunk.slice(0, end))
    } else {
      // The first line alone, so that the window needn't be copied to join the carry.
      const first = chunk.indexOf('\n') + 1
      const line = this.#carry + chunk.slice(0, first)
      this.#chunk = chunk.slice(first)
      this.#carry = ''
      this.#setWindow(line)
    }
    return true
  }

  #setWindow(text) {
    this.base += this.#windowBytes
    this.text = text
    this.at = 0
    this.byteAt = 0
    if (text.length < SMALL_UNITS && text.indexOf('\n') === text.length - 1) this.#measureOne(text)
    else this.#measureMany(text)
  }

  #measureOne(text) {
    this.#windowBytes = Buffer.byteLength(text)
    const ascii = this.#windowBytes === text.length
    this.bytes = ascii ? null : new OneLineEnd(this.#windowBytes - 1)
    if (!ascii) this.text = text.toWellFormed()
  }

  /** Counting the bytes of a two-byte string costs more than writing them: it isn't done first. */
  #measureMany(text) {
    this.#windowBytes = this.#wasAscii ? Buffer.byteLength(text) : this.#write(text)
    const ascii = this.#windowBytes === text.length
    this.bytes = null
    if (!ascii) {
      if (this.#wasAscii) this.#write(text)
      this.bytes = this.#scratch
      this.#repair(text)
    }
    this.#wasAscii = ascii
  }

  #write(text) {
    const most = text.length * MAX_BYTES_PER_UNIT
    if (this.#scratch.length < most) this.#scratch = Buffer.allocUnsafeSlow(2 * most)
    return this.#scratch.utf8Write(text)
  }

  /** Half a pair was written as U+FFFD, which is quicker to find than the half itself. */
  #repair(text) {
    const found = this.#scratch.indexOf(REPLACEMENT)
    if (found !== -1 && found < this.#windowBytes) this.text = text.toWellFormed()
  }
}

/** Stands in for the bytes of one line, whose end is known without encoding it. */
class OneLineEnd {
  #end

  constructor(end) {
    this.#end = end
  }

  indexOf() {
    return this.#end
  }
}
