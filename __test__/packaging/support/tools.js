/** Programs of the npm registry that a few tests run, kept in `.cache/` from one run to the next. */

import { existsSync, renameSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withLock } from '../../../scripts/lib/lock.js'
import { npm, root } from './app.js'

const VERSIONS = {
  '@yarnpkg/cli-dist': '4.18.1',
  pnpm: '12.21.0',
  verdaccio: '6.8.0',
  workerd: '1.20261117.1',
  yarn: '1.22.22',
}
/** verdaccio asks for a dist-tag of this package that not every mirror of the registry has. */
const OVERRIDES = { 'node-fetch': '^2.7.0' }
const FOLDER = join(root, '.cache', 'tools')

/** How long a test may take that may have to install a tool. */
export const TOOL_LIMIT_MS = 300_000

/**
 * The folder of a tool's package, installed where it isn't yet.
 *
 * @param {keyof typeof VERSIONS} name
 */
export async function toolFolder(name) {
  const version = VERSIONS[name]
  const place = join(FOLDER, `${name.replace('/', '-')}-${version}`)
  await withLock(join(FOLDER, 'lock'), async () => {
    if (!existsSync(place)) await install(`${name}@${version}`, place)
  })
  return join(place, 'node_modules', name)
}

/** All or nothing: an install that breaks off leaves no folder of the tool's name. */
async function install(spec, place) {
  await mkdir(FOLDER, { recursive: true })
  const folder = await mkdtemp(join(FOLDER, 'new-'))
  try {
    const manifest = { private: true, overrides: OVERRIDES }
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
    await npm(['install', '--no-audit', '--no-fund', spec], folder, { limitMs: TOOL_LIMIT_MS })
    renameSync(folder, place)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
