/**
 * What is measured: operations of the backend, the bare calls they come down to, and what they
 * give.
 */

import { isDeepStrictEqual } from 'node:util'

const FILE = '/workspace/src/entry-1.ts'
const LINKED = '/workspace/packages/link/deep/link/entry-1.ts'
const { signal } = new AbortController()

/**
 * @typedef {object} Operation
 * @property {string} id
 * @property {number} batch - How many of them at once in the "at once" case.
 * @property {number} calls - Calls of the sandbox for one.
 * @property {boolean} isJudged - Whether it is one of those that speed is promised for.
 * @property {(backend: object) => Promise<unknown>} run
 * @property {(handle: object) => Promise<unknown>} floor - The bare calls, as many as `calls`.
 * @property {(value: any) => boolean} isRight
 */

/** @type {Operation[]} */
export const OPERATIONS = [
  {
    id: 'stat of a file',
    batch: 1000,
    calls: 1,
    isJudged: true,
    run: (backend) => backend.stat(FILE),
    floor: ({ fs }) => fs.lstat(FILE, undefined),
    isRight: (value) => isDeepStrictEqual(value, { type: 'file', size: 4096, mtimeMs: 0 }),
  },
  {
    id: 'realpath, 3 parts',
    batch: 1000,
    calls: 3,
    isJudged: true,
    run: (backend) => backend.realpath(FILE),
    floor: (handle) => lstatTimes(handle, 3),
    isRight: (value) => value === FILE,
  },
  {
    id: 'realpath, 6 parts, 2 links',
    batch: 1000,
    calls: 10,
    isJudged: true,
    run: (backend) => backend.realpath(LINKED),
    floor: async (handle) => {
      await lstatTimes(handle, 8)
      await handle.process.exec('readlink x', { cwd: '/', signal })
      return handle.process.exec('readlink x', { cwd: '/', signal })
    },
    // Both links lead to a folder beside the one they are in.
    isRight: (value) => value === '/workspace/src/src/entry-1.ts',
  },
  {
    id: 'stat of a link',
    batch: 1000,
    calls: 6,
    isJudged: true,
    run: (backend) => backend.stat('/workspace/link'),
    floor: async (handle) => {
      await lstatTimes(handle, 5)
      return handle.process.exec('readlink x', { cwd: '/', signal })
    },
    isRight: (value) => isDeepStrictEqual(value, { type: 'dir', size: 0, mtimeMs: 0 }),
  },
  {
    id: 'readdir of 1,000 entries',
    // 100,100 calls under way: with 1,000 folders the collector would be what is measured.
    batch: 100,
    calls: 1001,
    isJudged: true,
    run: (backend) => backend.readdir('/workspace/src'),
    floor: async ({ fs }) => {
      const entries = await fs.list('/workspace/src', undefined)
      return Promise.all(entries.map(({ path }) => fs.lstat(path, undefined)))
    },
    isRight: (value) =>
      value.length === 1000 &&
      isDeepStrictEqual(value[999], { name: 'entry-999.ts', type: 'file' }),
  },
  {
    id: 'exec',
    batch: 1000,
    calls: 1,
    isJudged: true,
    run: (backend) => backend.exec('true'),
    floor: (handle) => handle.process.exec('true', { signal: new AbortController().signal }),
    isRight: (value) => isDeepStrictEqual(value, { stdout: '', stderr: '', exitCode: 0 }),
  },
  {
    id: 'exec with a time limit',
    batch: 1000,
    calls: 1,
    isJudged: true,
    run: (backend) => backend.exec('true', { timeoutMs: 60_000 }),
    floor: async (handle) => {
      const timer = setTimeout(() => {}, 60_000)
      const value = await handle.process.exec('true', { signal: new AbortController().signal })
      clearTimeout(timer)
      return value
    },
    isRight: (value) => isDeepStrictEqual(value, { stdout: '', stderr: '', exitCode: 0 }),
  },
  {
    id: 'readLines, a page of 100 lines',
    batch: 100,
    calls: 1,
    // Its time is the reading of the page, not the call.
    isJudged: false,
    run: (backend) => backend.readLines(FILE, { offset: 1, limit: 100 }),
    floor: (handle) => handle.process.exec('wc', { cwd: '/', signal }),
    isRight: ({ head, size, lines, total }) =>
      head.length === 8192 && size === 65_536 && lines.length === 100 && total === undefined,
  },
]

async function lstatTimes({ fs }, count) {
  let value
  for (let left = count; left > 0; left -= 1) value = await fs.lstat(FILE, undefined)
  return value
}
