/** Prints lines as they are: the very bytes into a pipe or file, escaped on a terminal. */

import { escapeControls } from '../escape.js'
import { write } from '../output.js'
import { isExact, RawBytes } from '../raw-bytes.js'

export class LinePrinter {
  #raw
  #position
  #withPositions
  #isTerminal = process.stdout.isTTY === true

  /** @param {{ path: string, from: number, positions: boolean }} options */
  constructor({ path, from, positions }) {
    this.#raw = new RawBytes(path)
    this.#position = from
    this.#withPositions = positions
  }

  /** @param {{ line: string, endPosition: number }[]} lines */
  async print(lines) {
    let text = ''
    for (const journalLine of lines) {
      const { line, endPosition } = journalLine
      if (this.#withPositions) text += `${endPosition}\t`
      const start = this.#position
      this.#position = endPosition
      if (this.#isTerminal) {
        text += `${escapeControls(line)}\n`
      } else if (isExact(line, endPosition - start - 1)) {
        text += `${line}\n`
      } else {
        await write(text)
        await write(await this.#raw.readLine(journalLine, start))
        text = ''
      }
    }
    await write(text)
  }

  async close() {
    await this.#raw.close()
  }
}
