/** Prints events, one a line: what kind, and what matters of it. */

import { coloursFor } from '../colours.js'
import { toOneLine } from '../escape.js'
import { write } from '../output.js'
import { describeEvent } from './describe-event.js'

const PIPE_WIDTH = 160
const LEAST_WIDTH = 40
const LABEL_WIDTH = 10
const MAX_LABEL_WIDTH = 32
const POSITION_WIDTH = 10

export class EventPrinter {
  #withPositions
  #colours = coloursFor(process.stdout)

  /** @param {{ positions: boolean }} options */
  constructor({ positions }) {
    this.#withPositions = positions
  }

  /** @param {{ line: string, endPosition: number }[]} lines */
  async print(lines) {
    await write(lines.map((line) => this.#format(line)).join(''))
  }

  async close() {}

  #format({ line, endPosition }) {
    const { label, text, tone } = describeEvent(line)
    const position = this.#withPositions ? `${endPosition}`.padStart(POSITION_WIDTH) : ''
    const gap = this.#withPositions ? '  ' : ''
    const shownLabel = toOneLine(label, MAX_LABEL_WIDTH).padEnd(LABEL_WIDTH)
    const left = width() - position.length - gap.length - shownLabel.length - 2
    const shownText = toOneLine(text, Math.max(LEAST_WIDTH, left))
    const colour = this.#colours[TONES[tone]]
    const shownPosition = this.#withPositions ? this.#colours.dim(position) + gap : ''
    return `${shownPosition}${colour(shownLabel)}  ${shownText}`.trimEnd().concat('\n')
  }
}

/** Asked for each line: a window changes its width. */
function width() {
  return process.stdout.columns ? process.stdout.columns - 1 : PIPE_WIDTH
}

const TONES = {
  agent: 'cyan',
  tool: 'yellow',
  user: 'green',
  end: 'magenta',
  error: 'red',
  other: 'dim',
}
