/**
 * The native addon of the checkout: whether it is fresh, and its build.
 *
 * @module
 */

import { readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { headline, note, PlainError } from './output.js'
import { root, runTool } from './run.js'
import { requireRust } from './rust.js'

const SOURCES = ['Cargo.toml', 'Cargo.lock', 'build.rs', 'rust-toolchain.toml', '.cargo', 'src']

/** The file that a build for this machine makes. The loader looks for the same one. */
export const addonFile = join(root, `ai-sandbox-native.${hostTarget()}.node`)

/** Whether the addon is there and at least as new as all that it is made of. */
export function isAddonFresh() {
  const builtAt = modifiedAt(addonFile)
  if (builtAt === undefined) return false
  return SOURCES.every((name) => newestIn(join(root, name)) <= builtAt)
}

/**
 * Compiles the addon, and with it `binding.d.ts`.
 *
 * @param {string[]} [args] - More arguments for `napi build`, such as `--target TRIPLE`.
 */
export async function buildAddon(args = []) {
  const addedPath = requireRust()
  headline('Building the native addon (cargo, release)')
  note('The first time this takes a few minutes; later builds are quick.')
  const startedAt = new Date()
  const code = await runTool(
    '@napi-rs/cli',
    'napi',
    ['build', '--platform', '--release', '--no-js', '--dts', 'binding.d.ts', ...args],
    { label: 'cargo still builds', env: addedPath && { PATH: addedPath } },
  )
  if (code !== 0) {
    throw new PlainError(`The build failed (exit code ${code}); cargo's own message is above.`)
  }
  stamp(startedAt)
}

/**
 * Dates the addon to the start of its build, so that a source that was saved meanwhile is newer.
 * Cargo.lock may have been written by the build itself.
 *
 * @param {Date} startedAt
 */
function stamp(startedAt) {
  if (modifiedAt(addonFile) === undefined) return
  const lockedAt = modifiedAt(join(root, 'Cargo.lock')) ?? 0
  const time = new Date(Math.max(startedAt.getTime(), Math.ceil(lockedAt)))
  utimesSync(addonFile, time, time)
}

function hostTarget() {
  const { platform, arch } = process
  if (platform === 'win32') return `win32-${arch}-msvc`
  if (platform !== 'linux') return `${platform}-${arch}`
  // Without this flag the report looks up the names of network peers, which can take seconds.
  process.report.excludeNetwork = true
  const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined
  return `linux-${arch}-${isGlibc ? 'gnu' : 'musl'}`
}

/** The newest time in a file or folder; 0 where it isn't there. */
function newestIn(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0
  return readdirSync(path).reduce(
    (newest, name) => Math.max(newest, newestIn(join(path, name))),
    stats.mtimeMs,
  )
}

function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs
}
