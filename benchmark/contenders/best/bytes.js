/** `best` over byte chunks. */

import { ByteWindow, setWindow, WINDOW_BYTES } from './byte-window.js'
import { WindowLines } from './window-lines.js'

const NEWLINE = 0x0a
const TINY_BYTES = 48

export class ByteChunkLines extends WindowLines {
  windowBytes = 0
  decode
  #window = new ByteWindow()
  #chunk = new Uint8Array(0)
  #from = 0

  constructor(source, startPosition, decode) {
    super(source, startPosition)
    this.decode = decode
  }

  accept(chunk) {
    this.#chunk = chunk
    this.#from = 0
  }

  fillWindow() {
    const chunk = this.#chunk
    const from = this.#from
    if (from === chunk.length) return false
    const size = Math.min(chunk.length - from, WINDOW_BYTES)
    this.#from = from + size
    const window = this.#window
    window.reserve(size)
    if (window.length === 0 && size === chunk.length && chunk[size - 1] === NEWLINE) {
      // Whole lines and nothing before them: decoded where they are.
      setWindow(this, Buffer.from(chunk.buffer, chunk.byteOffset, size), size)
      return true
    }
    copyBytes(chunk, from, size, window)
    window.length += size
    window.completeLines(this, size)
    return true
  }
}

function copyBytes(chunk, from, size, window) {
  if (size <= TINY_BYTES) {
    const { buffer, length } = window
    for (let at = 0; at < size; at += 1) buffer[length + at] = chunk[from + at]
  } else {
    window.buffer.set(
      size === chunk.length ? chunk : chunk.subarray(from, from + size),
      window.length,
    )
  }
}
