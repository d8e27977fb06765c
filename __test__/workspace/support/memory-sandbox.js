/**
 * A sandbox in memory that records each call of the backend: which function, and with which
 * arguments. It answers as a provider may: with promises unless told otherwise.
 */

import { posix } from 'node:path'

const LINK_LIMIT = 60

/**
 * @typedef {'dir' | 'other' | { link: string } | { file: string | Uint8Array }} Node
 * @typedef {{ method: string, args: unknown[] }} Call
 * @typedef {(work: () => unknown, call: Call) => unknown} Answer - How the provider answers a call;
 *   `work` gives or throws what the sandbox knows.
 */

/**
 * @param {Record<string, Node>} [tree] - By absolute path. Missing folders are made.
 * @param {{ answer?: Answer, lstat?: boolean, backgroundProcesses?: boolean,
 *   exec?: (command: string, options?: object) => unknown,
 *   spawn?: (command: string, options?: object) => unknown,
 *   destroy?: () => unknown }} [options] - `exec` is asked first; `undefined` means: as the sandbox
 *   knows, which is `readlink` only.
 * @returns {{ handle: object, calls: Call[], nodes: Map<string, Node> }}
 */
export function memorySandbox(tree = {}, options = {}) {
  const calls = []
  const nodes = nodesOf(tree)
  const answer = options.answer ?? asPromise
  const method = (name, work) =>
    // A function with a `this`, for tests of who calls it how.
    function (...args) {
      const call = { method: name, args, owner: this }
      calls.push(call)
      return answer(() => work(...args), call)
    }

  const fs = {
    readBytes: method('fs.readBytes', (path) => bytesAt(nodes, path)),
    write: method('fs.write', (path, data) => {
      nodes.set(posix.resolve('/', path), { file: data })
    }),
    list: method('fs.list', (path) => listAt(nodes, path)),
    remove: method('fs.remove', (path) => {
      nodes.delete(posix.resolve('/', path))
    }),
    exists: method('fs.exists', (path) => walk(nodes, path, true) !== undefined),
    ...(options.lstat === false
      ? {}
      : { lstat: method('fs.lstat', (path) => infoOf(walk(nodes, path, false)?.node)) }),
  }
  const handle = {
    id: 'memory-1',
    provider: 'memory',
    capabilities: {
      backgroundProcesses: options.backgroundProcesses ?? true,
      killableProcesses: true,
    },
    fs,
    process: {
      exec: method(
        'process.exec',
        (command, given) => options.exec?.(command, given) ?? execAt(nodes, command, given),
      ),
      spawn: method('process.spawn', (command, given) => {
        if (options.spawn) return options.spawn(command, given)
        throw new Error('this sandbox starts nothing')
      }),
    },
    destroy: method('destroy', () => options.destroy?.()),
  }
  return { handle, calls, nodes }
}

/** `calls` as `[method, ...arguments]`, for comparing. */
export function plainCalls(calls) {
  return calls.map(({ method, args }) => [method, ...args])
}

export function result(stdout = '', exitCode = 0, stderr = '') {
  return { stdout, stderr, exitCode }
}

/** The usual way to answer. */
export async function asPromise(work) {
  return work()
}

function nodesOf(tree) {
  const nodes = new Map([['/', 'dir']])
  for (const [path, node] of Object.entries(tree)) {
    for (let at = posix.dirname(path); !nodes.has(at); at = posix.dirname(at)) nodes.set(at, 'dir')
    nodes.set(path, node)
  }
  return nodes
}

/** As a kernel walks: links in the middle are followed, the last one if asked. */
function walk(nodes, path, followLast, depth = 0) {
  if (depth > LINK_LIMIT) throw new Error(`ELOOP: ${path}`)
  let real = '/'
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  for (const [index, part] of parts.entries()) {
    real = part === '..' ? posix.dirname(real) : posix.join(real, part)
    const node = nodes.get(real)
    if (node === undefined) return undefined
    const isLast = index === parts.length - 1
    const link = linkOf(node)
    if (link === undefined || (isLast && !followLast)) continue
    const rest = parts.slice(index + 1).join('/')
    const target = link.startsWith('/') ? link : `${posix.dirname(real)}/${link}`
    return walk(nodes, `${target}/${rest}`, followLast, depth + 1)
  }
  return { real, node: nodes.get(real) }
}

function infoOf(node) {
  if (node === undefined) return undefined
  if (node === 'dir') return { type: 'dir', mode: 0o755 }
  if (node === 'other') return { type: 'other', mode: 0o644 }
  if (linkOf(node) !== undefined) return { type: 'symlink', mode: 0o777 }
  return { type: 'file', mode: 0o644, size: bytesOf(node).length }
}

/** Strings have a method `link` from the old days of HTML. */
function linkOf(node) {
  return typeof node === 'object' ? node.link : undefined
}

function bytesAt(nodes, path) {
  const node = walk(nodes, path, true)?.node
  if (node === undefined) throw new Error(`ENOENT: ${path}`)
  if (node.file === undefined) throw new Error(`EISDIR: ${path}`)
  return bytesOf(node)
}

function bytesOf({ file }) {
  return typeof file === 'string' ? new TextEncoder().encode(file) : file
}

function listAt(nodes, path) {
  const found = walk(nodes, path, true)
  if (found?.node !== 'dir') throw new Error(`ENOTDIR: ${path}`)
  const prefix = found.real === '/' ? '/' : `${found.real}/`
  return [...nodes.keys()]
    .filter(
      (key) => key !== '/' && key.startsWith(prefix) && !key.slice(prefix.length).includes('/'),
    )
    .map((key) => ({
      name: posix.basename(key),
      path: posix.join(path, posix.basename(key)),
      type: nodes.get(key) === 'dir' ? 'dir' : 'file',
    }))
}

/** `readlink -- 'name'`, the one command that a sandbox without a shell can know. */
function execAt(nodes, command, options) {
  const quoted = /^readlink -- '(.*)'$/s.exec(command)?.[1]
  if (quoted === undefined) return result('', 127, `sh: ${command}: not found\n`)
  const name = quoted.replaceAll("'\\''", "'")
  const link = linkOf(walk(nodes, posix.join(options.cwd, name), false)?.node)
  return link === undefined ? result('', 1) : result(`${link}\n`)
}
