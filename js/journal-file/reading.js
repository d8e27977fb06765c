/**
 * The reading of one file: a source of chunks, for a `JournalIterator`, that are with native code.
 *
 * Invariants:
 *
 * 1. One read is under way at most, and it is at most one ahead of what the consumer has taken.
 * 2. While it waits for growth there is one timer and no read; once closed there is neither.
 * 3. Closing answers a `next()` that waits at once. The descriptor is closed by then or, where a
 *    thread still reads, when that ends, and `close()` waits for it.
 */

import { constants } from 'node:buffer'
import { isAbsolute, resolve, sep } from 'node:path'
import { countLines, readBatch } from '../batch.js'
import { toFileError } from '../errors.js'
import { binding } from '../load.js'
import { DONE } from '../source.js'

const { closeFile, newJournalFile, nextFileLines, startRead, takeReading } = binding

/** Flags of `takeReading`. */
const AT_END = 1
const GROWN = 2

/** It waits for nothing, so fake timers have no business with it. */
const setNextTurn = setImmediate

/** The first wait for growth; each further one is twice as long as the one before. */
const FIRST_DELAY_MS = 10

const CHUNK = { value: undefined, done: false }

export class FileReading {
  /** Behind the last line that was delivered. */
  position
  #path
  #absolutePath
  #options
  /** Made by the first `next()`. */
  #native
  /** Behind the last line that was made. */
  #framed
  /** The read under way, or the one that has ended and wasn't taken. */
  #read
  #atEnd = false
  #delay = 0
  #timer
  /** Ends the wait of `next()`. */
  #wake
  #closing

  constructor(path, options) {
    this.#path = path
    this.#absolutePath = toAbsolute(path)
    this.#options = options
    this.#framed = options.position
    this.position = options.position
  }

  get isClosed() {
    return this.#closing !== undefined
  }

  [Symbol.asyncIterator]() {
    return this
  }

  /** Reads on. What it reads is `nextBatch()`. */
  async next() {
    try {
      return await this.#next()
    } catch (error) {
      await this.close()
      throw error
    }
  }

  async return() {
    await this.close()
    return DONE
  }

  /** The lines of the next batch, or `undefined` when there are none before the next read. */
  nextBatch() {
    if (this.#native === undefined || this.isClosed) return undefined
    const text = nextFileLines(this.#native)
    if (text === undefined) return undefined
    const lines = new Array(countLines())
    this.#framed = readBatch(text, this.#framed, lines, 0)
    return lines
  }

  close() {
    this.#closing ??= this.#close()
    return this.#closing
  }

  toPublicError(error) {
    return toFileError(error, this.#framed, this.#path)
  }

  async #next() {
    if (this.#atEnd && !this.#options.follow) await this.close()
    if (this.isClosed) return DONE
    if (this.#atEnd) await this.#waitForTimer()
    if (this.isClosed) return DONE
    this.#native ??= this.#open()
    this.#read ??= startRead(this.#native)
    await this.#waitFor(this.#read)
    if (this.isClosed) return DONE
    const hasGrown = this.#take()
    // Node fulfils what is ready in one turn of the loop, and a fast disk always has more ready.
    if (hasGrown) await new Promise((resolve) => setNextTurn(resolve))
    return this.isClosed ? DONE : CHUNK
  }

  #open() {
    const { position, follow } = this.#options
    return newJournalFile(this.#absolutePath, position, follow, constants.MAX_STRING_LENGTH)
  }

  /** Takes what was read, and begins the next read where there is more. */
  #take() {
    const flags = takeReading(this.#native)
    const hasGrown = (flags & GROWN) !== 0
    this.#atEnd = (flags & AT_END) !== 0
    this.#read = this.#atEnd ? undefined : startRead(this.#native)
    if (hasGrown) this.#delay = 0
    return hasGrown
  }

  #waitForTimer() {
    const { pollIntervalMs } = this.#options
    this.#delay = Math.min(this.#delay === 0 ? FIRST_DELAY_MS : 2 * this.#delay, pollIntervalMs)
    return new Promise((resolve) => {
      this.#wake = resolve
      this.#timer = setTimeout(resolve, this.#delay)
    })
  }

  #waitFor(read) {
    return new Promise((resolve) => {
      this.#wake = resolve
      read.then(resolve)
    })
  }

  async #close() {
    clearTimeout(this.#timer)
    this.#wake?.()
    if (this.#native === undefined) return
    closeFile(this.#native)
    await this.#read
  }
}

/**
 * Where the process goes later doesn't change the file. On POSIX systems `..` behind a symbolic link
 * must stay, since it isn't the folder that the link lies in.
 */
function toAbsolute(path) {
  if (path === '' || isAbsolute(path)) return path
  return process.platform === 'win32' ? resolve(path) : `${process.cwd()}${sep}${path}`
}
