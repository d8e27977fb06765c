/**
 * The package as a release has it, for all projects: packed once a run.
 *
 * @module
 */

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pack, root, stagePlatformPackage } from '../../packaging/support/app.js'

/** What lies here is kept between runs: the tools of each project, and its last build. */
export const CACHE = join(root, '.cache/integration')
const TARBALLS = join(CACHE, 'tarballs')

/** Called by Vitest before the tests; its `provide` hands values to them. */
export default async function setup({ provide }) {
  rmSync(TARBALLS, { recursive: true, force: true })
  const platform = join(TARBALLS, 'platform')
  mkdirSync(TARBALLS, { recursive: true })
  stagePlatformPackage(platform)
  provide('tarballs', [await pack(root, TARBALLS), await pack(platform, TARBALLS)])
}
