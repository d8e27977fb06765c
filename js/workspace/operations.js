/**
 * The operations of a backend that are made of several calls to the provider. Native code says which
 * call comes next; here it is made, awaited and answered.
 *
 * An operation is an object with what the caller gave, and with what native code need not see: the
 * size of a file, the entries of a folder. Native code knows it by a number.
 */

import { binding } from '../load.js'
import { ERROR, isThere, NO_LSTAT, readAnswer, takeDetail, takePath } from './answers.js'
import {
  DESTROY,
  END_BOOLEAN,
  END_DIR,
  END_ERROR,
  END_FAILURE,
  END_FILE,
  END_LISTING,
  END_PAGE,
  END_SPECIAL,
  END_TEXT,
  END_UNDEFINED,
  EXEC,
  EXEC_IN,
  EXISTS,
  FORGET_ERROR,
  KILL,
  LIST,
  LSTAT,
  OF_CALLER,
  OF_ENTRY,
  OF_TEXT,
  READ_BYTES,
  REMOVE,
} from './kinds.js'

const { moreRequests, settle, workspaceRequests: requests } = binding

const HEADER = 2
const NUMBERS_A_REQUEST = 4

/** How many payloads a request has, by its kind. */
const PAYLOADS = new Uint8Array(FORGET_ERROR + 1)
for (const kind of [LSTAT + OF_TEXT, EXISTS + OF_TEXT, READ_BYTES + OF_TEXT, EXEC]) {
  PAYLOADS[kind] = 1
}
for (const kind of [END_TEXT, END_LISTING, END_PAGE, END_FAILURE]) PAYLOADS[kind] = 1
PAYLOADS[EXEC_IN] = 2

const MOST_ERRORS = 0x7fffffff
const NOT_BEGUN = Symbol('not begun')

export class Operations {
  #handle
  #fs
  #native
  #running = []
  #freeNumbers = []
  #errors = new Map()
  #nextError = 0
  /** What kills each job that runs. */
  #kills = new Map()
  /** What went wrong with the last answer before anything was awaited; NOT_BEGUN until it begins. */
  #lost

  constructor(handle, fs, native) {
    this.#handle = handle
    this.#fs = fs
    this.#native = native
  }

  /**
   * Starts an operation on files.
   *
   * @param {Function} start the native function that starts it
   * @param {string} path as the caller gave it
   * @param {object | undefined} options as the caller gave them
   * @param {unknown} [first] a further argument of `start`
   */
  startOnFiles(start, path, options, first) {
    return new Promise((resolve, reject) => {
      const { lstat } = this.#fs
      const operation = { path, options, lstat, resolve, reject, size: 0 }
      this.#run(start, operation, isThere(lstat), first)
    })
  }

  /**
   * Starts an operation that looks at the path first. Where there is `fs.lstat`, native code is
   * called with its answer: most operations end then, without a second call.
   *
   * @param {Function} start the native function that starts it
   * @param {string} path as the caller gave it
   * @param {object | undefined} options as the caller gave them
   * @param {string} [text] the path for messages
   */
  async startWithLstat(start, path, options, text) {
    const fs = this.#fs
    const { lstat } = fs
    const operation = { path, options, lstat, resolve: undefined, reject: undefined, size: 0 }
    let tag = NO_LSTAT
    if (isThere(lstat)) {
      const info = await Reflect.apply(lstat, fs, [path, options])
      tag = readAnswer(LSTAT + OF_CALLER, info, operation, fs)
    }
    const number = this.#begin(operation)
    const payload = this.#call(start, number, tag, takeDetail(), takePath(), text)
    if (endsOnly(number)) {
      return this.#outcome(requests[HEADER], this.#end(number), requests[HEADER + 3], payload)
    }
    return new Promise((resolve, reject) => {
      operation.resolve = resolve
      operation.reject = reject
      this.#carryOut(payload)
    })
  }

