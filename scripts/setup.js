/**
 * Makes a checkout ready to run: npm packages, and the native addon. Uses nothing but Node's own
 * modules, since it runs before anything is installed.
 *
 * What is ready is left alone, so a second run starts at once; two at once take turns.
 *
 * @module
 */

import { join } from 'node:path'
import { buildAddon, isAddonFresh } from './lib/addon.js'
import { areDependenciesInstalled, installDependencies } from './lib/dependencies.js'
import { withLock } from './lib/lock.js'
import { note, PlainError } from './lib/output.js'
import { root } from './lib/run.js'

const MINIMUM_NODE = 20

/**
 * Installs and builds what is missing or older than its sources.
 *
 * @param {{ dependencies?: boolean, addon?: boolean }} [want]
 * @throws {PlainError} With what to do, when it can't.
 */
export async function ensureReady({ dependencies = true, addon = true } = {}) {
  requireNode()
  const isReady = () => (!dependencies || areDependenciesInstalled()) && (!addon || isAddonFresh())
  if (isReady()) return
  await alone(async () => {
    // The addon is built by a tool among the dependencies.
    const build = addon && !isAddonFresh()
    if ((dependencies || build) && !areDependenciesInstalled()) await installDependencies()
    if (build) await buildAddon()
  })
}

/**
 * Builds the addon, whether it is fresh or not.
 *
 * @param {string[]} [args] - More arguments for `napi build`.
 */
export async function rebuild(args = []) {
  requireNode()
  await alone(async () => {
    if (!areDependenciesInstalled()) await installDependencies()
    await buildAddon(args)
  })
}

/** @param {() => Promise<void>} task */
function alone(task) {
  return withLock(join(root, '.cache', 'setup.lock'), task, (holder) => {
    note(`Waiting: ${holder} is setting up this checkout.`)
  })
}

function requireNode() {
  const major = Number(process.versions.node.split('.', 1)[0])
  if (major >= MINIMUM_NODE) return
  throw new PlainError(
    `This needs Node ${MINIMUM_NODE} or later; ${process.execPath} is ${process.version}.\n` +
      'Install a current Node (with a version manager: nvm install 22, or fnm install 22).',
  )
}
