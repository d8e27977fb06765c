/**
 * `best` over base64 text: one slice of the string per window, decoded into the window's buffer.
 *
 * `Buffer` skips white space by itself, but a window must end between two groups of four. Text
 * wrapped in even rows, as base64(1) prints it, is cut at the end of a row; where the number of
 * bytes shows that the rows aren't even, what is left is stripped and cut in fours.
 */

import { ByteWindow, WINDOW_BYTES } from './byte-window.js'
import { WindowLines } from './window-lines.js'

const WINDOW_CHARACTERS = (WINDOW_BYTES / 4) * 5

export class Base64Lines extends WindowLines {
  windowBytes = 0
  decode
  #window = new ByteWindow()
  #text = ''
  #from = 0
  #row = 0
  #carry = ''

  constructor(source, startPosition, decode) {
    super(source, startPosition)
    this.decode = decode
  }

  accept(chunk) {
    const text = this.#carry + chunk
    this.#carry = ''
    const row = text.indexOf('\n')
    if (row > 0 && row % 4 === 0) this.#start(text, row)
    else this.#start(strip(text), 0)
  }

  finish() {
    if (this.#carry === '') return
    throw new Error(
      `journal: base64 frame ended mid-quantum with ${this.#carry.length} character(s) pending`,
    )
  }

  fillWindow() {
    const left = this.#text.length - this.#from
    if (left === 0) return false
    let size = this.#windowSize()
    if (size >= left) {
      // The end may hold part of a group, so it is stripped and counted.
      if (this.#row > 0) this.#start(strip(this.#text.slice(this.#from)), 0)
      const whole = this.#text.length - this.#from
      size = whole - (whole % 4)
      this.#carry = this.#text.slice(this.#from + size)
      this.#text = this.#text.slice(0, this.#from + size)
      if (size === 0) return false
    }
    const written = this.#decode(size)
    if (this.#row > 0 && written !== this.#bytesOfRows(size)) {
      this.#start(strip(this.#text.slice(this.#from)), 0)
      return this.fillWindow()
    }
    this.#window.length += written
    this.#from += size
    this.#window.completeLines(this, written)
    return true
  }

  #start(text, row) {
    this.#text = text
    this.#row = row
    this.#from = 0
  }

  #windowSize() {
    if (this.#row === 0) return WINDOW_CHARACTERS
    const rowAndBreak = this.#row + 1
    return Math.max(1, Math.floor(WINDOW_CHARACTERS / rowAndBreak)) * rowAndBreak
  }

  #bytesOfRows(size) {
    return (size / (this.#row + 1)) * (this.#row / 4) * 3
  }

  #decode(size) {
    const room = Math.ceil(size / 4) * 3
    this.#window.reserve(room)
    const piece = this.#text.slice(this.#from, this.#from + size)
    return this.#window.buffer.base64Write(piece, this.#window.length, room)
  }
}

/** `replaceAll` first: it is four times faster, and mostly there is nothing else to drop. */
function strip(text) {
  return text.replaceAll('\n', '').replace(/\s+/g, '')
}
