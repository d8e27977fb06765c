/**
 * The operations of a backend that are made of several calls to the provider. Native code says which
 * call comes next; here it is made, awaited and answered.
 *
 * An operation is an object with what the caller gave, and with what native code need not see: the
 * size of a file, the entries of a folder. Native code knows it by a number.
 */

import { inspect } from 'node:util'
import { describe } from '../describe.js'
import { binding } from '../load.js'
import { requireText } from './paths.js'

const { moreRequests, nextPayload, settle, workspaceRequests: requests } = binding

const HEADER = 2
const NUMBERS_A_REQUEST = 4

/** Kinds of request, as in `src/bindings/workspace/outbox.rs`. */
const LSTAT = 0
const EXISTS = 3
const READ_BYTES = 6
const OF_CALLER = 0
const OF_TEXT = 1
const OF_ENTRY = 2
const LIST = 9
const REMOVE = 10
const EXEC = 11
const EXEC_IN = 12
const DESTROY = 13
const KILL = 14
const END_UNDEFINED = 15
const END_FILE = 16
const END_SPECIAL = 17
const END_DIR = 18
const END_TEXT = 19
const END_BOOLEAN = 20
const END_LISTING = 21
const END_PAGE = 22
const END_FAILURE = 23
const END_ERROR = 24
const FORGET_ERROR = 25

/** How many payloads a request has, by its kind. */
const PAYLOADS = new Uint8Array(FORGET_ERROR + 1)
for (const kind of [LSTAT + OF_TEXT, EXISTS + OF_TEXT, READ_BYTES + OF_TEXT, EXEC]) {
  PAYLOADS[kind] = 1
}
for (const kind of [END_TEXT, END_LISTING, END_PAGE, END_FAILURE]) PAYLOADS[kind] = 1
PAYLOADS[EXEC_IN] = 2

/** Answers, as in `src/bindings/workspace/shared.rs`. */
const NOTHING = 0
const FILE = 1
const DIR = 2
const SYMLINK = 3
const OTHER = 4
const UNKNOWN = 5
const SOMETHING = 6
const COUNT = 7
const SUCCESS = 8
const FAILURE = 9
const ERROR = 10
const COUNT_AND_LSTAT = 11

const MOST_ERRORS = 0x7fffffff

/** What an answer has beside its tag. Set by the readers below, and taken at once. */
let answerDetail

export class Operations {
  #handle
  #fs
  #native
  #running = []
  #freeNumbers = []
  #errors = new Map()
  #nextError = 0
  #jobs = new Map()

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

  /** Starts an operation that doesn't look at files. */
  start(start, options, first, second, third) {
    return new Promise((resolve, reject) => {
      const operation = { options, resolve, reject, stdout: undefined }
      this.#run(start, operation, false, first, second, third)
    })
  }

  /** Jobs are known to native code by a number. */
  addJob(number, job) {
    this.#jobs.set(number, job)
  }

  removeJob(number) {
    this.#jobs.delete(number)
  }

  #run(start, operation, hasLstat, first, second, third) {
    const number = this.#freeNumbers.pop() ?? this.#running.length
    this.#running[number] = operation
    let payload
    try {
      payload = start(this.#native, number, hasLstat, first, second, third)
    } catch (error) {
      this.#end(number)
      throw error
    }
    this.#carryOut(payload)
  }

