/**
 * Node of other versions, from the npm packages that carry its binaries.
 *
 * They are kept in `.cache/node/` of the checkout, so each is downloaded once. Versions are asked for
 * by their major number: a test mustn't change because a new one came out.
 *
 * @module
 */

import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withLock } from '../../scripts/lib/lock.js'
import { execute, npm, root } from '../packaging/support/app.js'

const CACHE = join(root, '.cache/node')
const SUFFIXES = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win-x64',
}

/**
 * @param {number} major
 * @returns {Promise<string | undefined>} The executable. Nothing where there is none to be had: on
 *   musl, and on platforms without a package.
 */
export async function nodeBinary(major) {
  const suffix = SUFFIXES[`${process.platform}-${process.arch}`]
  if (suffix === undefined || isMusl()) return undefined
  const executable = join(CACHE, `${major}`, process.platform === 'win32' ? 'node.exe' : 'node')
  await withLock(join(CACHE, `${major}.lock`), async () => {
    if (!existsSync(executable)) await download(`node-${suffix}@${major}`, executable)
  })
  return executable
}

async function download(spec, executable) {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'download-'))
  try {
    const args = ['pack', spec, '--json', '--pack-destination', folder]
    const [{ filename }] = JSON.parse(await npm(args, root))
    await extract(join(folder, filename), folder)
    // It is there whole, or it isn't.
    renameSync(join(folder, 'package/bin'), dirname(executable))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Unpacks a tarball of npm; its files land in `package/`. */
export async function extract(tarball, folder) {
  const { code, stderr } = await execute('tar', ['-xzf', tarball, '-C', folder])
  if (code !== 0) throw new Error(`tar ended with ${code}: ${stderr}`)
}

function isMusl() {
  return process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
}
