/**
 * Keeps packages from Vite's optimizer, which bundles what it takes before any plugin sees it.
 *
 * @module
 */

import { packageName } from './dependents.js'

/**
 * @param {import('vite').DepOptimizationOptions} options - Those of an environment; changed in place.
 * @param {string[]} names
 * @returns {string[]} What the options included of these packages. To exclude it isn't enough: Vite
 *   takes what it is told to take.
 */
export function keepFromOptimizer(options, names) {
  const isOfThese = (id) => names.includes(packageOf(id))
  const { include = [], exclude = [] } = options
  options.include = include.filter((id) => !isOfThese(id))
  options.exclude = [...exclude, ...names]
  return [...new Set(include.filter(isOfThese))]
}

/** `name/path`, or `other > name` for a package that another one imports. */
function packageOf(id) {
  return packageName(id.split('>').at(-1).trim())
}
