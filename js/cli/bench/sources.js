/**
 * The same journal in the shapes in which a host gets it: one base64 string, byte chunks, text
 * chunks.
 */

import { StringDecoder } from 'node:string_decoder'

const NEWLINE = 0x0a
const BASE64_COLUMNS = 76
const BYTES_PER_ROW = (BASE64_COLUMNS / 4) * 3

/**
 * Cuts a journal into the chunks of a shape.
 *
 * @param {Buffer} journal
 * @param {{ source: 'base64' | 'bytes' | 'text', chunk: number | 'whole' | 'line' }} shape - The
 *   size of a chunk in bytes of the journal (of base64: in characters).
 * @returns {(string | Uint8Array)[]}
 */
export function cutJournal(journal, { source, chunk }) {
  if (source === 'base64') return cutString(encodeBase64Rows(journal), chunk)
  const pieces = cutBytes(journal, chunk)
  if (source === 'bytes') return pieces
  // A decoder per stream, as providers have it: a chunk never ends inside a character.
  const decoder = new StringDecoder('utf8')
  const texts = pieces.map((piece) => decoder.write(piece))
  return [...texts, decoder.end()].filter((text) => text !== '')
}

/** Base64 in rows of 76 characters, as base64(1) prints it, in one flat string. */
export function encodeBase64Rows(bytes) {
  const rows = []
  for (let from = 0; from < bytes.length; from += BYTES_PER_ROW) {
    rows.push(bytes.base64Slice(from, Math.min(from + BYTES_PER_ROW, bytes.length)), '\n')
  }
  return rows.join('')
}

/**
 * An async iterable over ready chunks that costs as little as one can. All contenders read from
 * it, so none pays for an array's wrapper or an async generator.
 */
export class ReadyChunks {
  #chunks
  #next = 0

  constructor(chunks) {
    this.#chunks = chunks
  }

  [Symbol.asyncIterator]() {
    return this
  }

  next() {
    if (this.#next === this.#chunks.length) return Promise.resolve({ value: undefined, done: true })
    const value = this.#chunks[this.#next]
    this.#next += 1
    return Promise.resolve({ value, done: false })
  }

  return() {
    this.#next = this.#chunks.length
    return Promise.resolve({ value: undefined, done: true })
  }
}

function cutString(text, chunk) {
  if (chunk === 'whole') return [text]
  const pieces = []
  for (let from = 0; from < text.length; from += chunk) pieces.push(text.slice(from, from + chunk))
  return pieces
}

/** Each piece has its own memory: views of one big buffer would keep all of it in the cache. */
function cutBytes(journal, chunk) {
  if (chunk === 'whole') return [journal]
  const pieces = []
  for (let from = 0; from < journal.length; ) {
    const to =
      chunk === 'line' ? journal.indexOf(NEWLINE, from) + 1 : Math.min(from + chunk, journal.length)
    pieces.push(new Uint8Array(journal.subarray(from, to)))
    from = to
  }
  return pieces
}
