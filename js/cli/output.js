/**
 * Writing to stdout: no faster than the reader reads, and to nobody when the reader has gone.
 */

import { once } from 'node:events'
import { EXIT } from './exit-codes.js'

/**
 * Ends the tool, as a success, when the reader of stdout has gone: `| head -1`. What is said beside
 * the output may get lost: it decides neither what is printed nor how the tool ends.
 */
export function endOnClosedPipe() {
  process.stdout.on('error', (error) => {
    if (error.code === 'EPIPE') process.exit(EXIT.OK)
    process.stderr.write(`ai-sandbox-native: cannot write: ${error.message}\n`)
    process.exit(EXIT.PROBLEM)
  })
  process.stderr.on('error', () => {})
}

/** @param {string | Uint8Array} chunk */
export async function write(chunk) {
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
}

/** @param {string} text - One line for people, beside the output. */
export function note(text) {
  process.stderr.write(`${text}\n`)
}
