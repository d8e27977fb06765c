import { expect, it } from 'vitest'
import { paths } from '../support/paths.js'

/** Calls `call` where the stack has `room` frames left, or a few more or less. */
function atTheLimitOfTheStack(room, call) {
  let depth = 0
  const sink = () => {
    depth += 1
    sink()
  }
  try {
    sink()
  } catch {
    // The depth is known now.
  }
  const dive = (left) => (left > 0 ? dive(left - 1) : call())
  try {
    return Promise.resolve(dive(Math.max(0, depth - room)))
  } catch (error) {
    return Promise.reject(error)
  }
}

it.each(paths)(
  '$name: a next() that had no stack leaves an iterator that answers',
  async (path) => {
    for (let room = 0; room < 60; room += 1) {
      const iterator = path.open([path.chunks[0], path.chunks[1]])
      if (room % 2 === 1) await iterator.next()
      await atTheLimitOfTheStack(room, () => iterator.next()).catch(() => undefined)
      const late = new Promise((resolve) => setTimeout(resolve, 1000, 'no answer'))
      const answered = await Promise.race([iterator.next().catch((error) => error), late])
      expect(answered).not.toBe('no answer')
    }
  },
)
