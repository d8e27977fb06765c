/**
 * An async iterator that behaves as an async generator does, without being one: a waiting item is
 * answered with a resolved promise, which costs half as much.
 *
 * Invariants:
 *
 * 1. One request is under way at a time (`#busy`). Others wait in `#queue`, and are answered in
 *    order.
 * 2. The source is opened by the first request, pulled only when no item is ready, and closed at
 *    most once: never when it has ended or thrown by itself.
 * 3. After the end, an error or a close there are no more items.
 *
 * Fusion: where the source is itself an iterator of this class that decodes, its chunks are taken
 * undecoded, by a request in its own queue, and decoded by its own codec straight into lines. What
 * ends it, fails in it or closes its source stays its own affair, so whoever else reads it meanwhile
 * gets what is due.
 */

import { describe } from './describe.js'
import { closeQuietly, closeSource, END, openSource, readResult } from './source.js'
import { DecodeStage, LineStage } from './stages.js'

const START = 0
const OPEN = 1
const DONE = 2

/** Stands in for the stage of an iterator that is done, so that what it held can be collected. */
const ENDED = { take() {} }

/** Has the methods that the runtime gives to all async iterators. */
class AsyncIteratorBase {}
Object.setPrototypeOf(
  AsyncIteratorBase.prototype,
  Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype)),
)

export class JournalIterator extends AsyncIteratorBase {
  #stage
  /** What to iterate over. Dropped once it is opened. */
  #source
  #iterator
  #nextMethod
  /** The iterator whose chunks are read undecoded. */
  #fused
  #state = START
  #busy = false
  #draining = false
  #queue = []

  constructor(source, stage) {
    super()
    this.#source = source
    this.#stage = stage
  }

  next() {
    if (!JournalIterator.#isOne(this)) return rejectReceiver(this)
    if (this.#busy) return this.#enqueue(this.#advance)
    const item = this.#stage.take()
    if (item !== undefined) return Promise.resolve({ value: item, done: false })
    return this.#start(this.#advance)
  }

  return(value) {
    if (!JournalIterator.#isOne(this)) return rejectReceiver(this)
    return this.#request(this.#close, value)
  }

  throw(error) {
    if (!JournalIterator.#isOne(this)) return rejectReceiver(this)
    return this.#request(this.#fail, error)
  }

  [Symbol.asyncIterator]() {
    return this
  }

  static #isOne(value) {
    return typeof value === 'object' && value !== null && #busy in value
  }

  #request(step, argument) {
    return this.#busy ? this.#enqueue(step, argument) : this.#start(step, argument)
  }

  #start(step, argument) {
    this.#busy = true
    try {
      return step.call(this, argument)
    } catch (error) {
      // A step never throws, but for one that could not begin: the stack is full.
      this.#busy = false
      throw error
    }
  }

  #enqueue(step, argument) {
    return new Promise((resolve, reject) => {
      this.#queue.push({ step, argument, resolve, reject })
    })
  }

  /** Answers the requests that wait, behind the step that ends, once its own promise has settled. */
  #startDraining() {
    this.#draining = true
    queueMicrotask(() => this.#drain())
  }

