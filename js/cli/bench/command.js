/** `bench`: JavaScript against native code, on a journal of the user's. */

import { access, constants, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileError, PlainError, UsageError } from '../errors.js'
import { escapeControls } from '../escape.js'
import { EXIT } from '../exit-codes.js'
import { statOf } from '../journal.js'
import { note, write } from '../output.js'
import { describeEnvironment, formatEnvironment } from './environment.js'
import { loadInput } from './load-input.js'
import { measureShape, SHAPES } from './measure-shape.js'
import { renderPage } from './page.js'
import { formatInput, formatShape } from './report.js'

/**
 * @param {string | undefined} path
 * @param {{ html?: string }} options
 * @returns {Promise<number>} The exit code.
 */
export async function bench(path, { html }) {
  const input = await loadInput(path)
  // Said before half a minute of measuring, not after it.
  if (html !== undefined) await requireWritable(html, path)
  const environment = describeEnvironment()
  await write(`${formatEnvironment(environment)}\n${formatInput(input)}\n`)
  const results = []
  for (const shape of SHAPES) {
    const result = await measureShape(shape, input.bytes)
    results.push(result)
    await write(`\n${formatShape(result)}\n`)
  }
  if (html !== undefined) await writePage(html, renderPage({ input, environment, results }))
  return EXIT.OK
}

/** @param {string} [journal] - What must not be written over. */
async function requireWritable(path, journal) {
  if (path === '') throw new UsageError('the name of the page is empty')
  const there = statOf(path)
  if (there?.isDirectory()) throw new PlainError(`${path}: is a folder`)
  if (there !== undefined && journal !== undefined && isSame(there, statOf(journal))) {
    throw new PlainError(`${path}: is the journal that is measured`)
  }
  if (statOf(dirname(path)) === undefined) throw new PlainError(`${path}: no such folder`)
  try {
    await access(there === undefined ? dirname(path) : path, constants.W_OK)
  } catch (error) {
    throw fileError(error, path)
  }
}

function isSame(one, other) {
  return one.dev === other?.dev && one.ino === other.ino
}

async function writePage(path, page) {
  try {
    await writeFile(path, page)
  } catch (error) {
    throw fileError(error, path)
  }
  note(`Wrote ${escapeControls(path)}`)
}
