/**
 * Are the answers equal? Digests over every line and every position, and an oracle that knows
 * nothing of chunks.
 */

import { createHash } from 'node:crypto'

const NEWLINE = 0x0a
const LINES_AT_ONCE = 512

/** Digest and count of the lines of a journal, by the plainest code there is. */
export function expectedAnswer(journal, startPosition) {
  const digest = new LineDigest()
  const decoder = new TextDecoder()
  let from = 0
  for (let end = journal.indexOf(NEWLINE); end !== -1; end = journal.indexOf(NEWLINE, from)) {
    digest.add(decoder.decode(journal.subarray(from, end)), startPosition + end + 1)
    from = end + 1
  }
  return digest.finish()
}

/** Digest and count of what a contender gives; an array counts as its lines. */
export async function answerOf(iterable) {
  const digest = new LineDigest()
  for await (const item of iterable) {
    if (Array.isArray(item)) for (const { line, endPosition } of item) digest.add(line, endPosition)
    else digest.add(item.line, item.endPosition)
  }
  return digest.finish()
}

/** @throws {Error} When the two differ. */
export function assertSameAnswer(name, actual, expected) {
  if (actual.digest === expected.digest && actual.count === expected.count) return
  throw new Error(
    `${name} gives other lines than expected: ${actual.count} lines, digest ${actual.digest}; ` +
      `expected ${expected.count} lines, digest ${expected.digest}`,
  )
}

class LineDigest {
  #hash = createHash('sha1')
  #parts = []
  #count = 0

  add(line, endPosition) {
    this.#count += 1
    if (this.#parts.push(`${line.length}:${line}@${endPosition}`) === LINES_AT_ONCE) this.#flush()
  }

  finish() {
    this.#flush()
    return { count: this.#count, digest: this.#hash.digest('hex') }
  }

  #flush() {
    this.#hash.update(this.#parts.join('\n'))
    this.#parts = []
  }
}
