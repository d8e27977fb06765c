/**
 * Writing to stdout: no faster than the reader reads, and to nobody when the reader has gone.
 */

import { once } from 'node:events'
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { EXIT } from './exit-codes.js'

const STDOUT = 1
const WATCH_INTERVAL_MS = 250

/** Ends the tool, as a success, when the reader of stdout or stderr has gone: `| head -1`. */
export function endOnClosedPipe() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (error.code === 'EPIPE') process.exit(EXIT.OK)
      process.stderr.write(`ai-sandbox-native: cannot write: ${error.message}\n`)
      process.exit(EXIT.PROBLEM)
    })
  }
}

/** @param {string | Uint8Array} chunk */
export async function write(chunk) {
  if (!process.stdout.write(chunk)) await once(process.stdout, 'drain')
}

/** @param {string} text - One line for people, beside the output. */
export function note(text) {
  process.stderr.write(`${text}\n`)
}

/**
 * A writer learns that its reader has gone only when it writes, and a follower may have nothing to
 * write for hours. Linux can be asked: a pipe without a reader can't be opened for writing.
 */
export function watchForClosedPipe() {
  if (process.platform !== 'linux' || !fstatSync(STDOUT).isFIFO()) return
  setInterval(() => {
    if (isPipeClosed()) process.exit(EXIT.OK)
  }, WATCH_INTERVAL_MS).unref()
}

function isPipeClosed() {
  try {
    closeSync(openSync(`/proc/self/fd/${STDOUT}`, constants.O_WRONLY | constants.O_NONBLOCK))
    return false
  } catch (error) {
    return error.code === 'ENXIO'
  }
}
