/** Handles whose commands the tests answer, for what no real sandbox does on demand. */

import { PushStream } from '../../support/push-stream.js'

/** A process whose output is a {@link PushStream}. */
export class FakeProcess {
  pid = 1
  stdout = new PushStream()
  stderr = new PushStream()
  exitCode = 0
  kills = 0
  /** What was written to stdin, and whether it was closed. */
  input = []
  stdin = {
    write: async (data) => {
      this.input.push(data)
    },
    end: async () => {
      this.input.push(null)
    },
  }

  async wait() {
    return this.exitCode
  }

  async kill() {
    this.kills += 1
  }
}

/**
 * A handle that follows: each spawn gives the next of `processes`.
 *
 * @param {FakeProcess[]} processes
 */
export function followingHandle(...processes) {
  const spawned = []
  return {
    capabilities: { backgroundProcesses: true, killableProcesses: true },
    spawned,
    process: {
      async spawn(command, options) {
        spawned.push({ command, options })
        return processes.shift()
      },
      async exec() {
        throw new Error('a follower runs nothing')
      },
    },
  }
}

/**
 * A handle that polls: each exec is answered by `answer(command, nth)`, text of the frame's bytes or
 * a whole result.
 */
export function pollingHandle(answer) {
  const executed = []
  return {
    capabilities: { backgroundProcesses: false },
    executed,
    process: {
      async exec(command, options) {
        executed.push({ command, options })
        const given = await answer(command, executed.length - 1)
        return typeof given === 'object' ? given : { exitCode: 0, stdout: given, stderr: '' }
      },
      async spawn() {
        throw new Error('a poller spawns nothing')
      },
    },
  }
}

/** Base64 as `base64(1)` prints it. */
export function frameOf(text) {
  const rows =
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  return rows.map((row) => `${row}\n`).join('')
}

/** A handle that polls a journal which the test appends to. */
export function growingJournal(text = '') {
  const journal = { text }
  const handle = pollingHandle((command) => {
    const from = /^tail -c \+(\d+)/.exec(command)?.[1]
    return from === undefined ? '' : frameOf(Buffer.from(journal.text).subarray(from - 1))
  })
  return { journal, handle }
}
