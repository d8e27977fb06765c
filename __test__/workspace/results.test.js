/** "The object itself", rules 5 to 8 of the contract: what comes back from the sandbox, and when. */

import { describe, expect, it } from 'vitest'
import { memorySandbox, result } from './support/memory-sandbox.js'
import { operationTree, ownedBackend, rejectingOperations } from './support/operations.js'
import { foreignThenable, oddErrors, outcomeOf, turn } from './support/settle.js'
import { sandboxWorkspaceBackend } from './support/subject.js'

describe('rule 5: what the sandbox rejects with is what the caller gets', () => {
  const ways = [
    ['rejects', (error) => Promise.reject(error)],
    [
      'rejects on a later turn',
      async (error) => {
        await turn()
        throw error
      },
    ],
    [
      'throws synchronously',
      (error) => {
        throw error
      },
    ],
  ]

  describe.each(ways)('the sandbox %s', (_way, fail) => {
    describe.each(rejectingOperations)('$name', ({ provider, run }) => {
      it.each(oddErrors)('%s', async (_kind, error) => {
        const { handle } = memorySandbox(operationTree, {
          answer: (work, { method }) => (method === provider ? fail(error) : work()),
        })
        const outcome = await outcomeOf(run(ownedBackend(handle)))
        expect('error' in outcome).toBe(true)
        expect(Object.is(outcome.error, error)).toBe(true)
      })
    })
  })
})

describe('rule 6: what the sandbox resolves with is passed on as it is', () => {
  const results = [
    ['a result', result('out', 3, 'err')],
    ['more than a result', { ...result(), durationMs: 5 }],
    ['a frozen result', Object.freeze(result())],
    ['a result of a class', new (class Result {})()],
    ['undefined', undefined],
    ['null', null],
    ['a string', 'text'],
    ['an object without prototype', Object.create(null)],
  ]

  it.each(results)('exec: %s', async (_kind, value) => {
    const { handle } = memorySandbox()
    handle.process.exec = async () => value
    expect((await sandboxWorkspaceBackend(handle).exec('x')) === value).toBe(true)
  })

  it.each([
    ...results,
    ['bytes', new Uint8Array([1])],
    ['a Buffer', Buffer.from('b')],
    ['a view of shared memory', new Uint8Array(new SharedArrayBuffer(1))],
  ])('readFile: %s', async (_kind, value) => {
    const { handle } = memorySandbox()
    handle.fs.readBytes = async () => value
    expect((await sandboxWorkspaceBackend(handle).readFile('x')) === value).toBe(true)
  })

  it('the names and types of a list', async () => {
    const { handle } = memorySandbox()
    const names = ['\ud800', '', 'a\nb']
    handle.fs.list = async () => names.map((name) => ({ name, path: `/${name}`, type: 'file' }))
    expect(await sandboxWorkspaceBackend(handle).readdir('/')).toEqual(
      names.map((name) => ({ name, type: 'file' })),
    )
  })
})

describe('rule 7: plain values, foreign thenables and synchronous throws', () => {
  const ways = [
    ['plain values', (work) => work()],
    ['foreign thenables', (work) => foreignThenable(work())],
    ['thenables whose thenable is foreign', (work) => foreignThenable(foreignThenable(work()))],
    [
      'thenables that settle within then()',
      // biome-ignore lint/suspicious/noThenProperty: a thenable is what this is.
      (work) => ({ then: (resolve) => resolve(work()) }),
    ],
    [
      'thenables that settle twice',
      (work) => ({
        // biome-ignore lint/suspicious/noThenProperty: a thenable is what this is.
        then(resolve, reject) {
          resolve(work())
          resolve('again')
          reject(new Error('late'))
          throw new Error('later still')
        },
      }),
    ],
    ['functions with a then', (work) => Object.assign(() => {}, foreignThenable(work()))],
  ]

  it.each(ways)('%s', async (_way, answer) => {
    const { handle } = memorySandbox(operationTree, { answer })
    const backend = ownedBackend(handle)
    expect(Buffer.from(await backend.readFile('/workspace/file.txt')).toString()).toBe('text\n')
    expect(await backend.stat('/workspace/link')).toEqual({ type: 'file', size: 5, mtimeMs: 0 })
    expect(await backend.realpath('/workspace/link')).toBe('/workspace/file.txt')
    expect(await backend.readdir('/workspace')).toEqual([
      { name: 'file.txt', type: 'file' },
      { name: 'link', type: 'link' },
    ])
    expect((await backend.exec('x')).exitCode).toBe(127)
    expect(await backend.writeFile('/workspace/new', 'n')).toBe(undefined)
    await backend.remove('/workspace/new')
    expect(await backend.close({ reason: 'closed' })).toBe(undefined)
  })

  it('a thenable whose then throws, or whose then cannot be read', async () => {
    const error = new Error('of then')
    const fail = () => {
      throw error
    }
    const { handle } = memorySandbox()
    // biome-ignore lint/suspicious/noThenProperty: a thenable is what this is.
    for (const thenable of [{ then: fail }, Object.defineProperty({}, 'then', { get: fail })]) {
      handle.fs.lstat = () => thenable
      expect(await outcomeOf(sandboxWorkspaceBackend(handle).stat('/a'))).toEqual({ error })
    }
  })

  it('a promise of another class, with a then of its own', async () => {
    class Tracked extends Promise {}
    const { handle } = memorySandbox(operationTree, {
      answer: (work) => Tracked.resolve(work()),
    })
    const backend = sandboxWorkspaceBackend(handle)
    const promise = backend.stat('/workspace/file.txt')
    expect(promise.constructor).toBe(Promise)
    expect((await promise).size).toBe(5)
  })

  it.each(rejectingOperations)('$name returns a promise whatever happens', ({ provider, run }) => {
    const { handle } = memorySandbox(operationTree, {
      answer: (work, { method }) => {
        if (method === provider) throw new Error('at once')
        return work()
      },
    })
    const promise = run(ownedBackend(handle))
    expect(promise).toBeInstanceOf(Promise)
    return outcomeOf(promise)
  })

  it('a function that the sandbox does not have gives a TypeError', async () => {
    const { handle } = memorySandbox(operationTree)
    handle.fs.readBytes = undefined
    handle.fs.list = 'text'
    const backend = sandboxWorkspaceBackend(handle)
    expect((await outcomeOf(backend.readFile('/a'))).error).toBeInstanceOf(TypeError)
    expect((await outcomeOf(backend.readdir('/a'))).error).toBeInstanceOf(TypeError)
  })
})

describe('rule 8: the sandbox is called during the call', () => {
  it.each(rejectingOperations.slice(0, 7))('$name', async ({ provider, run }) => {
    const { handle, calls } = memorySandbox(operationTree)
    const promise = run(sandboxWorkspaceBackend(handle))
    expect(calls.map(({ method }) => method)).toEqual([provider])
    await outcomeOf(promise)
  })

  it('exec, spawn, killJob, close', async () => {
    const { handle, calls } = memorySandbox({}, { exec: () => result() })
    const backend = ownedBackend(handle)
    const seen = (run) => {
      calls.length = 0
      const promise = run()
      const methods = calls.map(({ method }) => method)
      return { methods, promise }
    }
    expect(seen(() => backend.exec('x')).methods).toEqual(['process.exec'])
    expect(seen(() => backend.spawn('x')).methods).toEqual(['process.spawn'])
    expect(seen(() => outcomeOf(backend.killJob('5:x'))).methods).toEqual(['process.exec'])
    expect(seen(() => backend.close({ reason: 'closed' })).methods).toEqual(['destroy'])
  })
})
