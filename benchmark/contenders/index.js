/**
 * The contenders by name, loaded when asked for: `native` can be left out before it is built.
 */

import { FloorLines } from './floor.js'

const MODULES = {
  native: () => import('../../js/cli/bench/contenders/native.js'),
  batches: () => import('../../js/cli/bench/contenders/batches.js'),
  best: () => import('./best/index.js'),
  'best-utf8': () => import('./best/utf8.js'),
  good: () => import('../../js/cli/bench/contenders/good.js'),
  reference: () => import('../../js/cli/bench/contenders/reference.js'),
}

const OPENERS = { base64: 'base64Lines', bytes: 'byteLines', text: 'textLines' }

/** All names, in the order of the table. */
export const CONTENDER_NAMES = ['floor', ...Object.keys(MODULES)]

/** Those that give answers; `floor` only hands out ready ones. */
export const FRAMERS = Object.keys(MODULES)

/**
 * @param {string} name
 * @param {'base64' | 'bytes' | 'text'} source
 * @returns {Promise<(chunks: AsyncIterable<string | Uint8Array>, startPosition: number) =>
 *   AsyncIterable<unknown>>}
 */
export async function loadFramer(name, source) {
  const module = await MODULES[name]()
  return module[OPENERS[source]]
}

export { FloorLines }
