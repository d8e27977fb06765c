/** What the head of a 64-bit little-endian ELF file tells: which programs and libraries of Linux are. */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const MAGIC = '\x7fELF\x02\x01'
const HEADER_SIZE = 64
const PT_INTERP = 3
const SHT_STRTAB = 3
const SHN_UNDEF = 0
const LONGEST_PATH = 4096

/**
 * The dynamic loader that an executable names.
 *
 * @param {string} file
 * @returns {string | undefined} Nothing where it names none, or isn't such a file, or is unreadable.
 */
export function elfInterpreter(file) {
  return inspect(file, (descriptor, header) => {
    const entrySize = header.readUInt16LE(54)
    const start = Number(header.readBigUInt64LE(32))
    const entries = readAt(descriptor, start, entrySize * header.readUInt16LE(56))
    for (let at = 0; at < entries.length; at += entrySize) {
      if (entries.readUInt32LE(at) !== PT_INTERP) continue
      const offset = Number(entries.readBigUInt64LE(at + 8))
      const size = Number(entries.readBigUInt64LE(at + 32))
      return readAt(descriptor, offset, Math.min(size, LONGEST_PATH)).toString('latin1')
    }
    return undefined
  })
}

/**
 * What is wrong with the end of a file, where the table of its sections is: it was cut off when a copy
 * was broken off, or is empty when the machine lost power. The system would load it all the same, and
 * kill the process with SIGBUS or SIGSEGV.
 *
 * @param {string} file
 * @returns {string | undefined} Nothing also for what isn't such a file, or is unreadable.
 */
export function damageOfElf(file) {
  return inspect(file, (descriptor, header) => {
    const start = Number(header.readBigUInt64LE(40))
    const entrySize = header.readUInt16LE(58)
    const count = header.readUInt16LE(60)
    if (count === 0) return undefined
    const ofNames = header.readUInt16LE(62)
    const missing = start + entrySize * count - fstatSync(descriptor).size
    if (missing > 0) return `cut off, ${missing} bytes are missing`
    if (ofNames === SHN_UNDEF) return undefined
    const names = readAt(descriptor, start + entrySize * ofNames, entrySize)
    return names.readUInt32LE(4) === SHT_STRTAB ? undefined : 'damaged, its end is not what it was'
  })
}

/**
 * @template T
 * @param {string} file
 * @param {(descriptor: number, header: Buffer) => T} read
 * @returns {T | undefined}
 */
function inspect(file, read) {
  let descriptor
  try {
    descriptor = openSync(file, 'r')
    const header = readAt(descriptor, 0, HEADER_SIZE)
    return header.toString('latin1', 0, MAGIC.length) === MAGIC
      ? read(descriptor, header)
      : undefined
  } catch {
    // Unreadable, or cut off within what was asked for.
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function readAt(descriptor, position, length) {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position))
}
