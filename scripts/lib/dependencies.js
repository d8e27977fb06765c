/**
 * The npm packages of the checkout.
 *
 * @module
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { headline, note, PlainError } from './output.js'
import { npmCommand, root, run } from './run.js'

const LOCKFILE = join(root, 'package-lock.json')
/** What npm itself notes of an install, at its end: an install that broke off has none. */
const INSTALLED = join(root, 'node_modules', '.package-lock.json')

/**
 * Whether node_modules is what the lockfile asks for. The contents are compared, not the times: a
 * checkout of another branch and back makes no install stale, and a copied folder isn't fresh.
 */
export function areDependenciesInstalled() {
  if (!existsSync(INSTALLED)) return false
  const wanted = packagesOf(LOCKFILE)
  const installed = packagesOf(INSTALLED)
  return (
    Object.entries(wanted).every(
      ([path, entry]) => path === '' || entry.optional || isSame(installed[path], entry),
    ) && Object.values(installed).every(isForThisPlatform)
  )
}

/** Installs exactly what the lockfile names. */
export async function installDependencies() {
  headline('Installing npm packages (npm ci)')
  note('The first time this takes a minute, mostly downloads.')
  // npm_config_omit, NODE_ENV=production and the like must not leave out the tools.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  const code = await run(...npmCommand(args), { label: 'npm still installs' })
  if (code !== 0) {
    throw new PlainError(
      `npm ci failed (exit code ${code}); its own message is above.\n` +
        'When npm could not reach its registry, run this again once it can.',
    )
  }
}

/** @param {string} lockfile */
function packagesOf(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages
}

function isSame(installed, wanted) {
  return installed?.version === wanted.version && installed?.integrity === wanted.integrity
}

/** A node_modules from another machine has that machine's binaries. */
function isForThisPlatform({ os, cpu }) {
  return (
    (!os || os.includes(process.platform) || os.some((name) => name.startsWith('!'))) &&
    (!cpu || cpu.includes(process.arch) || cpu.some((name) => name.startsWith('!')))
  )
}
