/** What the suites of the reader share. */

import { journalPaths } from '../../../api/native.js'

export const paths = journalPaths('run-1')
export const never = new Promise(() => {})

/** Lets everything happen that waits for nothing. */
export async function settle() {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
}

/** A promise that only the abort of `signal` rejects. */
export function abortable(signal) {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
