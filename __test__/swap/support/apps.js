/**
 * Empty folders with the packed package and an original, as a user has them.
 *
 * What the registry would give is copied from this checkout's own `node_modules`, which npm installed
 * from there; so no test here waits for a network.
 *
 * @module
 */

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformWithOxc } from 'vite'
import {
  execute,
  installTarballs,
  makeFolder,
  manifest,
  removeFolder,
  root,
  writeFiles,
} from '../../packaging/support/app.js'

const ORIGINAL = '@tanstack/ai-sandbox'
const LATER = fileURLToPath(new URL('../fixtures/later', import.meta.url))

/**
 * Makes an app for a file of tests, which removes it behind them.
 *
 * @param {object} options
 * @param {'published' | 'later'} options.original
 * @param {string[]} [options.packages] - What else is installed, of this checkout's dependencies.
 * @returns {Promise<{ folder: string, original: string, remove: () => void }>} `original`: where the
 *   original's files are.
 */
export async function makeApp({ original, packages = [] }) {
  const folder = realpathSync(makeFolder())
  await installPackage(folder)
  const modules = join(folder, 'node_modules')
  if (original === 'published') copyPackages([ORIGINAL, ...packages], modules)
  else await installLater(folder)
  const names = [ORIGINAL, 'ai-sandbox-native', ...packages]
  const dependencies = Object.fromEntries(names.map((name) => [name, '*']))
  writeFiles(folder, {
    'package.json': JSON.stringify({ name: 'app', private: true, type: 'module', dependencies }),
  })
  return { folder, original: join(modules, ORIGINAL), remove: () => removeFolder(folder) }
}

/**
 * Installs the later original.
 *
 * @param {string} folder
 * @param {{ as?: string, store?: boolean }} [options] - Its name there, and whether it lies in a
 *   store, as pnpm has it, and is linked.
 * @returns {Promise<string>} Where its files are.
 */
export async function installLater(folder, { as = ORIGINAL, store = false } = {}) {
  const modules = join(folder, 'node_modules')
  const place = join(modules, store ? `.pnpm/${as}@0.9.0/node_modules/${as}` : as)
  await buildLater(place)
  if (store) link(place, join(modules, as))
  return place
}

/** Installs this package as a release has it: both tarballs, and what they depend on. */
export async function installPackage(folder) {
  const modules = join(folder, 'node_modules')
  await installTarballs(folder)
  copyPackages(Object.keys(manifest.dependencies), modules)
}

/** A package of this checkout, linked as one that a workspace shares: for what is big. */
export function linkPackages(names, folder) {
  for (const name of names) {
    link(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
}

/**
 * Runs a program to its end; it must succeed in silence, and prints JSON.
 *
 * @param {string} folder
 * @param {string} source
 * @param {{ node?: string, flags?: string[], env?: NodeJS.ProcessEnv }} [options]
 */
export async function runProgram(folder, source, options = {}) {
  const { code, stdout, stderr } = await tryProgram(folder, source, options)
  if (code !== 0 || stderr !== '') throw new Error(`it ended with ${code}:\n${stdout}${stderr}`)
  return JSON.parse(stdout)
}

/** The same for a program that may fail or write on stderr. */
export async function tryProgram(folder, source, { node, flags = [], env } = {}) {
  writeFiles(folder, { 'main.mjs': source })
  return execute(node ?? process.execPath, [...flags, 'main.mjs'], { cwd: folder, env })
}

/** Copies the later original as its authors have it: sources and tests, no build. */
export function copyLater(place) {
  cpSync(LATER, place, { recursive: true })
}

/** Copies the later original with its build. */
async function buildLater(place) {
  copyLater(place)
  for (const file of readdirSync(join(LATER, 'src'))) {
    const source = readFileSync(join(LATER, 'src', file), 'utf8')
    const { code } = await transformWithOxc(source, file)
    const built = code.replace(/(from "\.\/[\w-]+)"/g, '$1.js"')
    writeFiles(place, { [`dist/esm/${file.replace(/\.ts$/, '.js')}`]: built })
  }
}

/** Copies packages, and links what they depend on: hundreds of files in no time. */
function copyPackages(names, modules) {
  for (const name of names) {
    const place = join(modules, name)
    if (!existsSync(place)) cpSync(findPackage(name, root), place, { recursive: true })
  }
  for (const name of names) {
    const found = findPackage(name, root)
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(found, 'package.json'), 'utf8'),
    )
    for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) {
      const source = findPackage(needed, found)
      const place = join(modules, needed)
      if (source !== undefined && !existsSync(place)) link(source, place)
    }
  }
}

function findPackage(name, from) {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
  }
  return undefined
}

export function link(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(from, to, 'junction')
}
