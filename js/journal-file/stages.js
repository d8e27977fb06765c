/**
 * Stages, as `js/stages.js` describes them, over a `FileReading`: a chunk is what one read of the file
 * has left with native code.
 */

class FileStage {
  /** @param {import('./reading.js').FileReading} reading */
  constructor(reading) {
    this.reading = reading
  }

  accept() {}

  finish() {
    return undefined
  }

  toPublicError(error) {
    return this.reading.toPublicError(error)
  }
}

export class FileLines extends FileStage {
  #lines = []
  #next = 0

  take() {
    if (this.#next < this.#lines.length && !this.reading.isClosed) {
      return this.#deliver(this.#lines[this.#next++])
    }
    return undefined
  }

  refill() {
    const lines = this.reading.nextBatch()
    if (lines === undefined) {
      this.#lines = []
      return undefined
    }
    this.#lines = lines
    this.#next = 1
    return this.#deliver(lines[0])
  }

  #deliver(line) {
    this.reading.position = line.endPosition
    return line
  }
}

export class FileBatches extends FileStage {
  take() {
    return undefined
  }

  refill() {
    const lines = this.reading.nextBatch()
    if (lines !== undefined) this.reading.position = lines.at(-1).endPosition
    return lines
  }
}
