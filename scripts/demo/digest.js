/**
 * SHA-256 over lines and their positions. Two readings are the same to the byte exactly when their
 * digests are: a line that is lost, doubled, changed or misplaced changes all.
 *
 * @module
 */

import { createHash } from 'node:crypto'

export class Digest {
  #hash = createHash('sha256')
  /** How many lines were taken. */
  lines = 0
  /** The end of the last line. */
  position = 0

  /** @param {{ line: string, endPosition: number }} journalLine */
  add({ line, endPosition }) {
    this.#hash.update(`${endPosition} ${line}\n`)
    this.lines += 1
    this.position = endPosition
  }

  /** The digest of all lines so far, in hexadecimal. */
  value() {
    return this.#hash.copy().digest('hex')
  }
}

/**
 * What the digest must be, by the plainest means: the whole file in memory, cut at its newlines.
 *
 * @param {Buffer} bytes
 */
export function expectedDigest(bytes) {
  const digest = new Digest()
  const decoder = new TextDecoder()
  let start = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    digest.add({ line: decoder.decode(bytes.subarray(start, end)), endPosition: end + 1 })
    start = end + 1
  }
  return digest
}
