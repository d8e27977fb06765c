/**
 * A progress bar on stderr, for what takes longer than a moment, and only where a person looks.
 *
 * Written here, since the kept packages for it bring five more, for one line that is rewritten.
 */

import { formatBytes } from './units.js'

const DELAY_MS = 1000
const INTERVAL_MS = 100
const BAR_WIDTH = 24
const CLEAR_LINE = '\r\x1b[K'

export class Progress {
  #total
  #stream
  #shownAt = performance.now() + DELAY_MS - INTERVAL_MS
  #isShown = false

  /**
   * @param {number} total - In bytes.
   * @param {NodeJS.WriteStream} stream
   */
  constructor(total, stream = process.stderr) {
    this.#total = total
    this.#stream = stream
    // Ctrl-C ends the process in mid-bar.
    process.once('exit', () => this.end())
  }

  /** @param {number} done - Bytes. Cheap enough to be called for each batch. */
  update(done) {
    if (!this.#stream.isTTY) return
    const now = performance.now()
    if (now - this.#shownAt < INTERVAL_MS) return
    this.#shownAt = now
    this.#isShown = true
    this.#stream.write(`\r${renderBar(done, this.#total, this.#stream.columns)}\x1b[K`)
  }

  /** Takes the bar away. */
  end() {
    if (this.#isShown) this.#stream.write(CLEAR_LINE)
    this.#isShown = false
  }
}

/** One line that is shorter than the terminal is wide, so that it can be rewritten. */
function renderBar(done, total, columns = 80) {
  const share = total > 0 ? Math.min(1, done / total) : 1
  const figures = `${Math.floor(share * 100)} %  ${formatBytes(done)} of ${formatBytes(total)}`
  const width = Math.min(BAR_WIDTH, columns - figures.length - 3)
  if (width < 4) return figures.slice(0, Math.max(0, columns - 1))
  const filled = Math.round(share * width)
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}  ${figures}`
}
