/**
 * The bytes of lines as they are in the file. A decoded line doesn't tell them: ill-formed bytes
 * have become U+FFFD, and a byte order mark is gone.
 */

import { constants, open } from 'node:fs/promises'
import { PlainError } from './errors.js'

const REPLACEMENT = '\ufffd'
/** A journal of another encoding has such lines one behind the other: one read is for many. */
const BLOCK_BYTES = 256 * 1024
/** What has taken the file's place may be a FIFO, which would wait for a writer. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

const decoder = new TextDecoder()

/** Whether the bytes of `line`, `byteLength` long, are just its UTF-8. */
export function isExact(line, byteLength) {
  return !line.includes(REPLACEMENT) && Buffer.byteLength(line) === byteLength
}

/** Reads lines of a file that is read in order by another; opened when first needed. */
export class RawBytes {
  #path
  #file
  /** Bytes from `#start` on. Never written to again, since what was given away is a part of them. */
  #block = Buffer.alloc(0)
  #start = 0

  /** @param {string} path */
  constructor(path) {
    this.#path = path
  }

  /**
   * The bytes of a line, with its newline.
   *
   * @param {{ line: string, endPosition: number }} journalLine
   * @param {number} start - Where it starts.
   * @returns {Promise<Buffer>}
   * @throws {PlainError} When the bytes there are no longer those of the line: the path may name
   *   another file by now, or the file have been written anew.
   */
  async readLine({ line, endPosition }, start) {
    const bytes = await this.#read(start, endPosition)
    if (decoder.decode(bytes) === `${line}\n`) return bytes
    throw new PlainError(`${this.#path}: was changed while it was read`)
  }

  async close() {
    await this.#file?.close()
  }

  async #read(start, end) {
    if (start < this.#start || end > this.#start + this.#block.length) await this.#fill(start, end)
    return this.#block.subarray(start - this.#start, end - this.#start)
  }

  async #fill(start, end) {
    this.#file ??= await open(this.#path, FLAGS)
    const block = Buffer.allocUnsafeSlow(Math.max(end - start, BLOCK_BYTES))
    let length = 0
    while (start + length < end) {
      const { bytesRead } = await this.#file.read(
        block,
        length,
        block.length - length,
        start + length,
      )
      if (bytesRead === 0) throw new PlainError(`${this.#path}: got shorter while it was read`)
      length += bytesRead
    }
    this.#start = start
    this.#block = block.subarray(0, length)
  }
}
