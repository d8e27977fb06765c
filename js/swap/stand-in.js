/**
 * The source of the module that stands in for one of the original's.
 *
 * It exports what the original's module exports, neither less nor more: ours where we have the name,
 * the original's else. No more, for the original's root may pass on all of a module (`export *`), and
 * a name that two such modules export is, by the language, exported by neither.
 *
 * The original is imported only for what we lack. Its modules define functions, and do nothing else
 * when they are loaded.
 *
 * @module
 */

import { exportsOf } from './exports-of.js'

const HEADER = '// A stand-in made by ai-sandbox-native.'

/** In the query of a specifier: the original's own code is wanted, no stand-in. */
const ORIGINAL_MARKER = 'ai-sandbox-native=original'

/** @param {string} id - A URL, or an id of Vite. */
export function isMarkedOriginal(id) {
  return id.includes(`?${ORIGINAL_MARKER}`) || id.includes(`&${ORIGINAL_MARKER}`)
}

/** @param {string} specifier */
export function markOriginal(specifier) {
  return `${specifier}${specifier.includes('?') ? '&' : '?'}${ORIGINAL_MARKER}`
}

/**
 * @typedef {object} StandIn
 * @property {string} code
 * @property {string[]} native - The names that are ours.
 * @property {string[]} original - The names that are the original's; `*` for those that its source
 *   doesn't tell.
 */

/**
 * @param {string} source - The original's, as JavaScript.
 * @param {{ names: string[], native: string, original: string }} options - The names that we have,
 *   and the specifiers to import ours and the original's from.
 * @returns {StandIn | undefined} Nothing when none of the names is ours, or when the source is a
 *   stand-in already.
 */
export function standIn(source, { names, native, original }) {
  if (source.startsWith(HEADER)) return undefined
  const found = exportsOf(source)
  const ours = found.names.filter((name) => names.includes(name))
  if (ours.length === 0) return undefined
  const theirs = found.names.filter((name) => !names.includes(name))
  const lines = [HEADER, passOn(ours, native)]
  if (theirs.length > 0) lines.push(passOn(theirs, original))
  if (found.hasStar) lines.push(`export * from ${JSON.stringify(original)}`)
  return {
    code: `${lines.join('\n')}\n`,
    native: ours,
    original: found.hasStar ? [...theirs, '*'] : theirs,
  }
}

/** @param {string[]} names @param {string} specifier */
function passOn(names, specifier) {
  return `export { ${names.map(exportName).join(', ')} } from ${JSON.stringify(specifier)}`
}

/** A name may be any string, in quotes. */
function exportName(name) {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : JSON.stringify(name)
}
