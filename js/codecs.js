/**
 * Codecs take a chunk of a source apart into windows and feed them to native code, one at a time
 * and as they are asked for: a big chunk is never copied whole, and none blocks the event loop.
 *
 * A codec is used in this order: `begin(chunk)`, then `toLines()`, `hold()` or `toBytes()` while `at`
 * is before `length`; `finish()` when the source has ended. `toLines()` gives the first batch that
 * the window completes; `hold()` leaves the lines with native code.
 */

import { constants } from 'node:buffer'
import { types } from 'node:util'
import { describe } from './describe.js'
import { binding } from './load.js'

/** Of bytes. A window gives about one batch. */
const BYTES_WINDOW = 16 * 1024
/** Of text, in UTF-16 code units. */
const TEXT_WINDOW = 16 * 1024
/** Of base64: 288 rows as `base64(1)` prints them, which are 16,416 bytes. */
const BASE64_WINDOW = 288 * 77
/** Of base64 that is only checked. */
const CHECK_WINDOW = 64 * 1024
/** A character that does not fit in a byte. V8 knows without a look that some strings have none. */
const WIDE = /[\u0100-\uffff]/

export function newNative() {
  return new binding.Journal(constants.MAX_STRING_LENGTH)
}

export class BytesCodec {
  at = 0
  length = 0
  #chunk

  constructor(native = newNative()) {
    this.native = native
  }

  begin(chunk) {
    if (!types.isUint8Array(chunk)) throw wrongChunk('a Uint8Array', chunk)
    this.at = 0
    this.length = typedArrayLength.call(chunk)
    this.#chunk = chunk
    if (this.length === 0) this.#end()
  }

  toLines() {
    const from = this.at
    this.at = Math.min(from + BYTES_WINDOW, this.length)
    const text = this.native.bytesToLines(this.#chunk, from, this.at)
    if (this.at === this.length) this.#end()
    return text
  }

  hold() {
    const from = this.at
    this.at = Math.min(from + BYTES_WINDOW, this.length)
    this.native.holdBytes(this.#chunk, from, this.at)
    if (this.at === this.length) this.#end()
  }

  finish() {}

  /** Lets go of the chunk. A detached one looks empty, and must not pass for it. */
  #end() {
    if (this.length === 0) new Uint8Array(typedArrayBuffer.call(this.#chunk))
    this.#chunk = undefined
  }
}

export class TextCodec {
  at = 0
  length = 0
  #chunk = ''

  constructor(native = newNative()) {
    this.native = native
  }

  begin(chunk) {
    if (typeof chunk !== 'string') throw wrongChunk('a string', chunk)
    this.at = 0
    this.length = chunk.length
    this.#chunk = chunk
  }

  toLines() {
    return this.native.textToLines(this.#window())
  }

  hold() {
    this.native.holdText(this.#window())
  }

  toBytes() {
    this.native.textToBytes(this.#window())
  }

  /** A high surrogate that was held back has found no partner. */
  finish() {
    this.native.flushText(false)
  }

  #window() {
    const from = this.at
    this.at = Math.min(from + TEXT_WINDOW, this.length)
    const window = cut(this.#chunk, from, this.at)
    if (this.at === this.length) this.#chunk = ''
    return window
  }
}

export class Base64Codec {
  at = 0
  length = 0
  #chunk = ''
  #wide = false

  constructor(native = newNative()) {
    this.native = native
  }

  /** Checks the chunk whole: nothing of one with a bad character may be delivered. */
  begin(chunk) {
    if (typeof chunk !== 'string') throw wrongChunk('a string', chunk)
    const { length } = chunk
    const wide = WIDE.test(chunk)
    for (let at = 0; at < length; at += CHECK_WINDOW) {
      const to = Math.min(at + CHECK_WINDOW, length)
      this.native.checkBase64(cut(chunk, at, to), wide, to === length)
    }
    this.at = 0
    this.length = length
    this.#chunk = chunk
    this.#wide = wide
  }

  toLines() {
    return this.native.base64ToLines(this.#window(), this.#wide)
  }

  hold() {
    this.native.holdBase64(this.#window(), this.#wide)
  }

  toBytes() {
    this.native.base64ToBytes(this.#window(), this.#wide)
  }

  finish() {
    this.native.finishBase64()
  }

  #window() {
    const from = this.at
    this.at = Math.min(from + BASE64_WINDOW, this.length)
    const window = cut(this.#chunk, from, this.at)
    if (this.at === this.length) this.#chunk = ''
    return window
  }
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype)
/** The true length, also of a subclass that overrides the getter. */
const typedArrayLength = Object.getOwnPropertyDescriptor(typedArray, 'length').get
const typedArrayBuffer = Object.getOwnPropertyDescriptor(typedArray, 'buffer').get

function cut(text, from, to) {
  return from === 0 && to === text.length ? text : text.slice(from, to)
}

function wrongChunk(wanted, chunk) {
  return new TypeError(`journal: a chunk must be ${wanted}, and this is ${describe(chunk)}`)
}
