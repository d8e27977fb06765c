import { posix } from 'node:path'

/** Returns `path`, or throws what path arithmetic throws for what isn't a string. */
export function requireText(path) {
  if (typeof path !== 'string') posix.basename(path)
  return path
}
