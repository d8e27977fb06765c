/** Lines of a file on a disk that this host has. What it does is said in `api/journal-file.d.ts`. */

import { JournalIterator } from '../iterator.js'
import { readOptions, requirePath } from './arguments.js'
import { FileReading } from './reading.js'
import { FileBatches, FileLines } from './stages.js'

export class JournalFile {
  #reading
  #isRead = false

  constructor(path, options) {
    this.#reading = new FileReading(requirePath(path), readOptions(options))
  }

  get position() {
    return this.#reading.position
  }

  [Symbol.asyncIterator]() {
    return this.#read(new FileLines(this.#reading))
  }

  batches() {
    return this.#read(new FileBatches(this.#reading))
  }

  close() {
    return this.#reading.close()
  }

  /** Once: two iterators would each get a part of the lines. */
  #read(stage) {
    if (this.#isRead) {
      throw new TypeError(
        'journal: a JournalFile is read once; to go on, make another from its position',
      )
    }
    this.#isRead = true
    return new FileIterator(this.#reading, stage)
  }
}

/** Its `return()` and `throw()` end a `next()` that waits for the file to grow. */
class FileIterator extends JournalIterator {
  #reading

  constructor(reading, stage) {
    super(reading, stage)
    this.#reading = reading
  }

  return(value) {
    FileIterator.#close(this)
    return super.return(value)
  }

  throw(error) {
    FileIterator.#close(this)
    return super.throw(error)
  }

  static #close(receiver) {
    if (typeof receiver === 'object' && receiver !== null && #reading in receiver) {
      receiver.#reading.close()
    }
  }
}

if (Symbol.asyncDispose !== undefined) {
  Object.defineProperty(JournalFile.prototype, Symbol.asyncDispose, {
    value() {
      return this.close()
    },
    configurable: true,
    writable: true,
  })
}
