/** A process of a sandbox, in the hand of the test. */

import { PushStream } from '../../support/push-stream.js'
import { memorySandbox } from './memory-sandbox.js'
import { deferred } from './settle.js'
import { sandboxWorkspaceBackend } from './subject.js'

/**
 * A job of a backend, and the process behind it.
 *
 * @param {object} [options] - Those of `spawn`.
 * @param {{ isHeld?: boolean, pid?: number }} [more] - `isHeld`: it starts when `start()` is called.
 */
export function openJob(options = {}, { isHeld = false, pid = 42 } = {}) {
  const child = fakeProcess(pid)
  const held = deferred()
  const { handle } = memorySandbox({}, { spawn: () => (isHeld ? held.promise : child) })
  const backend = sandboxWorkspaceBackend(handle)
  const job = backend.spawn('command', options)
  return { backend, handle, job, child, start: () => held.resolve(child) }
}

export function fakeProcess(pid) {
  const exit = deferred()
  const child = {
    pid,
    stdout: new PushStream(),
    stderr: new PushStream(),
    kills: [],
    waits: 0,
    wait: () => {
      child.waits += 1
      return exit.promise
    },
    kill: async (...args) => {
      child.kills.push(args)
    },
    exit: (code) => exit.resolve(code),
    fail: (error) => exit.reject(error),
    end: (code) => {
      child.stdout.end()
      child.stderr.end()
      exit.resolve(code)
    },
  }
  return child
}
