/**
 * The bytes of lines as they are in the file. A decoded line doesn't tell them: ill-formed bytes
 * have become U+FFFD, and a byte order mark is gone.
 */

import { open } from 'node:fs/promises'
import { PlainError } from './errors.js'

const REPLACEMENT = '\ufffd'

/** Whether the bytes of `line`, `byteLength` long, are just its UTF-8. */
export function isExact(line, byteLength) {
  return !line.includes(REPLACEMENT) && Buffer.byteLength(line) === byteLength
}

/** Reads pieces of a file that is read in order by another; opened when first needed. */
export class RawBytes {
  #path
  #file

  /** @param {string} path */
  constructor(path) {
    this.#path = path
  }

  /**
   * @param {number} start
   * @param {number} end
   * @returns {Promise<Buffer>}
   */
  async read(start, end) {
    this.#file ??= await open(this.#path)
    const bytes = Buffer.allocUnsafeSlow(end - start)
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await this.#file.read(bytes, at, bytes.length - at, start + at)
      if (bytesRead === 0) throw new PlainError(`${this.#path}: got shorter while it was read`)
      at += bytesRead
    }
    return bytes
  }

  async close() {
    await this.#file?.close()
  }
}
