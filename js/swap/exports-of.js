/** What a module exports, read off its source. */

import { initSync, parse } from 'es-module-lexer'

const STAR = /^export\s*\*\s*from\b/

/**
 * @param {string} source - JavaScript.
 * @returns {{ names: string[], hasStar: boolean }} `hasStar`: it passes on another module's exports,
 *   whose names its source doesn't tell.
 */
export function exportsOf(source) {
  initSync()
  const [imports, exports] = parse(source)
  return {
    names: exports.map(({ n }) => n),
    hasStar: imports.some(({ ss, se }) => STAR.test(source.slice(ss, se))),
  }
}
