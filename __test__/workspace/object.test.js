/** "The object itself", rules 1 to 4 of the contract: its shape, and what it looks up and passes. */

import { describe, expect, it, vi } from 'vitest'
import { memorySandbox, plainCalls, result } from './support/memory-sandbox.js'
import { fileOperations, operationTree, ownedBackend } from './support/operations.js'
import { outcomeOf } from './support/settle.js'
import { sandboxWorkspaceBackend } from './support/subject.js'

const KEYS = [
  'shell',
  'binding',
  'killJob',
  'readFile',
  'writeFile',
  'remove',
  'readLines',
  'stat',
  'realpath',
  'readdir',
  'exec',
  'spawn',
  'close',
]

describe('rule 1: a plain object of functions that need no this', () => {
  it('has own, enumerable, writable properties and the prototype of an object', () => {
    const backend = sandboxWorkspaceBackend(memorySandbox().handle)
    expect(Object.getPrototypeOf(backend)).toBe(Object.prototype)
    expect(Reflect.ownKeys(backend)).toEqual(KEYS)
    for (const key of KEYS) {
      expect(Object.getOwnPropertyDescriptor(backend, key)).toMatchObject({
        enumerable: true,
        writable: true,
        configurable: true,
      })
    }
    expect(backend.shell).toBe('sh')
  })

  it('can be spread, as the example of the original does', async () => {
    const { handle } = memorySandbox(operationTree)
    const workspace = { ...sandboxWorkspaceBackend(handle), root: '/workspace' }
    expect(Object.keys(workspace)).toEqual([...KEYS, 'root'])
    expect(await workspace.stat('/workspace/file.txt')).toEqual({
      type: 'file',
      size: 5,
      mtimeMs: 0,
    })
  })

  it.each(fileOperations)('$name works without this', async ({ name, args }) => {
    const { handle } = memorySandbox(operationTree)
    const method = sandboxWorkspaceBackend(handle)[name]
    await expect(method.apply(undefined, args)).resolves.toSatisfy(() => true)
  })

  it('the other functions work without this', async () => {
    const { handle } = memorySandbox(operationTree, { exec: () => result('1\n@lines\ntotal 0\n') })
    const { binding, close, exec, killJob, readLines, spawn } = sandboxWorkspaceBackend(handle)
    expect(binding()).toEqual({ kind: 'sandbox', provider: 'memory', sandboxId: 'memory-1' })
    expect((await exec('true')).exitCode).toBe(0)
    expect((await readLines('/a', { offset: 1, limit: 1 })).total).toBe(0)
    expect(await killJob('none')).toBe(false)
    const { wait, kill, output, jobId } = spawn('true')
    kill()
    expect(await wait()).toEqual({ exitCode: 1 })
    expect(output()).toBe('Error: this sandbox starts nothing')
    expect(await jobId).toBe(undefined)
    expect(await close({ reason: 'closed' })).toBe(undefined)
  })

  it('a job is a plain object too', () => {
    const { handle } = memorySandbox()
    const job = sandboxWorkspaceBackend(handle).spawn('true')
    expect(Object.getPrototypeOf(job)).toBe(Object.prototype)
    expect(Object.keys(job)).toEqual(['wait', 'kill', 'output', 'jobId'])
    expect(job.jobId).toBeInstanceOf(Promise)
  })

  it('binding() tells the provider and the id', () => {
    const { handle } = memorySandbox()
    const binding = sandboxWorkspaceBackend(handle).binding()
    expect(Object.entries(binding)).toEqual([
      ['kind', 'sandbox'],
      ['provider', 'memory'],
      ['sandboxId', 'memory-1'],
    ])
  })
})

describe('rule 2: spawn is absent where the sandbox has no background processes', () => {
  it('is no key', () => {
    const { handle } = memorySandbox({}, { backgroundProcesses: false })
    const backend = sandboxWorkspaceBackend(handle)
    expect('spawn' in backend).toBe(false)
    expect(Object.keys(backend)).toEqual(KEYS.filter((key) => key !== 'spawn'))
  })

  it('depends on what the sandbox says at creation', () => {
    const { handle } = memorySandbox()
    const backend = sandboxWorkspaceBackend(handle)
    handle.capabilities.backgroundProcesses = false
    expect(backend.spawn).toBeTypeOf('function')
    expect('spawn' in sandboxWorkspaceBackend(handle)).toBe(false)
  })
})

