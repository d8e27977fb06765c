/**
 * Codecs take a chunk of a source apart into windows and feed them to native code, one at a time
 * and as lines are asked for: a big chunk is never copied whole.
 *
 * A codec is used in this order: `begin(chunk)`, which says whether the chunk completes any bytes;
 * then `toLines()`, `hold()` or `toBytes()` while `at` is before `length`; `finish()` when the source
 * has ended. `toLines()` gives the first batch that the window completes; `hold()` leaves the lines
 * with native code.
 */

import { Buffer, constants } from 'node:buffer'
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

const {
  base64ToBytes,
  base64ToLines,
  bytesToLines,
  checkBase64,
  finishBase64,
  flushText,
  holdBase64,
  holdBytes,
  holdText,
  newJournal,
  textToBytes,
  textToLines,
} = binding

/** The native half of a codec. It must be passed to the functions of the binding only. */
export function newNative() {
  return newJournal(constants.MAX_STRING_LENGTH)
}

export class BytesCodec {
  at = 0
  length = 0
  #chunk

  constructor(native = newNative()) {
    this.native = native
  }

  begin(chunk) {
    const length = lengthOf(chunk)
    if (length === 0) requireMemory(chunk)
    this.at = 0
    this.length = length
    this.#chunk = length === 0 ? undefined : chunk
    return length > 0
  }

  toLines() {
    const from = this.at
    this.at = Math.min(from + BYTES_WINDOW, this.length)
    const text = bytesToLines(this.native, this.#chunk, from, this.at, this.length)
    if (this.at === this.length) this.#chunk = undefined
    return text
  }

  hold() {
    const from = this.at
    this.at = Math.min(from + BYTES_WINDOW, this.length)
    holdBytes(this.native, this.#chunk, from, this.at, this.length)
    if (this.at === this.length) this.#chunk = undefined
  }
}

/** Where a codec is in a chunk of text. */
class StringCodec {
  at = 0
  length = 0
  #chunk = ''

  constructor(native = newNative()) {
    this.native = native
  }

  load(chunk) {
    this.at = 0
    this.length = chunk.length
    this.#chunk = chunk
  }

  /** Takes `size` units more, and lets go of the chunk at its end. */
  nextWindow(size) {
    const from = this.at
    this.at = Math.min(from + size, this.length)
    const window = cut(this.#chunk, from, this.at)
    if (this.at === this.length) this.#chunk = ''
    return window
  }
}

export class TextCodec extends StringCodec {
  /** Whether native code holds a first half of a surrogate pair. */
  #holds = false

  begin(chunk) {
    requireString(chunk)
    this.load(chunk)
    const { length } = chunk
    if (length === 0) return false
    const held = this.#holds
    this.#holds = isHighSurrogate(chunk.charCodeAt(length - 1))
    return length > 1 || held || !this.#holds
  }

  toLines() {
    return textToLines(this.native, this.nextWindow(TEXT_WINDOW))
  }

  hold() {
    holdText(this.native, this.nextWindow(TEXT_WINDOW))
  }

  toBytes() {
    textToBytes(this.native, this.nextWindow(TEXT_WINDOW))
  }

  /** Bytes follow the text, so a half of a surrogate pair stays one. */
  flushToLines() {
    flushText(this.native, true)
    this.#holds = false
  }

  finish() {
    flushText(this.native, false)
    this.#holds = false
  }
}

export class Base64Codec extends StringCodec {
  #wide = false

  /** Checks the chunk whole: nothing of one with a bad character may be delivered. */
  begin(chunk) {
    requireString(chunk)
    const { length } = chunk
    const wide = WIDE.test(chunk)
    let bytes = 0
    for (let at = 0; at < length; at += CHECK_WINDOW) {
      const to = Math.min(at + CHECK_WINDOW, length)
      bytes = checkBase64(this.native, cut(chunk, at, to), wide, to === length)
    }
    this.load(chunk)
    this.#wide = wide
    return bytes > 0
  }

  toLines() {
    return base64ToLines(this.native, this.nextWindow(BASE64_WINDOW), this.#wide)
  }

  hold() {
    holdBase64(this.native, this.nextWindow(BASE64_WINDOW), this.#wide)
  }

  toBytes() {
    base64ToBytes(this.native, this.nextWindow(BASE64_WINDOW), this.#wide)
  }

  finish() {
    finishBase64(this.native)
  }
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype)
const typedArrayLength = Object.getOwnPropertyDescriptor(typedArray, 'length').get

/**
 * The true length, also of a subclass that overrides the getter. Where there is no subclass the
 * plain property is much faster; native code finds out when it lies.
 */
function lengthOf(chunk) {
  if (ArrayBuffer.isView(chunk)) {
    const prototype = Object.getPrototypeOf(chunk)
    if (prototype === Uint8Array.prototype || prototype === Buffer.prototype) return chunk.length
  }
  if (!types.isUint8Array(chunk)) throw wrongChunk('a Uint8Array', chunk)
  return typedArrayLength.call(chunk)
}

function isHighSurrogate(unit) {
  return (unit & 0xfc00) === 0xd800
}

/** A view of a buffer that was detached, or cut short before it, looks empty and isn't. */
function requireMemory(chunk) {
  try {
    typedArray.keys.call(chunk)
  } catch (error) {
    throw new TypeError('journal: a chunk must be a Uint8Array, and this one has lost its buffer', {
      cause: error,
    })
  }
}

function cut(text, from, to) {
  return from === 0 && to === text.length ? text : text.slice(from, to)
}

function requireString(chunk) {
  if (typeof chunk !== 'string') throw wrongChunk('a string', chunk)
}

function wrongChunk(wanted, chunk) {
  return new TypeError(`journal: a chunk must be ${wanted}, and this is ${describe(chunk)}`)
}
