/** `bench`: JavaScript against native code, on a journal of the user's. */

import { writeFile } from 'node:fs/promises'
import { fileError } from '../errors.js'
import { EXIT } from '../exit-codes.js'
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

async function writePage(path, page) {
  try {
    await writeFile(path, page)
  } catch (error) {
    throw fileError(error, path)
  }
  note(`Wrote ${path}`)
}
