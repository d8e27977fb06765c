/**
 * Which modules of `@tanstack/ai-sandbox` have a native counterpart, and which file is one of them.
 *
 * 1. A module counts by its place: `dist/esm/NAME.js` or `src/NAME.ts` right inside a package that
 *    calls itself `@tanstack/ai-sandbox`, under whatever name or in whatever store it is installed.
 *    A file of that name elsewhere is somebody else's.
 * 2. A counterpart never imports the original: a stand-in that imports it can't make a cycle.
 *
 * @module
 */

import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { exportsOf } from './exports-of.js'
import { readManifest } from './project.js'

export const ORIGINAL_PACKAGE = '@tanstack/ai-sandbox'

/**
 * What else has to be swapped along with a module: the errors that it throws are of a class that
 * users import from there.
 *
 * @type {Record<string, string[]>}
 */
const MODULES = {
  'journal-bytes': [],
  journal: [],
  'journal-reader': ['attach-preflight'],
  'attach-preflight': [],
  runner: ['attach-preflight'],
  'journal-sweep': [],
  'workspace-backend': [],
}

/** The names of the original's modules that have a counterpart here. */
export const MODULE_NAMES = Object.keys(MODULES)

const PLACE = /^(file:.*\/)(dist\/esm\/([^/?#]+)\.js|src\/([^/?#]+)\.ts)$/

/** @typedef {{ name: string, url: string, root: string, version: string }} OriginalModule */

/**
 * The module of the original that a file is, whether it has a counterpart or not.
 *
 * @param {string} url - The URL of the file; a query or a hash is no part of the place.
 * @returns {OriginalModule | undefined}
 */
export function originalModule(url) {
  const [, root, , built, source] = PLACE.exec(url.replace(/[?#].*$/, '')) ?? []
  if (root === undefined) return undefined
  const manifest = manifestIn(root)
  if (manifest?.name !== ORIGINAL_PACKAGE) return undefined
  return { name: built ?? source, url, root, version: manifest.version }
}

/**
 * The names of the table that an installed original has no module for.
 *
 * @param {OriginalModule} module - Any of its modules.
 */
export function missingModules({ url, root }) {
  const [folder, suffix] = url.includes('/dist/esm/') ? ['dist/esm/', '.js'] : ['src/', '.ts']
  return MODULE_NAMES.filter((name) => !existsSync(new URL(`${folder}${name}${suffix}`, root)))
}

/**
 * @param {string} name - One of `MODULE_NAMES`.
 * @returns {{ url: string, names: string[] }} The native module, and what it exports.
 */
export function nativeModule(name) {
  const url = new URL(`../../api/${name}.js`, import.meta.url)
  return { url: url.href, names: exportsOf(readFileSync(url, 'utf8')).names }
}

/**
 * The modules that were picked, and those that they can't do without.
 *
 * @param {readonly string[]} [picked] - All, when it isn't given.
 * @returns {Set<string>}
 */
export function pickModules(picked = MODULE_NAMES) {
  if (!Array.isArray(picked)) {
    throw new TypeError(
      `ai-sandbox-native: the option modules must be a list of names, not ${inspect(picked)}. ` +
        `The modules: ${MODULE_NAMES.join(', ')}.`,
    )
  }
  const unknown = picked.filter((name) => !Object.hasOwn(MODULES, name))
  if (unknown.length > 0) {
    throw new Error(
      `ai-sandbox-native: no such module: ${unknown.join(', ')}. ` +
        `The modules: ${MODULE_NAMES.join(', ')}.`,
    )
  }
  return new Set(picked.flatMap((name) => [name, ...MODULES[name]]))
}

/** @type {Map<string, { name?: string, version?: string } | undefined>} By the URL of the folder. */
const manifests = new Map()

/** @param {string} root */
function manifestIn(root) {
  if (!manifests.has(root)) manifests.set(root, readManifest(fileURLToPath(root)))
  return manifests.get(root)
}
