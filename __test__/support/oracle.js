/**
 * The oracle: the contract of the journal framing in the fewest obvious lines.
 *
 * Tests compare the native functions with it. It is made of real async generators, so that it is
 * the language itself that says what "behaves as an async generator" means. It is not made to be
 * fast, only linear, so that the tests of big inputs can run on it too.
 */

import { constants } from 'node:buffer'
import { types } from 'node:util'

const NEWLINE = 0x0a
const BATCH_BYTES = 16 * 1024

/** @param {AsyncIterable<string>} chunks */
export function decodeBase64Stream(chunks) {
  return disposable(decodeBase64(chunks))
}

/** @param {AsyncIterable<string>} chunks */
export function encodeUtf8Stream(chunks) {
  return disposable(encodeUtf8(chunks))
}

/** @param {AsyncIterable<Uint8Array>} byteChunks @param {number} startPosition */
export function toJournalLines(byteChunks, startPosition) {
  return disposable(linesOf(byteChunks, startPosition))
}

/** @param {AsyncIterable<Uint8Array>} byteChunks @param {number} startPosition */
export function toJournalLineBatches(byteChunks, startPosition) {
  return disposable(batchesOf(byteChunks, startPosition))
}

export class JournalFramer {
  #splitter
  #base64 = new Base64Decoder()
  #text = new TextJoiner()
  #finished = false

  constructor(startPosition = 0) {
    this.#splitter = new LineSplitter(startPosition)
  }

  get position() {
    return this.#splitter.position
  }

  get pendingBytes() {
    return this.#splitter.pendingBytes
  }

  push(chunk) {
    this.#assertOpen()
    if (typeof chunk === 'string') return this.#take(this.#text.push(chunk))
    assertBytes(chunk)
    return this.#takeBytes(copyOf(chunk))
  }

  pushBase64(text) {
    this.#assertOpen()
    return this.#takeBytes(this.#base64.push(text))
  }

  finish() {
    if (this.#finished) return
    this.#finished = true
    this.#base64.finish()
  }

  /** Bytes end a text that waits for the other half of a pair; where there are none, it waits on. */
  #takeBytes(bytes) {
    return this.#take(bytes.length === 0 ? bytes : Buffer.concat([this.#text.finish(), bytes]))
  }

  #take(bytes) {
    try {
      return [...this.#splitter.push(bytes)]
    } catch (error) {
      this.#finished = true
      throw error
    }
  }

  #assertOpen() {
    if (this.#finished) throw new TypeError('journal: the framer is finished')
  }
}

async function* decodeBase64(chunks) {
  const decoder = new Base64Decoder()
  for await (const chunk of chunks) {
    const bytes = decoder.push(chunk)
    if (bytes.length > 0) yield bytes
  }
  decoder.finish()
}

async function* encodeUtf8(chunks) {
  const joiner = new TextJoiner()
  for await (const chunk of chunks) {
    const bytes = joiner.push(chunk)
    if (bytes.length > 0) yield bytes
  }
  const rest = joiner.finish()
  if (rest.length > 0) yield rest
}

async function* linesOf(byteChunks, startPosition) {
  const splitter = new LineSplitter(startPosition)
  for await (const chunk of byteChunks) {
    assertBytes(chunk)
    for (const line of splitter.push(copyOf(chunk))) yield line
  }
}

async function* batchesOf(byteChunks, startPosition) {
  const splitter = new LineSplitter(startPosition)
  for await (const chunk of byteChunks) {
    assertBytes(chunk)
    let batch = []
    let batchStart = splitter.position
    for (const line of splitter.push(copyOf(chunk))) {
      batch.push(line)
      if (line.endPosition - batchStart < BATCH_BYTES) continue
      yield batch
      batch = []
      batchStart = line.endPosition
    }
    if (batch.length > 0) yield batch
  }
}

class Base64Decoder {
  #waiting = ''
  #waitingIndexes = []
  #taken = 0

