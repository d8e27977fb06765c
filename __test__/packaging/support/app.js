/** Folders as a user of the package has them, made anew for each test. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { addonFile } from '../../../scripts/lib/addon.js'
import { npmCommand } from '../../../scripts/lib/run.js'

export { addonFile }

export const root = fileURLToPath(new URL('../../../', import.meta.url))
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The name of this machine's platform, as in `linux-x64-gnu`. */
export const target = addonFile.split('.').at(-2)

const LIMIT_MS = 55_000
/** An app has thousands of files. */
const REMOVE_LIMIT_MS = 60_000

/** An empty folder that is removed behind the test. */
export function temporaryFolder() {
  const folder = makeFolder()
  onTestFinished(() => removeFolder(folder), REMOVE_LIMIT_MS)
  return folder
}

/** An empty folder, for who removes it. */
export function makeFolder() {
  return mkdtempSync(join(tmpdir(), 'ai-sandbox-native-test-'))
}

/** @param {string} folder */
export function removeFolder(folder) {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * An app with the loader installed, and what else the test says.
 *
 * @param {Record<string, string | { copy: string }>} [files] - By path within the app.
 * @param {string} [name] - The name that the package has there.
 * @returns {{ folder: string, loader: string }}
 */
export function appWithLoader(files = {}, name = manifest.name) {
  const folder = temporaryFolder()
  const own = `node_modules/${name}`
  writeFiles(folder, {
    [`${own}/package.json`]: { copy: join(root, 'package.json') },
    ...loaderIn(`${own}/js`),
    ...files,
  })
  return { folder, loader: join(folder, own, 'js/load.js') }
}

/** The files of the loader. */
export function loaderIn(folder) {
  const names = ['load.js', 'elf.js', 'environment.js', 'version.js']
  return Object.fromEntries(
    names.map((name) => [`${folder}/${name}`, { copy: join(root, 'js', name) }]),
  )
}

/**
 * An app with the package installed beside a package in the original's place.
 *
 * @param {Record<string, string | { copy: string }>} files - By path within the app.
 * @returns {string} Its folder.
 */
export function appWithPackage(files) {
  const folder = temporaryFolder()
  const own = join(folder, 'node_modules/ai-sandbox-native')
  for (const name of ['package.json', 'index.js', 'api', 'bin', 'js']) {
    cpSync(join(root, name), join(own, name), { recursive: true })
  }
  writeFiles(folder, files)
  return folder
}

/** Links the original of this checkout into an app of {@link appWithPackage}. */
export function linkOriginal(app) {
  const name = 'node_modules/tanstack-ai-sandbox'
  symlinkSync(join(root, name), join(app, name), 'junction')
}

/**
 * The files of an installed platform package.
 *
 * @param {string} name - A target, as `linux-x64-gnu`.
 * @param {{ version?: string, main?: string, library?: string | { copy: string } }} [options]
 */
export function platformPackage(name, options = {}) {
  const { version = manifest.version, main = `ai-sandbox-native.${name}.node`, library } = options
  const folder = `node_modules/ai-sandbox-native-${name}`
  return {
    [`${folder}/package.json`]: JSON.stringify({ ...platformManifest(name), version, main }),
    ...(library && { [`${folder}/${main}`]: library }),
  }
}

export function platformManifest(name) {
  return JSON.parse(readFileSync(join(root, 'npm', name, 'package.json'), 'utf8'))
}

/**
 * @param {string} folder
 * @param {Record<string, string | { copy: string }>} files
 * @param {{ mode?: number }} [options]
 */
export function writeFiles(folder, files, { mode } = {}) {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    if (typeof content === 'string') writeFileSync(file, content, { mode })
    else cpSync(content.copy, file, { recursive: true })
  }
}

/**
 * Runs a program to its end.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, limitMs?: number }} [options]
 */
export async function execute(command, args, { cwd, env, limitMs = LIMIT_MS } = {}) {
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    env: { ...process.env, NODE_OPTIONS: '', AI_SANDBOX_NATIVE_LIBRARY: '', ...env },
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text
    })
  }
  const [code] = await once(child, 'close')
  return { code, ...output }
}

/**
 * Runs npm, and gives what it printed; it must succeed.
 *
 * @param {string[]} args
 * @param {string} cwd
 * @param {{ env?: NodeJS.ProcessEnv, limitMs?: number }} [options]
 */
export async function npm(args, cwd, options) {
  const { code, stdout, stderr } = await execute(...npmCommand(args), { cwd, ...options })
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

/** Packs a package into a folder, and gives the path of the tarball. */
export async function pack(folder, destination) {
  const args = ['pack', '--json', '--pack-destination', destination]
  const [{ filename, size, unpackedSize, name }] = JSON.parse(await npm(args, folder))
  console.log(`${name}: ${size} bytes packed, ${unpackedSize} unpacked`)
  return join(destination, filename)
}

/** Makes a folder the package of this platform, with its library. */
export function stagePlatformPackage(folder) {
  cpSync(join(root, 'npm', target), folder, { recursive: true })
  cpSync(addonFile, join(folder, `${manifest.name}.${target}.node`))
}

/** Installs the main package and that of this platform in an app, out of their tarballs. */
export async function installTarballs(app) {
  const stage = makeFolder()
  try {
    const platform = join(stage, 'platform')
    stagePlatformPackage(platform)
    await unpack(await pack(root, stage), join(app, 'node_modules', manifest.name))
    const name = `${manifest.name}-${target}`
    await unpack(await pack(platform, stage), join(app, 'node_modules', name))
  } finally {
    removeFolder(stage)
  }
}

async function unpack(tarball, place) {
  mkdirSync(place, { recursive: true })
  // Not by its path: a drive letter looks like a host to some tars.
  const args = ['-xzf', basename(tarball), '-C', place, '--strip-components=1']
  const { code, stderr } = await execute('tar', args, { cwd: dirname(tarball) })
  if (code !== 0) throw new Error(`tar ended with ${code}:\n${stderr}`)
}
