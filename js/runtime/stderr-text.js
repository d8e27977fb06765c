/**
 * What a process says on stderr, as far as the error of its exit code quotes it: the rest is read,
 * so that the process never waits, and dropped, however much it is.
 */

import { ChunkText } from './chunk-text.js'
import { MOST_OF_STDERR } from './exit-error.js'

/**
 * How long stderr may go on behind the end of its process. What the agent left running may hold it
 * open for ever.
 */
const GRACE_MS = 1000

export class StderrText {
  #text = new ChunkText()
  #start = ''
  #ended

  /** Drains the stream from now on. */
  constructor(stream) {
    this.#ended = this.#drain(stream)
  }

  /** What was said, once the process has ended: blank at the front, and cut where no more is quoted. */
  async afterExit() {
    let timer
    const grace = new Promise((resolve) => {
      timer = setTimeout(resolve, GRACE_MS)
    })
    await Promise.race([this.#ended, grace])
    clearTimeout(timer)
    return this.#start
  }

  async #drain(stream) {
    try {
      for await (const chunk of stream) this.#add(this.#text.of(chunk))
      this.#add(this.#text.end())
    } catch {
      // The exit code says how the process ended; this is only what it said.
    }
  }

  /** One character more than is quoted says that the quote doesn't end in white space. */
  #add(text) {
    const room = MOST_OF_STDERR - this.#start.length
    if (room < 0) return
    const more = this.#start === '' ? text.trimStart() : text
    this.#start += more.slice(0, room)
    const [character] = more.slice(room).trimStart()
    if (character !== undefined) this.#start += character
  }
}
