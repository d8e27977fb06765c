/** What a caller may give to `JournalFile`. */

import { describe } from '../describe.js'
import { timerDelay } from '../timer-delay.js'

const DEFAULT_POLL_INTERVAL_MS = 100

export function requirePath(path) {
  if (typeof path !== 'string') {
    throw new TypeError(`journal: the path must be a string, and this is ${describe(path)}`)
  }
  if (path.includes('\0')) throw new TypeError('journal: the path has a NUL character')
  return path
}

export function readOptions(options = {}) {
  if (options === null || typeof options !== 'object') {
    throw new TypeError(`journal: the options must be an object, and this is ${describe(options)}`)
  }
  const { position = 0, follow = false, pollIntervalMs = DEFAULT_POLL_INTERVAL_MS } = options
  requireNumber('position', position)
  if (!Number.isSafeInteger(position) || position < 0) {
    throw new RangeError(
      `journal: position must be a non-negative safe integer, and this is ${describe(position)}`,
    )
  }
  if (typeof follow !== 'boolean') {
    throw new TypeError(`journal: follow must be a boolean, and this is ${describe(follow)}`)
  }
  requireNumber('pollIntervalMs', pollIntervalMs)
  if (!(pollIntervalMs >= 1)) {
    throw new RangeError(
      `journal: pollIntervalMs must be at least 1, and this is ${describe(pollIntervalMs)}`,
    )
  }
  return { position, follow, pollIntervalMs: timerDelay(pollIntervalMs) }
}

function requireNumber(name, value) {
  if (typeof value === 'number') return
  throw new TypeError(`journal: ${name} must be a number, and this is ${describe(value)}`)
}
