/**
 * Stages, as `js/stages.js` describes them, over a `FileReading`: a chunk is what one read of the file
 * has left with native code.
 */

export class FileLines {
  #reading
  #lines = []
  #next = 0

  /** @param {import('./reading.js').FileReading} reading */
  constructor(reading) {
    this.#reading = reading
  }

  take() {
    if (this.#next < this.#lines.length && !this.#reading.isClosed) {
      return this.#deliver(this.#lines[this.#next++])
    }
    return undefined
  }

  refill() {
    const lines = this.#reading.nextBatch()
    if (lines === undefined) {
      this.#lines = []
      return undefined
    }
    this.#lines = lines
    this.#next = 1
    return this.#deliver(lines[0])
  }

  accept() {}

  finish() {
    return undefined
  }

  toPublicError(error) {
    return this.#reading.toPublicError(error)
  }

  #deliver(line) {
    this.#reading.position = line.endPosition
    return line
  }
}

export class FileBatches {
  #reading

  /** @param {import('./reading.js').FileReading} reading */
  constructor(reading) {
    this.#reading = reading
  }

  take() {
    return undefined
  }

  refill() {
    const lines = this.#reading.nextBatch()
    if (lines !== undefined) this.#reading.position = lines.at(-1).endPosition
    return lines
  }

  accept() {}

  finish() {
    return undefined
  }

  toPublicError(error) {
    return this.#reading.toPublicError(error)
  }
}
