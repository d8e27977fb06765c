/**
 * The journal that the demo reads: its own, or the user's.
 *
 * @module
 */

import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { PlainError } from '../lib/output.js'
import { agentEvents } from './journal.js'
import { readHead } from './readers.js'

const EVENTS = 8_000
/** In base64 it must fit into one JavaScript string, several times over in memory. */
const LIMIT_BYTES = 128 * 1024 * 1024

/**
 * @param {string[]} args - The arguments of the command: at most a file.
 * @returns {Promise<{ bytes: Buffer, description: string }>}
 */
export async function loadJournal(args) {
  if (args.length > 1) throw new PlainError('The demo takes one file: npm run demo -- FILE')
  if (args.length === 1) return loadFile(args[0])
  const lines = Array.from(agentEvents(EVENTS), (event) => `${JSON.stringify(event)}\n`)
  return {
    bytes: Buffer.from(lines.join('')),
    description:
      'A made-up run of a coding agent (texts, tool calls, results, images, many scripts)',
  }
}

async function loadFile(name) {
  // npm runs scripts in the package's folder, and tells where the user was.
  const file = resolve(process.env.INIT_CWD ?? '', name)
  const stats = statOf(file)
  if (stats.isDirectory()) throw new PlainError(`${file} is a folder; the demo reads a file.`)
  if (!stats.isFile()) throw new PlainError(`${file} is not a regular file.`)
  if (stats.size === 0) throw new PlainError(`${file} is empty: there is no line to read.`)
  const bytes = await readHead(file, LIMIT_BYTES).catch((error) => {
    throw new PlainError(`${file} cannot be read: ${error.message}`)
  })
  if (!bytes.includes(10)) {
    throw new PlainError(`${file} has no complete line: a line of a journal ends with a newline.`)
  }
  const part = stats.size > LIMIT_BYTES ? ', its first 128 MiB' : ''
  return { bytes, description: `${basename(file)}${part}` }
}

function statOf(file) {
  try {
    return statSync(file)
  } catch (error) {
    const reason = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw new PlainError(`${file} cannot be read: ${reason}.`)
  }
}
