/**
 * The journal of a run up to its exit sentinel, as an async iterator of what the sandbox prints.
 *
 * Whoever frames it calls {@link RunSource.exit} at the sentinel; the next pull then stops the
 * reading, removes the journal, and throws a bad exit code.
 */

import { closeQuietly, DONE } from '../source.js'
import { execIn } from './command.js'
import { exitError } from './exit-error.js'
import { journalCleanupCommand, journalStderrReadCommand } from './journal.js'
import { untilAborted } from './until-aborted.js'

export class RunSource {
  #handle
  #run
  #prepare
  #output
  #exitCode
  #isPrepared = false

  /**
   * @param {object} handle
   * @param {object} run
   * @param {string} run.runId
   * @param {import('./journal.js').JournalPaths} run.paths
   * @param {AbortSignal} [run.signal]
   * @param {string} [run.cwd]
   * @param {AsyncIterator<string>} output - Of the journal.
   * @param {() => Promise<void>} prepare - What must be done before the reading starts.
   */
  constructor(handle, run, output, prepare) {
    this.#handle = handle
    this.#run = run
    this.#output = output
    this.#prepare = prepare
  }

  /** The sentinel has come. */
  exit(code) {
    this.#exitCode = code
  }

  async next() {
    if (!this.#isPrepared) {
      this.#isPrepared = true
      await this.#prepare()
    }
    const { signal, runId, paths } = this.#run
    if (this.#exitCode !== undefined) {
      await untilAborted(this.#conclude(), signal)
      return DONE
    }
    const result = await this.#output.next()
    if (!result.done) return result
    if (signal?.aborted) return DONE
    throw new Error(`journal: the run ${runId} has no exit sentinel where ${paths.journal} ended`)
  }

  return() {
    return this.#output.return()
  }

  /** The run is over, and how it ended is known: what fails here doesn't change that. */
  async #conclude() {
    const code = this.#exitCode
    await closeQuietly(this.#output)
    const stderr = code === 0 ? '' : await this.#stderr()
    await this.#exec(journalCleanupCommand(this.#run.paths))
    if (code !== 0) throw exitError(code, stderr)
  }

  async #stderr() {
    const result = await this.#exec(journalStderrReadCommand(this.#run.paths))
    return Buffer.from(`${result?.stdout ?? ''}`, 'base64').toString('utf8')
  }

  async #exec(command) {
    try {
      return await execIn(this.#handle.process, command, this.#run.cwd)
    } catch {
      return undefined
    }
  }
}
