/**
 * The workspace backend in plain JavaScript: the contract in a few obvious lines a piece.
 *
 * Tests compare the package with it, and the benchmark measures against it. It makes the same calls
 * of the sandbox as the original, in the same order, and has the package's deliberate improvements.
 */

import { posix } from 'node:path'
import { startJob } from './port-job.js'
import { awkProgram, parsePage } from './port-page.js'
import { awkNumber, isRunnable, MAX_TIMER_MS, quote, textOf } from './port-values.js'

const MAX_LINKS = 40
const HEAD_BYTES = 8192
const MAX_PAGE_BYTES = 65_536

/** @type {typeof import('../../../api/workspace-backend.js').sandboxWorkspaceBackend} */
export function sandboxWorkspaceBackend(handle, { owned = false } = {}) {
  const { fs } = handle
  const running = new Set()
  let destroyed

  /** For a sandbox that has no `lstat`: its reads follow links, so this does too. */
  const statByReading = async (path, options) => {
    if (!(await fs.exists(path, options))) return undefined
    const size = await sizeByReading(path, options)
    if (size === undefined) return { type: 'dir', size: 0, mtimeMs: 0 }
    return { type: 'file', size, mtimeMs: 0 }
  }

  const sizeByReading = async (path, options) => {
    try {
      return (await fs.readBytes(path, options))?.byteLength
    } catch {
      return undefined
    }
  }

  const stat = async (path, options) => {
    if (!fs.lstat) return statByReading(path, options)
    const info = await fs.lstat(path, options)
    if (!info) return undefined
    switch (info.type) {
      case 'file':
        return { type: 'file', size: info.size, mtimeMs: 0 }
      case 'dir':
        return { type: 'dir', size: 0, mtimeMs: 0 }
      case 'other':
        return { type: 'file', size: 0, mtimeMs: 0 }
      case 'symlink': {
        const { real, missing } = await followLinks(path, options)
        return missing ? undefined : stat(real, options)
      }
      default:
        throw new TypeError(
          `lstat of the sandbox gave an unknown type for ${path}: ${textOf(info.type)}`,
        )
    }
  }

  /** Resolves every link of `path`, part by part, and says which kind of part is missing. */
  const followLinks = async (path, options) => {
    const waiting = posix.resolve('/', path).split('/').filter(Boolean)
    // How many of the waiting parts come from the target of a link.
    let fromLinks = 0
    let real = '/'
    let links = 0
    while (waiting.length > 0) {
      const part = waiting.shift()
      const isOfLink = fromLinks > 0
      if (isOfLink) fromLinks -= 1
      if (part === '.') continue
      if (part === '..') {
        real = posix.dirname(real)
        continue
      }
      const next = posix.join(real, part)
      const info = await fs.lstat(next, options)
      if (!info) return { missing: isOfLink ? 'target' : 'path' }
      if (info.type !== 'symlink') {
        real = next
        continue
      }
      links += 1
      if (links > MAX_LINKS) throw new Error(`ELOOP: too many links in ${path}.`)
      const target = await readlink(next, options)
      if (target.startsWith('/')) real = '/'
      const parts = target.split('/').filter(Boolean)
      waiting.unshift(...parts)
      fromLinks += parts.length
    }
    return { real }
  }

  const readlink = async (path, options) => {
    const { stdout } = await execOrThrow(
      `readlink -- ${quote(posix.basename(path))}`,
      { cwd: posix.dirname(path), signal: options?.signal },
      `Cannot read the link ${path}`,
    )
    // The newline that readlink adds. The name of the target may end with one too.
    const target = stdout.endsWith('\n') ? stdout.slice(0, -1) : stdout
    if (target === '') throw new Error(`Cannot read the link ${path}: no target in the output`)
    return target
  }

  const realpath = async (path, options) => {
    if (!fs.lstat) {
      throw new Error(`This sandbox has no lstat, so links in ${path} cannot be checked.`)
    }
    const { real, missing } = await followLinks(path, options)
    if (missing === 'target') {
      throw new Error(`ENOENT: ${path} is a link to a target that is not there.`)
    }
    return real
  }

  const readLines = async (path, { offset, limit, signal }) => {
    const first = Math.max(1, Math.floor(offset || 0))
    const end = first + Math.max(0, Math.floor(limit || 0))
    const name = quote(`./${posix.basename(path)}`)
    const command = [
      `wc -c < ${name}`,
      `od -An -v -tx1 -N ${HEAD_BYTES} ${name}`,
      'echo @lines',
      `awk -v o=${awkNumber(first)} -v e=${awkNumber(end)} -v max=${MAX_PAGE_BYTES} ${quote(awkProgram)} ${name}`,
    ].join(' && ')
    const options = { cwd: posix.dirname(path), signal }
    const { stdout } = await execOrThrow(command, options, `Cannot read ${path}`)
    return parsePage(stdout, first)
  }

  /** For the backend's own commands, whose output is needed. */
  const execOrThrow = async (command, options, complaint) => {
    const result = await handle.process.exec(command, options)
    const { exitCode, stdout, stderr } = result ?? {}
    const text = exitCode === 0 ? stdout : stderr
    if (typeof text !== 'string') {
      throw new TypeError(`${complaint}: exec of the sandbox gave ${textOf(result)}`)
    }
    if (exitCode !== 0) throw new Error(`${complaint}: ${stderr.trim()}`)
    return result
  }

  const remove = async (path, options) => {
    const info = await stat(path, options)
    if (info?.type !== 'file') throw new Error(`Cannot remove ${path}: no such file.`)
    await fs.remove(path, options)
  }

  const readdir = async (path, options) => {
    const entries = await fs.list(path, options)
    const typeOf = async (entry) => {
      const info = await fs.lstat?.(entry.path, options)
      return info?.type === 'symlink' ? 'link' : entry.type
    }
    return Promise.all(
      entries.map(async (entry) => ({ name: entry.name, type: await typeOf(entry) })),
    )
  }

  const exec = async (command, { cwd, env, timeoutMs, signal } = {}) => {
    const controller = new AbortController()
    let stop
    const stopped = new Promise((resolve) => {
      stop = (exitCode) => {
        resolve({ exitCode, stdout: '', stderr: '' })
        controller.abort()
      }
    })
    const timer = timeoutMs
      ? setTimeout(() => stop(124), Math.min(timeoutMs, MAX_TIMER_MS))
      : undefined
    const onAbort = () => stop(1)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    const run = async () => {
      try {
        return await handle.process.exec(command, { cwd, env, signal: controller.signal })
      } catch (error) {
        return { exitCode: 1, stdout: '', stderr: String(error) }
      }
    }
    try {
      return await Promise.race([stopped, run()])
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  const spawn = (command, options) => {
    const job = startJob(handle, command, options, startOf)
    running.add(job)
    const forget = () => running.delete(job)
    job.wait().then(forget, forget)
    return job
  }

  /** When the process started, as `ps` tells it, or `undefined` where it tells nothing. */
  const startOf = async (pid) => {
    try {
      const result = await handle.process.exec(`LC_ALL=C ps -o lstart= -p ${pid}`)
      return result.exitCode === 0 ? result.stdout.trim() || undefined : undefined
    } catch {
      return undefined
    }
  }

  const killJob = async (jobId) => {
    const [, pid, recorded] = /^(\d+)(?::(.+))?$/.exec(jobId) ?? []
    if (pid === undefined || !isRunnable(pid)) return false
    const start = await startOf(pid)
    if (start === undefined) {
      const alive = await handle.process.exec(`kill -0 ${pid}`)
      if (alive.exitCode !== 0) return false
    }
    if (start === undefined || recorded === undefined) {
      throw new Error(
        `Cannot check that process ${pid} in the sandbox is the job: no start time from ps.`,
      )
    }
    if (start !== recorded) return false
    const killed = await handle.process.exec(
      `kill -9 -- -${pid} 2>/dev/null || kill -9 -${pid} 2>/dev/null || kill -9 ${pid}`,
    )
    return killed.exitCode === 0
  }

  const close = async ({ reason }) => {
    if (reason === 'moved') return
    for (const job of running) job.kill()
    if (!owned) return
    destroyed ??= (async () => handle.destroy())()
    await destroyed
  }

  return {
    shell: 'sh',
    binding: () => ({ kind: 'sandbox', provider: handle.provider, sandboxId: handle.id }),
    killJob,
    readFile: async (path, options) => fs.readBytes(path, options),
    writeFile: async (path, data, options) => fs.write(path, data, options),
    remove,
    readLines,
    stat,
    realpath,
    readdir,
    exec,
    ...(handle.capabilities.backgroundProcesses ? { spawn } : {}),
    close,
  }
}
