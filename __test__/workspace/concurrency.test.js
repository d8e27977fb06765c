/** "The object itself", rules 9 to 11 of the contract: nothing left behind, all at once. */

import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { memorySandbox } from './support/memory-sandbox.js'
import {
  fileOperations,
  operationTree,
  ownedBackend,
  rejectingOperations,
} from './support/operations.js'
import { deferred, outcomeOf, turn } from './support/settle.js'
import { sandboxWorkspaceBackend } from './support/subject.js'

describe('rule 9: nothing is left behind', () => {
  it('no unhandled rejection, whatever rejects and is not waited for', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const { handle } = memorySandbox(operationTree, {
      answer: () => Promise.reject(new Error('no')),
    })
    const backend = ownedBackend(handle)
    const jobs = [backend.spawn('x'), backend.spawn('y')]
    for (const job of jobs) job.kill()
    // These are the caller's, and he looks after them.
    for (const { run } of rejectingOperations) await outcomeOf(run(backend))
    expect((await backend.exec('x')).exitCode).toBe(1)
    for (let count = 0; count < 5; count += 1) await turn()
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('no unhandled rejection of the other lstat calls of a readdir that failed', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const { handle } = memorySandbox({ '/a': { file: '' }, '/b': { file: '' }, '/c': { file: '' } })
    handle.fs.lstat = async (path) => {
      await turn()
      throw new Error(path)
    }
    expect((await outcomeOf(sandboxWorkspaceBackend(handle).readdir('/'))).error.message).toBe('/a')
    for (let count = 0; count < 5; count += 1) await turn()
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('no listener on a signal, before, during or after any operation but exec', async () => {
    const { signal } = new AbortController()
    const { handle } = memorySandbox(operationTree)
    const backend = sandboxWorkspaceBackend(handle)
    for (const { run } of fileOperations) {
      const promise = run(backend, { signal })
      expect(getEventListeners(signal, 'abort')).toEqual([])
      await promise
    }
    const page = backend.readLines('/workspace/file.txt', { offset: 1, limit: 1, signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
    await outcomeOf(page)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('rule 10: operations interleave', () => {
  it('thousands at once, settled in any order', async () => {
    const waiting = []
    const { handle } = memorySandbox()
    handle.fs.lstat = (path) => {
      const { promise, resolve } = deferred()
      waiting.push(() => resolve({ type: 'file', mode: 0, size: Number(path.slice(1)) }))
      return promise
    }
    const backend = sandboxWorkspaceBackend(handle)
    const count = 5000
    const all = Array.from({ length: count }, (_, index) => backend.stat(`/${index}`))
    expect(waiting.length).toBe(count)
    // Odd ones first, the rest from behind.
    const odd = waiting.filter((_, index) => index % 2 === 1)
    const even = waiting.filter((_, index) => index % 2 === 0)
    for (const settle of [...odd, ...even.reverse()]) settle()
    expect((await Promise.all(all)).map(({ size }) => size)).toEqual(
      Array.from({ length: count }, (_, index) => index),
    )
  })

  it('an operation that never ends does not hold up others', async () => {
    const { handle } = memorySandbox(operationTree)
    const { lstat } = handle.fs
    handle.fs.lstat = (path, options) =>
      path === '/never' ? new Promise(() => {}) : lstat(path, options)
    const backend = sandboxWorkspaceBackend(handle)
    backend.stat('/never')
    backend.realpath('/never/a')
    expect((await backend.stat('/workspace/file.txt')).size).toBe(5)
  })

  it('the sandbox may call the backend while the backend calls it', async () => {
    const { handle } = memorySandbox(operationTree)
    const { lstat } = handle.fs
    let depth = 0
    const inner = []
    handle.fs.lstat = (path, options) => {
      if (depth < 50) {
        depth += 1
        inner.push(
          backend.stat('/workspace/link'),
          backend.exec('x'),
          backend.readdir('/workspace'),
        )
      }
      return lstat(path, options)
    }
    const backend = sandboxWorkspaceBackend(handle)
    expect(await backend.realpath('/workspace/link')).toBe('/workspace/file.txt')
    expect(inner.length).toBe(150)
    for (const [index, value] of (await Promise.all(inner)).entries()) {
      if (index % 3 === 0) expect(value).toEqual({ type: 'file', size: 5, mtimeMs: 0 })
      if (index % 3 === 1) expect(value.exitCode).toBe(127)
      if (index % 3 === 2) expect(value.length).toBe(2)
    }
  })

  it('the sandbox may call the backend within the then() of its thenable', async () => {
    const { handle } = memorySandbox(operationTree)
    const { lstat } = handle.fs
    let isInner = false
    handle.fs.lstat = (path, options) => ({
      // biome-ignore lint/suspicious/noThenProperty: a thenable is what this is.
      async then(resolve) {
        if (!isInner) {
          isInner = true
          await backend.stat('/workspace/file.txt')
        }
        resolve(lstat(path, options))
      },
    })
    const backend = sandboxWorkspaceBackend(handle)
    expect((await backend.stat('/workspace/file.txt')).size).toBe(5)
  })
})

describe('rule 11: parallel operations stay parallel', () => {
  it('readdir starts all its lstat calls at once', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `n${index}`)
    const waiting = []
    const { handle } = memorySandbox()
    handle.fs.list = async () => names.map((name) => ({ name, path: `/${name}`, type: 'file' }))
    handle.fs.lstat = (path) => {
      const { promise, resolve } = deferred()
      waiting.push({ path, resolve })
      return promise
    }
    const promise = sandboxWorkspaceBackend(handle).readdir('/')
    await turn()
    expect(waiting.map(({ path }) => path)).toEqual(names.map((name) => `/${name}`))
    for (const { path, resolve } of waiting.reverse()) {
      resolve({ type: path.endsWith('7') ? 'symlink' : 'file', mode: 0, size: 0 })
    }
    expect(await promise).toEqual(
      names.map((name) => ({ name, type: name.endsWith('7') ? 'link' : 'file' })),
    )
  })

  it('readdir makes all its lstat calls when one throws synchronously', async () => {
    const { handle, calls } = memorySandbox(
      { '/a': { file: '' }, '/b': { file: '' }, '/c': { file: '' } },
      {
        answer: (work, { method, args }) => {
          if (method === 'fs.lstat' && args[0] === '/a') throw new Error('first')
          return work()
        },
      },
    )
    const outcome = await outcomeOf(sandboxWorkspaceBackend(handle).readdir('/'))
    expect(outcome).toEqual({ error: new Error('first') })
    expect(calls.filter(({ method }) => method === 'fs.lstat').length).toBe(3)
  })
})
