/** Small values of the port: quoting, limits, and how it shows what a provider gave. */

import { inspect } from 'node:util'

/** The longest that a timer can wait: more overflows and fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** `text` as one word of a POSIX shell. */
export function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Process 0 is the caller's own group and 1 the first of all: no job has those. */
export function isRunnable(pid) {
  return BigInt(pid) > 1n && BigInt(pid) < 2n ** 31n
}

/** An awk may take the word Infinity for anything. */
export function awkNumber(line) {
  return Number.isFinite(line) ? line : Number.MAX_SAFE_INTEGER
}

export function textOf(value) {
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY })
}