  /** Starts an operation that doesn't look at files. */
  start(start, options, first, second, third) {
    return new Promise((resolve, reject) => {
      const operation = { options, resolve, reject, stdout: undefined }
      this.#run(start, operation, false, first, second, third)
    })
  }

  /** Jobs are known to native code by a number. */
  addJob(number, kill) {
    this.#kills.set(number, kill)
  }

  removeJob(number) {
    this.#kills.delete(number)
  }

  #run(start, operation, hasLstat, first, second, third) {
    const number = this.#begin(operation)
    this.#carryOut(this.#call(start, number, hasLstat, first, second, third))
  }

  #begin(operation) {
    const number = this.#freeNumbers.pop() ?? this.#running.length
    this.#running[number] = operation
    return number
  }

  /** Calls a native function that starts an operation. */
  #call(start, number, first, second, third, fourth) {
    try {
      return start(this.#native, number, first, second, third, fourth)
    } catch (error) {
      this.#end(number)
      throw error
    }
  }

  #end(number) {
    const operation = this.#running[number]
    this.#running[number] = undefined
    this.#freeNumbers.push(number)
    return operation
  }

  /** Carries out what native code asks for. */
  #carryOut(payloads) {
    const count = requests[0]
    if (count > 1 || requests[1] !== 0) {
      this.#carryOutMany(payloads)
    } else if (count === 1) {
      const kind = requests[HEADER]
      const isPair = PAYLOADS[kind] > 1
      this.#carryOutOne(
        kind,
        requests[HEADER + 1],
        requests[HEADER + 2],
        requests[HEADER + 3],
        this.#running[requests[HEADER + 1]],
        isPair ? payloads[0] : payloads,
        isPair ? payloads[1] : undefined,
      )
    }
  }

  /** Takes all requests before the first is carried out: that may call back and bring new ones. */
  #carryOutMany(payloads) {
    const taken = []
    for (let next = payloads; ; next = moreRequests(this.#native)) {
      this.#take(next, taken)
      if (requests[1] === 0) break
    }
    for (const { kind, number, slot, detail, operation, payload, second } of taken) {
      this.#carryOutOne(kind, number, slot, detail, operation, payload, second)
    }
  }

  #take(payloads, taken) {
    const count = requests[0]
    const all = count === 1 && PAYLOADS[requests[HEADER]] === 1 ? [payloads] : payloads
    let next = 0
    for (let index = 0; index < count; index += 1) {
      const at = HEADER + index * NUMBERS_A_REQUEST
      const kind = requests[at]
      const number = requests[at + 1]
      taken.push({
        kind,
        number,
        slot: requests[at + 2],
        detail: requests[at + 3],
        // One of several parallel requests may end the operation before the others are made.
        operation: this.#running[number],
        payload: PAYLOADS[kind] > 0 ? all[next++] : undefined,
        second: PAYLOADS[kind] > 1 ? all[next++] : undefined,
      })
    }
  }

  #carryOutOne(kind, number, slot, detail, operation, payload, second) {
    if (kind >= END_UNDEFINED) {
      this.#finish(kind, number, detail, payload)
      return
    }
    if (kind === KILL) {
      this.#kills.get(detail)?.()
      return
    }
    this.#lost = NOT_BEGUN
    const answered = this.#askAndAnswer(slot, kind, operation, detail, payload, second)
    if (this.#lost === undefined) return
    if (this.#lost !== NOT_BEGUN) throw this.#lost
    // A full stack, in an engine that makes a rejected promise of it in place of an exception.
    answered.catch(() => undefined)
    throw new RangeError('Maximum call stack size exceeded')
  }

  /** Calls the provider. */
  #ask(kind, operation, detail, payload, second) {
    const fs = this.#fs
    switch (kind) {
      case LSTAT + OF_CALLER:
        return Reflect.apply(operation.lstat, fs, [operation.path, operation.options])
      case LSTAT + OF_TEXT:
        return Reflect.apply(operation.lstat, fs, [payload, operation.options])
      case LSTAT + OF_ENTRY:
        return Reflect.apply(operation.lstat, fs, [
          operation.entries[detail].path,
          operation.options,
        ])
      case EXISTS + OF_CALLER:
        return fs.exists(operation.path, operation.options)
      case EXISTS + OF_TEXT:
        return fs.exists(payload, operation.options)
      case READ_BYTES + OF_CALLER:
        return fs.readBytes(operation.path, operation.options)
      case READ_BYTES + OF_TEXT:
        return fs.readBytes(payload, operation.options)
      case LIST:
        return fs.list(operation.path, operation.options)
      case REMOVE:
        return fs.remove(operation.path, operation.options)
      case EXEC:
        return this.#handle.process.exec(payload)
      case EXEC_IN:
        return this.#handle.process.exec(payload, {
          cwd: second,
          signal: operation.options?.signal,
        })
      case DESTROY:
        return this.#handle.destroy()
      default:
        throw new Error(`an unknown request: ${kind}`)
    }
  }

  /**
   * Nobody waits for the promise of this. On a full stack the `await` itself may throw, and then the
   * answer, too: that is left for the caller, who still is in the call that began the operation. The
   * provider is called in the same frame as its answer is awaited: else its promise could be left to
   * nobody.
   */
  async #askAndAnswer(slot, kind, operation, detail, payload, second) {
    let tag
    try {
      const given = this.#ask(kind, operation, detail, payload, second)
      // Not earlier: the provider may have begun other operations here.
      this.#lost = undefined
      tag = readAnswer(kind, await given, operation, this.#fs)
    } catch (error) {
      try {
        this.#answerError(slot, error)
        this.#lost = undefined
      } catch (failure) {
        this.#lost = failure
      }
      return
    }
    this.#carryOut(settle(this.#native, slot, tag, takeDetail(), takePath()))
  }

  #answerError(slot, error) {
    const number = this.#nextError
    this.#nextError = (number + 1) & MOST_ERRORS
    this.#errors.set(number, error)
    this.#carryOut(settle(this.#native, slot, ERROR, number))
  }

  #finish(kind, number, detail, payload) {
    if (kind === FORGET_ERROR) {
      this.#errors.delete(detail)
      return
    }
    const operation = this.#end(number)
    try {
      operation.resolve(this.#outcome(kind, operation, detail, payload))
    } catch (error) {
      operation.reject(error)
    }
  }

  /** What an operation has ended with. Throws what it has failed with. */
  #outcome(kind, operation, detail, payload) {
    if (kind === END_ERROR) throw this.#errors.get(detail)
    if (kind === END_FAILURE) throw new Error(payload)
    return result(kind, operation, detail, payload)
  }
}

/** Whether all that native code asks for is the end of the operation that has this number. */
function endsOnly(number) {
  return (
    requests[0] === 1 &&
    requests[HEADER] >= END_UNDEFINED &&
    requests[HEADER] <= END_ERROR &&
    requests[HEADER + 1] === number
  )
}

function result(kind, operation, detail, payload) {
  switch (kind) {
    case END_FILE:
      return { type: 'file', size: operation.size, mtimeMs: 0 }
    case END_SPECIAL:
      return { type: 'file', size: 0, mtimeMs: 0 }
    case END_DIR:
      return { type: 'dir', size: 0, mtimeMs: 0 }
    case END_TEXT:
      return payload
    case END_BOOLEAN:
      return detail !== 0
    case END_LISTING:
      return operation.entries.map((entry, at) => {
        const type = payload[at] === 0 ? entry.type : 'link'
        return { name: entry.name, type }
      })
    case END_PAGE: {
      // The lines are cut out of the provider's own text, so none is changed on its way.
      const [head, size, start, end, total] = payload
      const lines = start === undefined ? [] : operation.stdout.slice(start, end).split('\n')
      return { head, size, lines, total }
    }
    default:
      return undefined
  }
}