describe('rule 3: what is looked up when, and on what it is called', () => {
  it('handle.fs is read once, at creation', async () => {
    const { handle } = memorySandbox(operationTree)
    const { fs } = handle
    const get = vi.fn(() => fs)
    const withGetter = Object.defineProperty({ ...handle }, 'fs', { get })
    const backend = sandboxWorkspaceBackend(withGetter)
    expect(get).toHaveBeenCalledTimes(1)
    for (const { run } of fileOperations) await outcomeOf(run(backend))
    expect(get).toHaveBeenCalledTimes(1)
  })

  it.each(fileOperations)('$name sees what was put on fs later', async ({ provider, run }) => {
    const { handle } = memorySandbox(operationTree)
    const backend = sandboxWorkspaceBackend(handle)
    const name = provider.slice('fs.'.length)
    const spy = vi.spyOn(handle.fs, name)
    await outcomeOf(run(backend))
    expect(spy).toHaveBeenCalled()
    expect(spy.mock.contexts.every((context) => context === handle.fs)).toBe(true)
  })

  it('an lstat that comes or goes later counts', async () => {
    const { handle, calls } = memorySandbox(operationTree)
    const backend = sandboxWorkspaceBackend(handle)
    const { lstat } = handle.fs
    handle.fs.lstat = undefined
    await backend.stat('/workspace/file.txt')
    expect(calls.map(({ method }) => method)).toEqual(['fs.exists', 'fs.readBytes'])
    handle.fs.lstat = lstat
    calls.length = 0
    await backend.stat('/workspace/file.txt')
    expect(calls.map(({ method }) => method)).toEqual(['fs.lstat'])
  })

  it('handle.process and its functions are looked up at each call', async () => {
    const { handle } = memorySandbox()
    const backend = sandboxWorkspaceBackend(handle)
    const exec = vi.spyOn(handle.process, 'exec').mockResolvedValue(result('spied'))
    expect((await backend.exec('x')).stdout).toBe('spied')
    expect(exec.mock.contexts).toEqual([handle.process])
    handle.process = { exec: async () => result('other'), spawn: vi.fn(async () => undefined) }
    expect((await backend.exec('x')).stdout).toBe('other')
    await backend.spawn('x').wait()
    expect(handle.process.spawn.mock.contexts).toEqual([handle.process])
  })

  it('id, provider and destroy are looked up at each call', async () => {
    const { handle } = memorySandbox()
    const backend = ownedBackend(handle)
    Object.assign(handle, { id: 'later', provider: 'other', destroy: vi.fn(async () => {}) })
    expect(backend.binding()).toEqual({ kind: 'sandbox', provider: 'other', sandboxId: 'later' })
    await backend.close({ reason: 'closed' })
    expect(handle.destroy.mock.contexts).toEqual([handle])
  })

  it('a provider made of classes with private fields works', async () => {
    class Fs {
      #files = new Map([['/a', new Uint8Array([1, 2])]])
      async readBytes(path) {
        return this.#files.get(path)
      }
      async lstat(path) {
        const size = this.#files.get(path)?.length
        return size === undefined ? undefined : { type: 'file', mode: 0, size }
      }
      async list() {
        return [...this.#files.keys()].map((path) => ({ name: 'a', path, type: 'file' }))
      }
      async remove(path) {
        this.#files.delete(path)
      }
    }
    class Process {
      #ran = []
      async exec(command) {
        this.#ran.push(command)
        return result(this.#ran.join())
      }
    }
    class Handle {
      #destroyed = false
      id = 'c'
      provider = 'classes'
      capabilities = { backgroundProcesses: false, killableProcesses: false }
      fs = new Fs()
      process = new Process()
      async destroy() {
        this.#destroyed = true
      }
      get isDestroyed() {
        return this.#destroyed
      }
    }
    const handle = new Handle()
    const backend = ownedBackend(handle)
    expect([...(await backend.readFile('/a'))]).toEqual([1, 2])
    expect(await backend.stat('/a')).toEqual({ type: 'file', size: 2, mtimeMs: 0 })
    expect(await backend.realpath('/a')).toBe('/a')
    expect(await backend.readdir('/')).toEqual([{ name: 'a', type: 'file' }])
    await backend.remove('/a')
    expect(await backend.stat('/a')).toBe(undefined)
    expect((await backend.exec('ls')).stdout).toBe('ls')
    await backend.close({ reason: 'closed' })
    expect(handle.isDestroyed).toBe(true)
  })
})

describe('rule 4: options reach the sandbox as the same object', () => {
  it.each(fileOperations)('$name', async ({ provider, run, args }) => {
    const { handle, calls } = memorySandbox(operationTree)
    const options = Object.freeze({ signal: new AbortController().signal, own: 'property' })
    await run(sandboxWorkspaceBackend(handle), options)
    expect(plainCalls(calls)[0]).toEqual([provider, ...args, options])
    expect(calls.length).toBeGreaterThan(0)
    for (const { args: given } of calls) expect(given.at(-1)).toBe(options)
  })

  it.each(fileOperations)('$name without options passes undefined', async ({ run }) => {
    const { handle, calls } = memorySandbox(operationTree)
    await run(sandboxWorkspaceBackend(handle))
    for (const { args } of calls) expect(args.at(-1)).toBe(undefined)
    const lengths = { 'fs.write': 3 }
    for (const { method, args } of calls) expect(args.length).toBe(lengths[method] ?? 2)
  })

  it('without lstat, too', async () => {
    const { handle, calls } = memorySandbox(operationTree, { lstat: false })
    const options = {}
    await sandboxWorkspaceBackend(handle).stat('/workspace/file.txt', options)
    expect(calls.map(({ args }) => args.at(-1) === options)).toEqual([true, true])
  })

  it('what is written reaches the sandbox as it is', async () => {
    const { handle, calls } = memorySandbox()
    const backend = sandboxWorkspaceBackend(handle)
    const data = [new Uint8Array([1]), Buffer.from('b').subarray(0), 'text', '\ud800 alone', '']
    for (const each of data) await backend.writeFile('/f', each)
    expect(calls.map(({ args }) => args[1])).toEqual(data)
    for (const [index, each] of data.entries()) expect(calls[index].args[1]).toBe(each)
  })

  it.each(['\ud800', 'a\u0000b', '', 'relative/../path', 'x'.repeat(100_000)])(
    'a path or a command reaches the sandbox letter by letter: %j',
    async (text) => {
      const { handle, calls } = memorySandbox({}, { exec: () => result() })
      const backend = sandboxWorkspaceBackend(handle)
      const attempts = [
        backend.readFile(text),
        backend.writeFile(text, ''),
        backend.stat(text),
        backend.readdir(text),
        backend.exec(text),
        backend.spawn(text).wait(),
      ]
      await Promise.all(attempts.map(outcomeOf))
      const methods = ['fs.readBytes', 'fs.write', 'fs.lstat', 'fs.list']
      for (const name of [...methods, 'process.exec', 'process.spawn']) {
        const call = calls.find(({ method }) => method === name)
        expect(call.args[0] === text).toBe(true)
      }
    },
  )
})
