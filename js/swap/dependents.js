/**
 * Which installed packages reach the original, so that all of them can be run by Vite.
 *
 * A package that Vite leaves to Node would load a second, unswapped copy of the original, and what
 * the two make would be strangers to one another: an error of the one is no `instanceof` the other's
 * class.
 *
 * @module
 */

import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ORIGINAL_PACKAGE } from './modules.js'

const OWN_NAME = 'ai-sandbox-native'

/**
 * @typedef {object} Package
 * @property {string} folder - Without symbolic links.
 * @property {any} manifest
 * @property {Set<string>} names - Those that it is imported by.
 * @property {Set<Package>} dependents
 */

/**
 * @param {string} root - A project's folder, or one within it.
 * @returns {{ names: string[], folders: string[] }} The original and all installed packages that
 *   reach it through their dependencies: the names that they are imported by, and where they lie.
 */
export function packagesThatReachOriginal(root) {
  const packages = crawl(root)
  const reached = new Set()
  const waiting = [...packages.values()].filter(
    ({ manifest }) => manifest.name === ORIGINAL_PACKAGE,
  )
  for (const found of waiting) {
    if (reached.has(found)) continue
    reached.add(found)
    waiting.push(...found.dependents)
  }
  const installed = [...reached].filter(({ names }) => names.size > 0)
  return {
    names: [...new Set(installed.flatMap(({ names }) => [...names]))],
    folders: installed.map(({ folder }) => folder),
  }
}

/** All packages below a project's, by folder. Only the project's own have no name. */
function crawl(root) {
  /** @type {Map<string, Package>} */
  const packages = new Map()
  const project = packageAt(nearestPackageFolder(root), packages)
  const waiting = project ? [project] : []
  for (const from of waiting) {
    for (const name of dependenciesOf(from.manifest, from === project)) {
      const folder = installedFolder(name, from.folder)
      if (folder === undefined || name === OWN_NAME) continue
      const isNew = !packages.has(folder)
      const found = packageAt(folder, packages)
      if (found === undefined || found.manifest.name === OWN_NAME) continue
      found.names.add(name)
      found.dependents.add(from)
      if (isNew) waiting.push(found)
    }
  }
  return packages
}

/** @param {string | undefined} folder @param {Map<string, Package>} packages */
function packageAt(folder, packages) {
  if (folder === undefined) return undefined
  if (!packages.has(folder)) {
    const manifest = readManifest(folder)
    if (manifest === undefined) return undefined
    packages.set(folder, { folder, manifest, names: new Set(), dependents: new Set() })
  }
  return packages.get(folder)
}

function readManifest(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {any} manifest @param {boolean} isProject */
function dependenciesOf(manifest, isProject) {
  return Object.keys({
    ...manifest.dependencies,
    ...manifest.peerDependencies,
    ...manifest.optionalDependencies,
    ...(isProject && manifest.devDependencies),
  })
}

/** Where Node would find a package, looked up as Node does. */
function installedFolder(name, from) {
  for (const folder of ancestors(from)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate)
  }
  return undefined
}

function nearestPackageFolder(from) {
  for (const folder of ancestors(from)) {
    if (existsSync(join(folder, 'package.json'))) return realpathSync(folder)
  }
  return undefined
}

function* ancestors(from) {
  for (let folder = from; ; folder = dirname(folder)) {
    yield folder
    if (folder === dirname(folder)) return
  }
}