  async #drain() {
    for (let request = this.#queue.shift(); request; request = this.#queue.shift()) {
      try {
        request.resolve(await request.step.call(this, request.argument))
      } catch (error) {
        request.reject(error)
      }
    }
    this.#draining = false
    this.#busy = false
  }

  /** A step: the next item. */
  async #advance() {
    try {
      if (this.#state === DONE) return { value: undefined, done: true }
      if (this.#state === START) this.#open()
      let item = this.#ready()
      while (item === undefined) {
        if (this.#fused === undefined) {
          const chunk = readResult(await Reflect.apply(this.#nextMethod, this.#iterator, []))
          if (chunk === END) {
            item = this.#finish()
            return { value: item, done: item === undefined }
          }
          item = this.#accept(chunk)
        } else {
          const inner = this.#fused
          const hasRead = await inner.#request(inner.#advanceFor, this.#stage)
          if (!hasRead) {
            this.#end()
            return { value: undefined, done: true }
          }
          item = this.#ready()
        }
      }
      if (item instanceof Failure) throw await this.#abandon(item.error)
      return { value: item, done: false }
    } catch (error) {
      this.#end()
      throw error
    } finally {
      // Not in a method: at the limit of the stack a call fails, and this must not.
      if (!this.#draining) {
        if (this.#queue.length === 0) this.#busy = false
        else this.#startDraining()
      }
    }
  }

  /**
   * A step: hands chunks to `reader` undecoded, until one completes any bytes. Gives whether one did.
   */
  async #advanceFor(reader) {
    try {
      if (this.#state === DONE) return false
      if (this.#state === START) this.#open()
      let accepted = false
      while (accepted === false) {
        const chunk = readResult(await Reflect.apply(this.#nextMethod, this.#iterator, []))
        if (chunk === END) {
          this.#finish()
          return false
        }
        accepted = this.#acceptFor(reader, chunk)
      }
      if (accepted instanceof Failure) throw await this.#abandon(accepted.error)
      return true
    } catch (error) {
      this.#end()
      throw error
    } finally {
      if (!this.#draining) {
        if (this.#queue.length === 0) this.#busy = false
        else this.#startDraining()
      }
    }
  }

  /** A step: `return()`. */
  async #close(value) {
    const iterator = this.#leave()
    try {
      let result
      try {
        result = await value
      } catch (error) {
        if (iterator !== undefined) await closeQuietly(iterator)
        throw error
      }
      if (iterator !== undefined) await closeSource(iterator)
      return { value: result, done: true }
    } finally {
      if (!this.#draining) {
        if (this.#queue.length === 0) this.#busy = false
        else this.#startDraining()
      }
    }
  }

  /** A step: `throw()`. */
  async #fail(error) {
    const iterator = this.#leave()
    try {
      if (iterator !== undefined) await closeQuietly(iterator)
      throw error
    } finally {
      if (!this.#draining) {
        if (this.#queue.length === 0) this.#busy = false
        else this.#startDraining()
      }
    }
  }

  #open() {
    const source = this.#source
    this.#source = undefined
    this.#state = OPEN
    const iterator = openSource(source)
    this.#iterator = iterator
    this.#nextMethod = iterator.next
    if (this.#stage instanceof LineStage && JournalIterator.#isFusible(iterator)) {
      this.#fused = iterator
      this.#stage.fuseWith(iterator.#stage)
    }
  }

  /** Whether nobody has read `iterator` yet, and it is just as it was made. */
  static #isFusible(iterator) {
    return (
      JournalIterator.#isOne(iterator) &&
      iterator.#state === START &&
      !iterator.#busy &&
      iterator.#stage instanceof DecodeStage &&
      !iterator.#stage.hasReader &&
      iterator.next === pristine.next &&
      iterator.return === pristine.return
    )
  }

  /*
   * What a stage throws is returned, to be told apart from what the source throws.
   */

  #ready() {
    try {
      const item = this.#stage.take()
      return item === undefined ? this.#stage.refill() : item
    } catch (error) {
      return new Failure(this.#stage.toPublicError(error))
    }
  }

  #accept(chunk) {
    try {
      this.#stage.accept(chunk)
      const item = this.#stage.take()
      return item === undefined ? this.#stage.refill() : item
    } catch (error) {
      return new Failure(this.#stage.toPublicError(error))
    }
  }

  #acceptFor(reader, chunk) {
    try {
      return reader.acceptUndecoded(chunk)
    } catch (error) {
      return new Failure(this.#stage.toPublicError(error))
    }
  }

  /** Closes the source because of an error of this iterator's own. */
  async #abandon(error) {
    const iterator = this.#leave()
    if (iterator !== undefined) await closeQuietly(iterator)
    return error
  }

  /** The source has ended by itself. */
  #finish() {
    const stage = this.#stage
    this.#end()
    try {
      return stage.finish()
    } catch (error) {
      throw stage.toPublicError(error)
    }
  }

  /** Ends the iteration. Returns the source that is to close, if there is one. */
  #leave() {
    const iterator = this.#state === OPEN ? this.#iterator : undefined
    this.#end()
    return iterator
  }

  #end() {
    this.#state = DONE
    this.#stage = ENDED
    this.#source = undefined
    this.#iterator = undefined
    this.#nextMethod = undefined
    this.#fused = undefined
  }
}

/** As an async generator does: a method that gives promises doesn't throw. */
function rejectReceiver(receiver) {
  return Promise.reject(
    new TypeError(`journal: a method of an iterator was called on ${describe(receiver)}`),
  )
}

/** An error of a stage: the source is still to close. */
class Failure {
  constructor(error) {
    this.error = error
  }
}

const pristine = {
  next: JournalIterator.prototype.next,
  return: JournalIterator.prototype.return,
}

if (Symbol.asyncDispose !== undefined) {
  Object.defineProperty(JournalIterator.prototype, Symbol.asyncDispose, {
    async value() {
      await this.return()
    },
    configurable: true,
    writable: true,
  })
}
