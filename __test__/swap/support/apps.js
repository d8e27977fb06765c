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
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformWithOxc } from 'vite'
import {
  addonFile,
  execute,
  makeFolder,
  manifest,
  npm,
  removeFolder,
  root,
  target,
  writeFiles,
} from '../../packaging/support/app.js'
import { extract } from '../../support/node-binary.js'

export const ORIGINAL = '@tanstack/ai-sandbox'
const LATER = fileURLToPath(new URL('../fixtures/later', import.meta.url))

/**
 * @typedef {object} AppOptions
 * @property {'published' | 'later'} original
 * @property {string} [as] - The name under which the original is installed.
 * @property {boolean} [store] - It lies in a store, as pnpm has it, and is linked.
 * @property {string[]} [packages] - What else is installed, of this checkout's dependencies.
 */

/**
 * Makes an app for a file of tests, and removes it behind them.
 *
 * @param {AppOptions} options
 * @returns {Promise<{ folder: string, original: string, remove: () => void }>} `original`: where the
 *   original's files are.
 */
export async function makeApp({ original, as = ORIGINAL, store = false, packages = [] }) {
  const folder = realpathSync(makeFolder())
  await installPackage(folder)
  const modules = join(folder, 'node_modules')
  const home = store ? join(modules, '.pnpm', 'ai-sandbox', 'node_modules') : modules
  const place = join(home, as)
  if (original === 'published') {
    copyPackages([ORIGINAL, '@tanstack/ai'], home)
    if (as !== ORIGINAL) cpSync(join(home, ORIGINAL), place, { recursive: true })
  } else {
    await buildLater(place)
  }
  if (store) link(place, join(modules, as))
  copyPackages(packages, modules)
  const dependencies = Object.fromEntries(
    [as, 'ai-sandbox-native', ...packages].map((name) => [name, '*']),
  )
  writeFiles(folder, {
    'package.json': JSON.stringify({ name: 'app', private: true, type: 'module', dependencies }),
  })
  return { folder, original: place, remove: () => removeFolder(folder) }
}

/** Installs this package as a release has it: both tarballs, and what they depend on. */
export async function installPackage(folder) {
  const modules = join(folder, 'node_modules')
  const platform = makeFolder()
  cpSync(join(root, 'npm', target), platform, { recursive: true })
  cpSync(addonFile, join(platform, `ai-sandbox-native.${target}.node`))
  await installTarball(root, join(modules, 'ai-sandbox-native'))
  await installTarball(platform, join(modules, `ai-sandbox-native-${target}`))
  removeFolder(platform)
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

/** Copies the later original's sources, and what their build makes of them. */
export async function buildLater(place) {
  cpSync(LATER, place, { recursive: true })
  for (const file of readdirSync(join(LATER, 'src'))) {
    const source = readFileSync(join(LATER, 'src', file), 'utf8')
    const { code } = await transformWithOxc(source, file)
    const built = code.replace(/(from "\.\/[\w-]+)"/g, '$1.js"')
    writeFiles(place, { [`dist/esm/${file.replace(/\.ts$/, '.js')}`]: built })
  }
}

async function installTarball(source, place) {
  const unpacked = makeFolder()
  const args = ['pack', '--json', '--pack-destination', unpacked]
  const [{ filename }] = JSON.parse(await npm(args, source))
  await extract(join(unpacked, filename), unpacked)
  cpSync(join(unpacked, 'package'), place, { recursive: true })
  removeFolder(unpacked)
}

/** Copies packages with all that they depend on, each as near to the top as it lies here. */
function copyPackages(names, modules) {
  const waiting = names.map((name) => findPackage(name, root))
  const seen = new Set()
  for (const found of waiting) {
    if (found === undefined || seen.has(found)) continue
    seen.add(found)
    const place = join(modules, found.slice(join(root, 'node_modules/').length))
    if (!existsSync(place)) cpSync(found, place, { recursive: true })
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(found, 'package.json'), 'utf8'),
    )
    const further = Object.keys({ ...dependencies, ...peerDependencies })
    waiting.push(...further.map((name) => findPackage(name, found)))
  }
}

function findPackage(name, from) {
  for (let folder = from; folder.startsWith(dirname(root)); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (folder === dirname(folder)) break
  }
  return undefined
}

function link(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(from, to, 'junction')
}

export { writeFiles, writeFileSync }
