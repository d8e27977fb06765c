/** The journal of a run with a plain id, by the rules of the contract and none of our code. */

import { createHash } from 'node:crypto'

const NONCE_LENGTH = 32

/** @param {string} runId - Of letters, digits, dots and hyphens. */
export function runFiles(runId) {
  const nonce = createHash('sha256')
    .update(`tanstack-ai-sandbox/journal-exit-sentinel/v1:${runId}`)
    .digest('hex')
    .slice(0, NONCE_LENGTH)
  const sentinel = (code) => `{"__exit":${code},"__nonce":"${nonce}"}\n`
  return { name: `${runId}.ndjson`, sentinel }
}
