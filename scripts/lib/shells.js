/**
 * The shells and tools that the workspace tests go through.
 *
 * @module
 */

import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { note } from './output.js'

/** Programs, and the Debian packages that have them. */
const PROGRAMS = {
  bash: 'bash',
  busybox: 'busybox',
  dash: 'dash',
  gawk: 'gawk',
  mawk: 'mawk',
  ps: 'procps',
  script: 'bsdutils',
}

/**
 * Installs the programs that are missing, where that can be done without asking: as root, with apt.
 * Elsewhere says which tests are left out for them.
 */
export function ensureShells() {
  const missing = Object.keys(PROGRAMS).filter((name) => !isInstalled(name))
  if (missing.length === 0) return
  const packages = missing.map((name) => PROGRAMS[name])
  if (process.getuid?.() === 0 && isInstalled('apt-get')) {
    note(`Installing ${packages.join(', ')} for the workspace tests`)
    const apt = (...args) => spawnSync('apt-get', args, { stdio: 'inherit' }).status === 0
    const options = ['-y', '-qq', '--no-install-recommends']
    if (apt('update', '-qq') && apt('install', ...options, ...packages)) return
  }
  note(`Missing: ${missing.join(', ')} (Debian packages: ${packages.join(', ')}).`)
  note('The workspace tests leave out what needs them.')
}

function isInstalled(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
