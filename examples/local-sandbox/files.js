/** The files of the sandbox: `node:fs` below one folder. */

import * as fs from 'node:fs/promises'
import { dirname, posix } from 'node:path'
import { hostPath } from './workspace-path.js'

const MODE_BITS = 0o7777

/** @implements {SandboxFs} */
export class LocalFiles {
  #folder

  constructor(folder) {
    this.#folder = folder
  }

  async read(path, options) {
    return fs.readFile(this.#host(path), { encoding: 'utf8', signal: options?.signal })
  }

  async readBytes(path, options) {
    return fs.readFile(this.#host(path), { signal: options?.signal })
  }

  /** Makes missing folders too, as an agent expects. */
  async write(path, data, options) {
    const file = this.#host(path)
    options?.signal?.throwIfAborted()
    await fs.mkdir(dirname(file), { recursive: true })
    await fs.writeFile(file, data, { signal: options?.signal })
  }

  /** A link has the type of its target here, and `file` where it has none. */
  async list(path, options) {
    const folder = this.#host(path)
    options?.signal?.throwIfAborted()
    const entries = await fs.readdir(folder, { withFileTypes: true })
    return Promise.all(
      entries.map(async (entry) => ({
        name: entry.name,
        path: posix.join(path, entry.name),
        type: (await isFolder(entry, `${folder}/${entry.name}`)) ? 'dir' : 'file',
      })),
    )
  }

  async mkdir(path, options) {
    options?.signal?.throwIfAborted()
    await fs.mkdir(this.#host(path), { recursive: true })
  }

  async remove(path, options) {
    options?.signal?.throwIfAborted()
    await fs.rm(this.#host(path), { recursive: true, force: true })
  }

  async rename(from, to, options) {
    options?.signal?.throwIfAborted()
    await fs.rename(this.#host(from), this.#host(to))
  }

  async exists(path, options) {
    options?.signal?.throwIfAborted()
    const host = hostPath(this.#folder, path)
    if (host === undefined) return false
    return fs.access(host).then(
      () => true,
      () => false,
    )
  }

  async lstat(path, options) {
    options?.signal?.throwIfAborted()
    const host = hostPath(this.#folder, path)
    if (host === undefined) return undefined
    const info = await orMissing(fs.lstat(host))
    if (info === undefined) return undefined
    const mode = info.mode & MODE_BITS
    if (info.isFile()) return { type: 'file', mode, size: info.size }
    if (info.isDirectory()) return { type: 'dir', mode }
    if (info.isSymbolicLink()) return { type: 'symlink', mode }
    return { type: 'other', mode }
  }

  #host(path) {
    const host = hostPath(this.#folder, path)
    if (host !== undefined) return host
    const error = new Error(`ENOENT: ${path} is not in the sandbox`)
    throw Object.assign(error, { code: 'ENOENT', path })
  }
}

async function isFolder(entry, host) {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  const target = await fs.stat(host).catch(() => undefined)
  return target?.isDirectory() ?? false
}

/** A part that is missing, or that is below a file, means: nothing is there. */
async function orMissing(promise) {
  try {
    return await promise
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  }
}
