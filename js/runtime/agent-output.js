/**
 * What an agent prints that runs as a child of its reader, as an async iterator of text. Its end is
 * the end of the process: a bad exit code is thrown.
 *
 * The agent gets its input while it is read: one that prints more than its pipes hold before it has
 * read all would else wait for its reader, and the reader for it.
 */

import { closeQuietly, closeSource, DONE, openSource } from '../source.js'
import { giveInput } from './agent-process.js'
import { asNextResult, asProcess } from './answers.js'
import { exitError } from './exit-error.js'
import { StderrText } from './stderr-text.js'

export class AgentOutput {
  #spawn
  #input
  #stdout
  #stderr
  /** The exit code, asked for at the start: some handles tell it only in passing. */
  #exit
  #hasEnded = false
  /** What the sandbox threw for the input. */
  #failure
  /** Rejects the read under way. */
  #reject

  /**
   * @param {() => Promise<import('../../api/workspace-backend.js').SpawnHandle>} spawn
   * @param {string | undefined} input
   */
  constructor(spawn, input) {
    this.#spawn = spawn
    this.#input = input
  }

  async next() {
    if (this.#stdout === undefined) await this.#start()
    if (!this.#hasEnded) {
      const result = await this.#read()
      if (!asNextResult(result).done) return result
      this.#hasEnded = true
      // Delivers a last line without its newline before the exit code may throw.
      return { value: '\n', done: false }
    }
    const exitCode = await this.#exit
    if (exitCode !== 0) throw exitError(exitCode, await this.#stderr.afterExit())
    return DONE
  }

  async return() {
    if (this.#stdout !== undefined && !this.#hasEnded) await closeSource(this.#stdout)
    return DONE
  }

  async #start() {
    const process = asProcess(await this.#spawn())
    this.#exit = exitOf(process)
    // Who leaves early never asks for it.
    this.#exit.catch(() => undefined)
    this.#stderr = new StderrText(process.stderr)
    this.#stdout = openSource(process.stdout)
    giveInput(process, this.#input).catch((error) => this.#fail(error))
  }

  /** Each read has a promise of its own, so that nothing piles up on that of the input. */
  #read() {
    return new Promise((resolve, reject) => {
      this.#reject = reject
      if (this.#failure === undefined) {
        Promise.resolve(this.#stdout.next()).then(resolve, reject)
      } else reject(this.#failure.error)
    })
  }

  #fail(error) {
    this.#failure = { error }
    this.#reject?.(error)
    closeQuietly(this.#stdout)
  }
}

async function exitOf(process) {
  return process.wait()
}
