/**
 * The text of a followed journal: what `tail -f` prints in the sandbox, as an async iterator.
 *
 * The process is killed once, as soon as the reading ends for any reason: its own end, an error, a
 * stall, an abort, or a caller that leaves.
 */

import { closeQuietly, closeSource, DONE, openSource } from '../source.js'
import { asNextResult, asProcess } from './answers.js'
import { journalFollowCommand } from './journal.js'
import { ABORTED, ReadWatch } from './read-watch.js'
import { untilAborted } from './until-aborted.js'

export class FollowSource {
  #options
  #stage
  #watch
  #process
  /** Over the text of the process. */
  #text
  #isOver = false
  #killing

  /**
   * @param {ReturnType<typeof import('./reader.js').readOptions>} options
   * @param {import('../stages.js').LineStage} stage - What takes the text in. Loses what it holds
   *   at an abort.
   */
  constructor(options, stage) {
    this.#options = options
    this.#stage = stage
  }

  async next() {
    if (this.#isOver) return DONE
    try {
      const result = this.#text === undefined ? await this.#start() : await this.#pull()
      if (result === ABORTED) return DONE
      if (!asNextResult(result).done) {
        if (result.value !== '') this.#watch.sawByte()
        return result
      }
    } catch (error) {
      const isAborted = this.#watch?.isAborted
      // Neither may keep the caller waiting, as a provider that hangs would.
      if (this.#watch?.hasEnded) this.#leave()
      else await this.#untilAborted(this.#finish())
      if (isAborted) return DONE
      throw error
    }
    await this.#untilAborted(this.#finish())
    return DONE
  }

  async return() {
    await this.#untilAborted(this.#close())
    return DONE
  }

  async #close() {
    const text = this.#isOver ? undefined : this.#text
    // First: a stream may wait with its end for that of its process.
    const killed = this.#finish()
    try {
      if (text !== undefined) await closeSource(text)
    } finally {
      await killed
    }
  }

  async #start() {
    const { handle, paths, fromByte, signal, firstByteTimeoutMs, createStallError } = this.#options
    const command = journalFollowCommand(paths, fromByte)
    const onAbort = () => this.#onAbort()
    this.#watch = new ReadWatch({ signal, firstByteTimeoutMs, createStallError, onAbort })
    if (this.#watch.isAborted) return ABORTED
    const spawning = this.#spawn(handle, command)
    const spawned = await this.#watch.wait(spawning)
    if (spawned === ABORTED) return ABORTED
    this.#text = openSource(this.#process.stdout)
    return this.#pull()
  }

  async #spawn(handle, command) {
    this.#process = asProcess(await handle.process.spawn(command, this.#options.processOptions))
    // It comes too late for the reader, and nobody else knows of it.
    if (this.#isOver) await this.#kill()
  }

  #pull() {
    return this.#watch.wait(Promise.resolve(this.#text.next()))
  }

  #onAbort() {
    this.#stage.discard()
    this.#leave()
  }

  /** Ends the reading without waiting, since the text may be in the midst of an endless read. */
  #leave() {
    if (this.#isOver) return
    if (this.#text !== undefined) closeQuietly(this.#text)
    this.#finish()
  }

  /** Resolves when the process has been killed, if it was there. */
  #finish() {
    this.#isOver = true
    this.#watch?.stop()
    return this.#kill()
  }

  /** Closing is up to the provider, too, and an abort waits for no provider. */
  #untilAborted(closing) {
    return untilAborted(closing, this.#options.signal)
  }

  async #kill() {
    if (this.#process === undefined) return
    this.#killing ??= killQuietly(this.#process)
    await this.#killing
  }
}

async function killQuietly(process) {
  try {
    await process.kill()
  } catch {
    // It has ended, or will with its sandbox: the read is over all the same.
  }
}
