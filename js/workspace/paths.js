import { posix } from 'node:path'
import { describe } from '../describe.js'

/** Returns `path`, or throws what path arithmetic throws for what isn't a string. */
export function requireText(path) {
  if (typeof path !== 'string') posix.basename(path)
  return path
}

/** The text of `path` for a message. */
export function textOf(path) {
  return typeof path === 'string' ? path : describe(path)
}
