/**
 * Which packages are a project's own, other than those that are installed for it.
 *
 * 1. All on the way up from the root, as Node looks packages up: the nearest `package.json` may say
 *    no more than `{"type":"module"}`.
 * 2. All of the workspace that the root lies in: the package at its root needn't depend on anything,
 *    and what runs there is the code of the others.
 *
 * @module
 */

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * @param {string} root - A project's folder, or one within it.
 * @returns {string[]} The folders of its packages, the nearest first.
 */
export function projectFolders(root) {
  const upward = foldersUpFrom(root)
  const folders = new Set(upward.filter(hasManifest))
  for (const folder of upward) {
    const depth = workspaceDepth(folder)
    if (depth === 0) continue
    for (const found of packagesBelow(folder, depth)) folders.add(found)
    break
  }
  return [...folders]
}

/** The root, without symbolic links, and all that it lies in. */
export function foldersUpFrom(root) {
  return [...ancestors(realPath(resolve(root)))]
}

/** A folder, and all that it lies in. */
export function* ancestors(from) {
  for (let folder = from; ; folder = dirname(folder)) {
    yield folder
    if (folder === dirname(folder)) return
  }
}

/** The package.json in a folder, if there is one that says something. */
export function readManifest(folder) {
  const manifest = parse(read(folder, 'package.json'))
  return typeof manifest === 'object' && manifest !== null ? manifest : undefined
}

/** @param {string} folder */
export function hasManifest(folder) {
  return existsSync(join(folder, 'package.json'))
}

/**
 * How deep the packages of the workspace lie whose root a folder is; 0 when it is none. A pattern
 * reaches as deep as it has parts, but for one with `**`. That bounds the walk, to a few milliseconds
 * for `packages/*` where a walk of all would take hundreds, and what it finds beyond the patterns does
 * no harm.
 */
function workspaceDepth(folder) {
  const patterns = workspacePatterns(folder).filter((pattern) => !IS_NEGATED.test(pattern))
  const depths = patterns.map((pattern) =>
    pattern.includes('**') ? Number.POSITIVE_INFINITY : pattern.split('/').length,
  )
  return Math.max(0, ...depths)
}

const IS_NEGATED = /^[\s-]*["']?!/

/** Of npm, yarn and Bun; or of pnpm: there the lines of the file, each longer than its pattern. */
function workspacePatterns(folder) {
  const { workspaces } = readManifest(folder) ?? {}
  const listed = workspaces?.packages ?? workspaces
  if (Array.isArray(listed)) return listed.map(String)
  const settings = read(folder, 'pnpm-workspace.yaml') ?? ''
  // Without this key the file is for other settings of one package.
  return /^["']?packages["']?\s*:/m.test(settings) ? settings.replace(/#.*$/gm, '').split('\n') : []
}

/** @param {string} folder @param {number} depth */
function* packagesBelow(folder, depth) {
  for (const entry of entriesOf(folder)) {
    if (entry.name === 'package.json') yield folder
    const isOwn = entry.name !== 'node_modules' && !entry.name.startsWith('.')
    if (depth > 0 && isOwn && entry.isDirectory()) {
      yield* packagesBelow(join(folder, entry.name), depth - 1)
    }
  }
}

function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Not ours to read, or gone by now.
    return []
  }
}

function realPath(folder) {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

function read(folder, name) {
  try {
    return readFileSync(join(folder, name), 'utf8').replace(/^\ufeff/, '')
  } catch {
    return undefined
  }
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
