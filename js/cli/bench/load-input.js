/** The journal that is measured: a file's first lines, or a sample. */

import { open } from 'node:fs/promises'
import { fileError, PlainError } from '../errors.js'
import { statOf } from '../journal.js'
import { makeJournal } from './inputs.js'

const MAX_BYTES = 32e6
const SAMPLE_BYTES = 2e6
const NEWLINE = 0x0a

/**
 * @typedef {object} Input
 * @property {string} name
 * @property {Buffer} bytes - Complete lines.
 * @property {number} lines
 * @property {boolean} isCut - Whether the file has more.
 */

/**
 * @param {string} [path] - None: a sample, the same bytes on each machine.
 * @returns {Promise<Input>}
 */
export async function loadInput(path) {
  if (path === undefined) {
    const bytes = makeJournal('mixed', SAMPLE_BYTES)
    return { name: 'a sample', bytes, lines: countLines(bytes), isCut: false }
  }
  const { head, isCut } = await readHead(path)
  const bytes = head.subarray(0, head.lastIndexOf(NEWLINE) + 1)
  if (bytes.length === 0) {
    const where = isCut ? ' in its first 32 MB' : ''
    throw new PlainError(`${path}: there is no complete line${where}, so nothing to measure`)
  }
  return { name: path, bytes, lines: countLines(bytes), isCut }
}

async function readHead(path) {
  const stats = statOf(path)
  // Opening a pipe would wait for its writer, maybe for ever.
  if (stats !== undefined && !stats.isFile()) throw new PlainError(`${path}: is not a plain file`)
  let file
  try {
    file = await open(path)
    return await readFrom(file)
  } catch (error) {
    throw fileError(error, path)
  } finally {
    await file?.close()
  }
}

async function readFrom(file) {
  const { size } = await file.stat()
  const head = Buffer.allocUnsafeSlow(Math.min(size, MAX_BYTES))
  let length = 0
  while (length < head.length) {
    const { bytesRead } = await file.read(head, length, head.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return { head: head.subarray(0, length), isCut: size > MAX_BYTES }
}

function countLines(bytes) {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1
  return count
}
