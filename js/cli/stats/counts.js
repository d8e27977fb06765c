/** Counts over the lines of a journal, in memory that doesn't grow with them. */

import { isUtf8 } from 'node:buffer'

const REPLACEMENT = '\ufffd'
/** A hostile journal may have a new type in each line. */
const MAX_TYPES = 1000
const MAX_TYPE_LENGTH = 80
const OTHER_TYPES = '(other types)'

export class JournalCounts {
  position = 0
  #raw
  #run
  #lines = 0
  #blank = 0
  #notJson = { lines: 0 }
  #notUtf8 = { lines: 0 }
  #longest = { bytes: 0, position: 0 }
  #exit = { sentinels: 0 }
  #types = new Map()

  /**
   * @param {import('../raw-bytes.js').RawBytes} raw
   * @param {{ id: string, exitCodeIn(line: string): number | null }} [run]
   */
  constructor(raw, run) {
    this.#raw = raw
    this.#run = run
  }

  /**
   * @param {{ line: string, endPosition: number }} journalLine
   * @returns {Promise<void> | undefined} A promise only where bytes had to be read.
   */
  add(journalLine) {
    const { line, endPosition } = journalLine
    const start = this.position
    this.position = endPosition
    this.#lines += 1
    const bytes = endPosition - start - 1
    if (bytes > this.#longest.bytes) this.#longest = { bytes, position: start }
    this.#addContent(line, start)
    // U+FFFD may stand in the file itself; only the bytes tell.
    return line.includes(REPLACEMENT) ? this.#checkBytes(journalLine, start) : undefined
  }

  /** Positions are of the first byte of a line. */
  figures() {
    const types = [...this.#types].sort(([, a], [, b]) => b - a)
    return {
      lines: this.#lines,
      blankLines: this.#blank,
      longestLine: this.#longest,
      notJson: this.#notJson,
      notUtf8: this.#notUtf8,
      exit: this.#exit,
      types: types.map(([type, lines]) => ({ type, lines })),
    }
  }

  #addContent(line, start) {
    let event
    try {
      event = JSON.parse(line)
    } catch {
      if (line.trim() === '') this.#blank += 1
      else countAt(this.#notJson, start)
      return
    }
    const isSentinel = isSentinelLike(event)
    if (isSentinel) this.#addSentinel(line, event, start)
    this.#addType(isSentinel ? '(exit sentinel)' : typeOf(event))
  }

  /** The last one counts; of the run that the file is named for, before any other's. */
  #addSentinel(line, event, start) {
    const isOwn = this.#run !== undefined && this.#run.exitCodeIn(line) !== null
    const sentinels = this.#exit.sentinels + 1
    const isBetter = isOwn || this.#exit.run === undefined
    const run = isOwn ? this.#run.id : undefined
    const found = isBetter ? { code: event.__exit, position: start, run } : this.#exit
    this.#exit = { ...found, sentinels }
  }

  #addType(type) {
    const isNew = !this.#types.has(type)
    const key = isNew && this.#types.size >= MAX_TYPES ? OTHER_TYPES : type
    this.#types.set(key, (this.#types.get(key) ?? 0) + 1)
  }

  async #checkBytes(journalLine, start) {
    if (!isUtf8(await this.#raw.readLine(journalLine, start))) countAt(this.#notUtf8, start)
  }
}

function countAt(counter, position) {
  counter.lines += 1
  counter.firstPosition ??= position
}

function isSentinelLike(event) {
  return Number.isInteger(event?.__exit) && typeof event.__nonce === 'string'
}

function typeOf(event) {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return '(no object)'
  const { type, subtype } = event
  if (typeof type !== 'string') return '(no type)'
  const name = typeof subtype === 'string' ? `${type}/${subtype}` : type
  return name.length > MAX_TYPE_LENGTH ? `${name.slice(0, MAX_TYPE_LENGTH)}…` : name
}
