/**
 * The frames of a polled journal: base64 of all that stands behind the last complete line, as an
 * async iterator.
 */

import { DONE } from '../source.js'
import { asExecResult } from './answers.js'
import { journalReadCommand } from './journal.js'
import { ABORTED, ReadWatch } from './read-watch.js'

export class PollSource {
  #options
  #stage
  #watch
  #hasPolled = false

  /**
   * @param {ReturnType<typeof import('./reader.js').readOptions>} options
   * @param {import('../stages.js').FrameStage} stage - What takes the frames in, and knows where the
   *   next one starts. Loses what it holds at an abort.
   */
  constructor(options, stage) {
    this.#options = options
    this.#stage = stage
  }

  async next() {
    try {
      const frame = await this.#nextFrame()
      if (frame !== ABORTED) return { value: frame, done: false }
      this.#watch.stop()
      return DONE
    } catch (error) {
      this.#watch?.stop()
      if (this.#watch?.isAborted) return DONE
      throw error
    }
  }

  async return() {
    this.#watch?.stop()
    return DONE
  }

  async #nextFrame() {
    const { signal, firstByteTimeoutMs, createStallError, pollIntervalMs } = this.#options
    const onAbort = () => this.#stage.discard()
    this.#watch ??= new ReadWatch({ signal, firstByteTimeoutMs, createStallError, onAbort })
    for (;;) {
      if (this.#hasPolled && (await this.#watch.sleep(pollIntervalMs)) === ABORTED) return ABORTED
      if (this.#watch.isAborted) return ABORTED
      const frame = await this.#watch.wait(this.#poll())
      if (frame === ABORTED) return ABORTED
      this.#hasPolled = true
      if (/\S/.test(frame)) {
        this.#watch.sawByte()
        return frame
      }
    }
  }

  async #poll() {
    const { handle, paths, processOptions } = this.#options
    const command = journalReadCommand(paths, this.#stage.position)
    return asExecResult(await handle.process.exec(command, processOptions)).stdout
  }
}