  #end(number) {
    const operation = this.#running[number]
    this.#running[number] = undefined
    this.#freeNumbers.push(number)
    return operation
  }

  /** Carries out what native code asks for. */
  #carryOut(payload) {
    const count = requests[0]
    if (count > 1 || requests[1] !== 0) {
      this.#carryOutMany(payload)
    } else if (count === 1) {
      const kind = requests[HEADER]
      const second = PAYLOADS[kind] > 1 ? nextPayload(this.#native) : undefined
      this.#perform(
        kind,
        requests[HEADER + 1],
        requests[HEADER + 2],
        requests[HEADER + 3],
        this.#running[requests[HEADER + 1]],
        payload,
        second,
      )
    }
  }

  /** Takes all requests before the first is carried out: that may call back and bring new ones. */
  #carryOutMany(payload) {
    const taken = []
    let next = payload
    const takePayload = () => {
      const result = next
      next = undefined
      return result ?? nextPayload(this.#native)
    }
    for (;;) {
      const end = HEADER + requests[0] * NUMBERS_A_REQUEST
      for (let at = HEADER; at < end; at += NUMBERS_A_REQUEST) {
        const request = Array.from(requests.subarray(at, at + NUMBERS_A_REQUEST))
        // One of several parallel requests may end the operation before the others are made.
        request.push(this.#running[request[1]])
        for (let count = PAYLOADS[request[0]]; count > 0; count -= 1) request.push(takePayload())
        taken.push(request)
      }
      if (requests[1] === 0) break
      next = moreRequests(this.#native)
    }
    for (const request of taken) this.#perform(...request)
  }

  #perform(kind, number, slot, detail, operation, payload, second) {
    if (kind >= END_UNDEFINED) {
      this.#finish(kind, number, detail, payload)
      return
    }
    switch (kind) {
      case LSTAT + OF_CALLER:
        this.#ask(slot, operation, readCallersLstat, () =>
          Reflect.apply(operation.lstat, this.#fs, [operation.path, operation.options]),
        )
        break
      case LSTAT + OF_TEXT:
        this.#ask(slot, operation, readLstat, () =>
          Reflect.apply(operation.lstat, this.#fs, [payload, operation.options]),
        )
        break
      case LSTAT + OF_ENTRY:
        this.#ask(slot, operation, readEntryLstat, () =>
          Reflect.apply(operation.lstat, this.#fs, [
            operation.entries[detail].path,
            operation.options,
          ]),
        )
        break
      case EXISTS + OF_CALLER:
      case EXISTS + OF_TEXT: {
        const path = kind === EXISTS ? operation.path : payload
        this.#ask(slot, operation, readTruth, () => this.#fs.exists(path, operation.options))
        break
      }
      case READ_BYTES + OF_CALLER:
      case READ_BYTES + OF_TEXT: {
        const path = kind === READ_BYTES ? operation.path : payload
        this.#ask(slot, operation, readBytes, () => this.#fs.readBytes(path, operation.options))
        break
      }
      case LIST:
        this.#ask(
          slot,
          operation,
          (entries) => this.#readEntries(entries, operation),
          () => this.#fs.list(operation.path, operation.options),
        )
        break
      case REMOVE:
        this.#ask(slot, operation, readNothing, () =>
          this.#fs.remove(operation.path, operation.options),
        )
        break
      case EXEC:
        this.#ask(slot, undefined, readExit, () => this.#handle.process.exec(payload))
        break
      case EXEC_IN:
        this.#ask(slot, operation, readOutput, () =>
          this.#handle.process.exec(payload, { cwd: second, signal: operation.options?.signal }),
        )
        break
      case DESTROY:
        this.#ask(slot, operation, readNothing, () => this.#handle.destroy())
        break
      case KILL:
        this.#jobs.get(detail)?.kill()
    }
  }

  /** Calls the provider, and answers with what it gives in the end. */
  #ask(slot, operation, read, call) {
    let promise
    try {
      promise = Promise.resolve(call())
    } catch (error) {
      this.#answerError(slot, error)
      return
    }
    promise.then(
      (value) => {
        let tag
        try {
          tag = read(value, operation)
        } catch (error) {
          this.#answerError(slot, error)
          return
        }
        const detail = answerDetail
        answerDetail = undefined
        this.#carryOut(settle(this.#native, slot, tag, detail))
      },
      (error) => this.#answerError(slot, error),
    )
  }

  #answerError(slot, error) {
    const number = this.#nextError
    this.#nextError = (number + 1) & MOST_ERRORS
    this.#errors.set(number, error)
    this.#carryOut(settle(this.#native, slot, ERROR, number))
  }

  #readEntries(entries, operation) {
    if (!Array.isArray(entries)) {
      throw new TypeError(`fs.list of the sandbox gave ${describe(entries)}, not an array`)
    }
    operation.entries = Array.from(entries)
    operation.lstat = this.#fs.lstat
    answerDetail = operation.entries.length
    return isThere(operation.lstat) ? COUNT_AND_LSTAT : COUNT
  }

  #finish(kind, number, detail, payload) {
    if (kind === FORGET_ERROR) {
      this.#errors.delete(detail)
      return
    }
    const operation = this.#end(number)
    try {
      switch (kind) {
        case END_ERROR:
          operation.reject(this.#errors.get(detail))
          break
        case END_FAILURE:
          operation.reject(new Error(payload))
          break
        default:
          operation.resolve(result(kind, operation, detail, payload))
      }
    } catch (error) {
      operation.reject(error)
    }
  }
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

/*
 * Readers: each tells native code of a value that the provider gave, by a tag and a detail.
 */

function readLstat(info, operation) {
  if (!info) return NOTHING
  switch (info.type) {
    case 'file':
      operation.size = info.size
      return FILE
    case 'dir':
      return DIR
    case 'symlink':
      return SYMLINK
    case 'other':
      return OTHER
    default:
      answerDetail = inspect(info.type)
      return UNKNOWN
  }
}

/** From here on the caller's path is needed as a text, for arithmetic. */
function readCallersLstat(info, operation) {
  const tag = readLstat(info, operation)
  if (tag === SYMLINK || tag === UNKNOWN) requireText(operation.path)
  if (tag === SYMLINK) answerDetail = operation.path
  return tag
}

/** Of an entry only whether it is a link is looked at. */
function readEntryLstat(info) {
  return info?.type === 'symlink' ? SYMLINK : OTHER
}

function readTruth(value) {
  return value ? SOMETHING : NOTHING
}

function readNothing() {
  return SOMETHING
}

function readBytes(bytes, operation) {
  if (!bytes) return NOTHING
  operation.size = bytes.byteLength
  return SOMETHING
}

/** Lines are cut out of the output later. */
function readOutput(exit, operation) {
  const tag = readExit(exit)
  operation.stdout = answerDetail
  return tag
}

function readExit(exit) {
  const isSuccess = exit?.exitCode === 0
  const text = isSuccess ? exit.stdout : exit?.stderr
  answerDetail = typeof text === 'string' ? text : undefined
  return isSuccess ? SUCCESS : FAILURE
}

function isThere(method) {
  return method !== undefined && method !== null
}
