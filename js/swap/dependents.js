/**
 * What a project has installed of the original and of this package.
 *
 * A package that Vite leaves to Node would load a second, unswapped copy of the original, and what
 * the two make would be strangers to one another: an error of the one is no `instanceof` the other's
 * class. So Vite has to run every package that reaches the original. It never runs this one, whose
 * name in the project an alias may have changed.
 *
 * @module
 */

import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ORIGINAL_PACKAGE } from './modules.js'
import { ancestors, foldersUpFrom, hasManifest, projectFolders, readManifest } from './project.js'

export const OWN_NAME = 'ai-sandbox-native'
export const OWN_FOLDER = realpathSync(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

/**
 * @typedef {object} Package
 * @property {string} folder - Without symbolic links.
 * @property {any} manifest
 * @property {Set<string>} names - Those that it is imported by.
 * @property {Set<Package>} dependents
 */

/**
 * @typedef {object} Installed
 * @property {boolean} hasOriginal - Whether the project has the original, or is it.
 * @property {string[]} names - The original and all packages that reach it through their
 *   dependencies: the names that they are imported by.
 * @property {string[]} folders - Where they lie.
 * @property {string[]} ownNames - The names that this package is imported by.
 * @property {string} ownName - That by which the project's root imports this copy of it.
 */

/**
 * @param {string} root - A project's folder, or one within it.
 * @returns {Installed}
 */
export function installedFor(root) {
  const { projects, packages, find } = crawl(root)
  const reaching = packagesThatReachOriginal(packages)
  const installed = reaching.filter(({ names }) => names.size > 0)
  return {
    hasOriginal: reaching.length > 0,
    names: namesOf(installed),
    folders: installed.map(({ folder }) => folder),
    ownNames: [...new Set([OWN_NAME, ...namesOf(packages.filter(isThisPackage))])],
    ownName: nameForRoot(root, projects, find),
  }
}

/** @param {string} specifier - One that isn't relative. */
export function packageName(specifier) {
  return /^(@[^/]*\/)?[^/]*/.exec(specifier)[0]
}

/** @param {string} id - An id of Vite without its query; it needn't be a file's. */
export function isFileOfThisPackage(id) {
  if (!isAbsolute(id)) return false
  for (const folder of ancestors(dirname(id))) {
    if (hasManifest(folder)) return isThisPackage({ manifest: readManifest(folder) })
  }
  return false
}

/** @param {{ manifest: any }} found - Any copy of it. */
function isThisPackage({ manifest }) {
  return manifest?.name === OWN_NAME
}

/** @param {Package[]} packages */
function namesOf(packages) {
  return [...new Set(packages.flatMap(({ names }) => [...names]))]
}

/** @param {Package[]} packages */
function packagesThatReachOriginal(packages) {
  const reached = new Set()
  const waiting = packages.filter(({ manifest }) => manifest.name === ORIGINAL_PACKAGE)
  for (const found of waiting) {
    if (reached.has(found) || isThisPackage(found)) continue
    reached.add(found)
    waiting.push(...found.dependents)
  }
  return [...reached]
}

/**
 * By which name a bundle in the root finds this package. With several copies, this very one counts.
 *
 * @param {string} root
 * @param {Package[]} projects
 */
function nameForRoot(root, projects, find) {
  const above = foldersUpFrom(root)
  const copies = projects.flatMap(({ folder, manifest }) =>
    dependenciesOf(manifest, true)
      .map((name) => ({ name, copy: find(name, folder), isAbove: above.includes(folder) }))
      .filter(({ copy }) => copy !== undefined && isThisPackage(copy)),
  )
  const same = copies.filter(({ copy }) => copy.folder === OWN_FOLDER)
  const found = [
    same.find(({ isAbove }) => isAbove),
    // Of names in other packages of a workspace, this is the one that most have.
    same.find(({ name }) => name === OWN_NAME),
    ...same,
    ...copies,
  ]
  return found.find(Boolean)?.name ?? OWN_NAME
}

/** All packages of a project, and those below them. Only the project's own may have no name. */
function crawl(root) {
  const { at, find } = lookup()
  const projects = new Set(projectFolders(root).map(at).filter(Boolean))
  const packages = new Set(projects)
  for (const from of packages) {
    // What this package depends on is its own affair, unless it is what is worked on.
    if (isThisPackage(from) && !projects.has(from)) continue
    for (const name of dependenciesOf(from.manifest, projects.has(from))) {
      const found = find(name, from.folder)
      if (found === undefined) continue
      found.names.add(name)
      found.dependents.add(from)
      packages.add(found)
    }
  }
  return { projects: [...projects], packages: [...packages], find }
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

/** Finds packages as Node does, and looks into each place but once. */
function lookup() {
  /** @type {Map<string, Package | undefined>} By folder. */
  const packages = new Map()
  const at = remember(packages, (folder) => {
    const manifest = readManifest(folder)
    return manifest && { folder, manifest, names: new Set(), dependents: new Set() }
  })
  const atPlace = remember(new Map(), (place) =>
    hasManifest(place) ? at(realpathSync(place)) : undefined,
  )
  const find = (name, from) => {
    for (const folder of ancestors(from)) {
      if (basename(folder) === 'node_modules') continue
      const found = atPlace(join(folder, 'node_modules', name))
      if (found !== undefined) return found
    }
    return undefined
  }
  return { at, find }
}

/** @template T @param {Map<string, T>} known @param {(key: string) => T} make */
function remember(known, make) {
  return (key) => {
    if (!known.has(key)) known.set(key, make(key))
    return known.get(key)
  }
}
