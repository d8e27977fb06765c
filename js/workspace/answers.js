/**
 * What the provider gave, as native code is told of it: by a tag, and for some by a detail. What
 * native code need not see stays with the operation.
 */

import { inspect } from 'node:util'
import { describe } from '../describe.js'
import * as kinds from './kinds.js'
import { requireText } from './paths.js'

/** Tags, as in `src/bindings/workspace/shared.rs`. */
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
export const ERROR = 10
const COUNT_AND_LSTAT = 11
export const NO_LSTAT = 12

/** What the answer that was read last has beside its tag. */
let answerDetail
/** The path of the caller's, where native code needs its text from now on. */
let answerPath

/** The tag of an answer to a request of this kind. Throws what looking at `value` throws. */
export function readAnswer(kind, value, operation, fs) {
  return READERS[kind](value, operation, fs)
}

/** The detail of the answer that was read last. */
export function takeDetail() {
  const detail = answerDetail
  answerDetail = undefined
  return detail
}

/** The path that belongs to the answer that was read last. */
export function takePath() {
  const path = answerPath
  answerPath = undefined
  return path
}

export function isThere(method) {
  return method !== undefined && method !== null
}

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
  if (tag === SYMLINK || tag === UNKNOWN) answerPath = requireText(operation.path)
  return tag
}

/** Of an entry only whether it is a link is looked at. */
function readEntryLstat(info) {
  return info?.type === 'symlink' ? SYMLINK : OTHER
}

function readEntries(entries, operation, fs) {
  if (!Array.isArray(entries)) {
    throw new TypeError(`fs.list of the sandbox gave ${describe(entries)}, not an array`)
  }
  operation.entries = Array.from(entries)
  operation.lstat = fs.lstat
  answerDetail = operation.entries.length
  return isThere(operation.lstat) ? COUNT_AND_LSTAT : COUNT
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

/** The reader of what each kind of request gives. */
const READERS = {
  [kinds.LSTAT + kinds.OF_CALLER]: readCallersLstat,
  [kinds.LSTAT + kinds.OF_TEXT]: readLstat,
  [kinds.LSTAT + kinds.OF_ENTRY]: readEntryLstat,
  [kinds.EXISTS + kinds.OF_CALLER]: readTruth,
  [kinds.EXISTS + kinds.OF_TEXT]: readTruth,
  [kinds.READ_BYTES + kinds.OF_CALLER]: readBytes,
  [kinds.READ_BYTES + kinds.OF_TEXT]: readBytes,
  [kinds.LIST]: readEntries,
  [kinds.REMOVE]: readNothing,
  [kinds.EXEC]: readExit,
  [kinds.EXEC_IN]: readOutput,
  [kinds.DESTROY]: readNothing,
}
