/**
 * The package as a release has it, for all projects: packed once a run.
 *
 * @module
 */

import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { addonFile, npm, root, target } from '../../packaging/support/app.js'

/** What lies here is kept between runs: the tools of each project, and its last build. */
export const CACHE = join(root, '.cache/integration')
const TARBALLS = join(CACHE, 'tarballs')

/** Called by Vitest before the tests; its `provide` hands values to them. */
export default async function setup({ provide }) {
  rmSync(TARBALLS, { recursive: true, force: true })
  const platform = join(TARBALLS, 'platform')
  mkdirSync(TARBALLS, { recursive: true })
  cpSync(join(root, 'npm', target), platform, { recursive: true })
  cpSync(addonFile, join(platform, `ai-sandbox-native.${target}.node`))
  provide('tarballs', [await pack(root), await pack(platform)])
}

async function pack(folder) {
  const args = ['pack', '--json', '--pack-destination', TARBALLS]
  const [{ filename }] = JSON.parse(await npm(args, folder))
  return join(TARBALLS, filename)
}
