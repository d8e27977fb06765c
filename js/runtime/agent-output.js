/**
 * What an agent prints that runs as a child of its reader, as an async iterator of text. Its end is
 * the end of the process: a bad exit code is thrown.
 */

import { closeSource, openSource } from '../source.js'
import { startProcess } from './agent-process.js'
import { exitError } from './exit-error.js'

const DONE = { value: undefined, done: true }

export class AgentOutput {
  #start
  #process
  #stdout
  #stderr
  #hasEnded = false

  /** @param {() => ReturnType<typeof startProcess>} start */
  constructor(start) {
    this.#start = start
  }

  async next() {
    if (this.#stdout === undefined) {
      this.#process = await this.#start()
      this.#stderr = drain(this.#process.stderr)
      this.#stdout = openSource(this.#process.stdout)
    }
    if (!this.#hasEnded) {
      const result = await this.#stdout.next()
      if (!result.done) return result
      this.#hasEnded = true
      // Delivers a last line without its newline before the exit code may throw.
      return { value: '\n', done: false }
    }
    const exitCode = await this.#process.wait()
    const stderr = await this.#stderr
    if (exitCode !== 0) throw exitError(exitCode, stderr)
    return DONE
  }

  async return() {
    if (this.#stdout !== undefined && !this.#hasEnded) await closeSource(this.#stdout)
    return DONE
  }
}

/** All of a stream as text, or what came before it failed. */
async function drain(stream) {
  const chunks = []
  try {
    for await (const chunk of stream) chunks.push(chunk)
  } catch {
    // The exit code says how the process ended; this is only what it said.
  }
  return chunks.join('')
}