  push(chunk) {
    assertString(chunk)
    const text = this.#waiting + chunk.replaceAll(/\s/g, '')
    const unit = text.slice(0, text.length - (text.length % 4))
    let decoded
    try {
      decoded = atob(unit)
    } catch {
      throw this.#invalidCharacter(unit, chunk)
    }
    const rest = text.slice(unit.length)
    const known = unit.length === 0 ? this.#waitingIndexes : []
    this.#waitingIndexes = [...known, ...this.#lastIndexes(chunk, rest.length - known.length)]
    this.#waiting = rest
    this.#taken += chunk.length
    return new Uint8Array(Buffer.from(decoded, 'latin1'))
  }

  finish() {
    const count = this.#waiting.length
    if (count === 0) return
    throw new Error(`journal: base64 frame ended mid-quantum with ${count} character(s) pending`)
  }

  /** The stream indexes of the last `count` characters of `chunk` that aren't white space. */
  #lastIndexes(chunk, count) {
    const indexes = []
    for (let index = chunk.length - 1; indexes.length < count; index -= 1) {
      if (!/\s/.test(chunk[index])) indexes.unshift(this.#taken + index)
    }
    return indexes
  }

  /** Finds what `atob` refused: padding may only be the last one or two characters of a unit. */
  #invalidCharacter(unit, chunk) {
    const offset = unit.replace(/={1,2}$/, '').search(/[^A-Za-z0-9+/]/)
    const index =
      offset < this.#waiting.length ? this.#waitingIndexes[offset] : this.#indexIn(chunk, offset)
    const code = unit.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0')
    return new DOMException(
      `journal: U+${code} at index ${index} is not base64 here`,
      'InvalidCharacterError',
    )
  }

  #indexIn(chunk, offset) {
    let left = offset - this.#waiting.length
    for (let index = 0; ; index += 1) {
      if (/\s/.test(chunk[index])) continue
      if (left === 0) return this.#taken + index
      left -= 1
    }
  }
}

/** Text to UTF-8; a high surrogate at the end of a chunk waits for the other half. */
class TextJoiner {
  #held = ''

  push(chunk) {
    assertString(chunk)
    const text = this.#held + chunk
    this.#held = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : ''
    return new TextEncoder().encode(text.slice(0, text.length - this.#held.length))
  }

  finish() {
    const rest = new TextEncoder().encode(this.#held)
    this.#held = ''
    return rest
  }
}

class LineSplitter {
  #startPosition
  #count = 0
  #parts = []

  constructor(startPosition) {
    this.#startPosition = startPosition
  }

  get position() {
    return this.#startPosition + this.#count
  }

  get pendingBytes() {
    return this.#parts.reduce((sum, part) => sum + part.length, 0)
  }

  *push(bytes) {
    let from = 0
    for (;;) {
      const newline = bytes.indexOf(NEWLINE, from)
      if (newline === -1) break
      const lineBytes = Buffer.concat([...this.#parts, bytes.subarray(from, newline)])
      this.#parts = []
      from = newline + 1
      const line = decodeLine(lineBytes, this.position)
      this.#count += lineBytes.length + 1
      yield { line, endPosition: this.position }
    }
    if (from < bytes.length) this.#parts.push(bytes.subarray(from))
  }
}

function decodeLine(bytes, position) {
  try {
    return new TextDecoder().decode(bytes)
  } catch (cause) {
    if (bytes.length <= constants.MAX_STRING_LENGTH) throw cause
    throw new RangeError(`journal: the line at ${position} is too long for a string`, { cause })
  }
}

function copyOf(bytes) {
  return new Uint8Array(bytes)
}

function assertBytes(chunk) {
  if (!types.isUint8Array(chunk)) {
    throw new TypeError(`journal: a chunk must be a Uint8Array, not ${describe(chunk)}`)
  }
}

function assertString(chunk) {
  if (typeof chunk !== 'string') {
    throw new TypeError(`journal: a chunk must be a string, not ${describe(chunk)}`)
  }
}

function describe(value) {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  return Object.prototype.toString.call(value)
}

/** Adds what async generators of older runtimes lack. */
function disposable(generator) {
  const method = async () => {
    await generator.return()
  }
  Object.defineProperty(generator, Symbol.asyncDispose, { value: method, enumerable: false })
  return generator
}
