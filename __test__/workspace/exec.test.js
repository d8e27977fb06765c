/** `exec`: "Behaviour worth a test each". */

import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { memorySandbox, plainCalls, result } from './support/memory-sandbox.js'
import { deferred, foreignThenable, rejectionOf, turn } from './support/settle.js'
import { sandboxWorkspaceBackend } from './support/subject.js'

const TIMED_OUT = { exitCode: 124, stdout: '', stderr: '' }
const ABORTED = { exitCode: 1, stdout: '', stderr: '' }

/** A backend whose sandbox answers a command when the test says so. */
function open() {
  const { handle, calls } = memorySandbox()
  const answer = deferred()
  const signals = []
  handle.process.exec = vi.fn((_command, { signal }) => {
    signals.push(signal)
    return answer.promise
  })
  return { backend: sandboxWorkspaceBackend(handle), handle, calls, answer, signals }
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

describe('what the sandbox gets', () => {
  it('the command, the folder, the variables and a signal of the backend', async () => {
    const { handle, calls } = memorySandbox()
    const { signal } = new AbortController()
    const env = Object.freeze({ A: '1' })
    const backend = sandboxWorkspaceBackend(handle)
    await backend.exec('ls', { cwd: '/w', env, timeoutMs: 5, signal, other: 1 })
    expect(plainCalls(calls)).toStrictEqual([
      ['process.exec', 'ls', { cwd: '/w', env, signal: expect.any(AbortSignal) }],
    ])
    expect(calls[0].args[1].env).toBe(env)
    expect(calls[0].args[1].signal).not.toBe(signal)
  })

  it.each([[[]], [[undefined]], [[{}]]])('nothing but the command: %j', async (given) => {
    const { handle, calls } = memorySandbox()
    await sandboxWorkspaceBackend(handle).exec('ls', ...given)
    expect(plainCalls(calls)).toStrictEqual([
      ['process.exec', 'ls', { cwd: undefined, env: undefined, signal: expect.any(AbortSignal) }],
    ])
    expect(calls[0].args[1].signal.aborted).toBe(false)
  })
})

describe('a timeout', () => {
  it('gives 124 at once and aborts the signal of the sandbox', async () => {
    const { backend, signals } = open()
    const promise = backend.exec('sleep', { timeoutMs: 200 })
    await vi.advanceTimersByTimeAsync(199)
    expect(signals[0].aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(signals[0].aborted).toBe(true)
    expect(signals[0].reason).toMatchObject({ name: 'AbortError' })
    expect(await promise).toStrictEqual(TIMED_OUT)
  })

  it('of 0 means none', async () => {
    const { backend, answer } = open()
    const promise = backend.exec('sleep', { timeoutMs: 0 })
    expect(vi.getTimerCount()).toBe(0)
    answer.resolve(result('late'))
    expect((await promise).stdout).toBe('late')
  })

  it('uses the setTimeout and clearTimeout that are global at the call', async () => {
    const { backend, answer } = open()
    const set = vi.spyOn(globalThis, 'setTimeout')
    const clear = vi.spyOn(globalThis, 'clearTimeout')
    const promise = backend.exec('sleep', { timeoutMs: 200 })
    expect(set).toHaveBeenCalledTimes(1)
    expect(set.mock.calls[0]).toEqual([expect.any(Function), 200])
    answer.resolve(result())
    await promise
    expect(clear).toHaveBeenCalledWith(set.mock.results[0].value)
    set.mockRestore()
    clear.mockRestore()
  })

  it('that is 124 although the sandbox rejects as soon as it is aborted', async () => {
    const { backend, handle } = open()
    handle.process.exec = (_command, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const promise = backend.exec('sleep', { timeoutMs: 10 })
    await vi.advanceTimersByTimeAsync(10)
    expect(await promise).toStrictEqual(TIMED_OUT)
  })
})

describe("the caller's signal", () => {
  it('gives exit code 1 and aborts the signal of the sandbox', async () => {
    const { backend, signals } = open()
    const controller = new AbortController()
    const promise = backend.exec('sleep', { signal: controller.signal })
    expect(getEventListeners(controller.signal, 'abort').length).toBe(1)
    controller.abort()
    expect(signals[0].aborted).toBe(true)
    expect(await promise).toStrictEqual(ABORTED)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('that is aborted already counts; the sandbox is still asked, with an aborted signal', async () => {
    const { backend, handle, signals } = open()
    const signal = AbortSignal.abort(new Error('before'))
    expect(await backend.exec('sleep', { signal, timeoutMs: 50 })).toStrictEqual(ABORTED)
    expect(handle.process.exec).toHaveBeenCalledTimes(1)
    expect(signals[0].aborted).toBe(true)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that is aborted by the sandbox during its call', async () => {
    const { backend, handle } = open()
    const controller = new AbortController()
    handle.process.exec = () => {
      controller.abort()
      return new Promise(() => {})
    }
    expect(await backend.exec('x', { signal: controller.signal })).toStrictEqual(ABORTED)
  })

  it('of another library works by its public methods', async () => {
    const { backend } = open()
    const listeners = new Set()
    const signal = {
      aborted: false,
      addEventListener: (_type, listener) => listeners.add(listener),
      removeEventListener: (_type, listener) => listeners.delete(listener),
    }
    const promise = backend.exec('x', { signal })
    expect(listeners.size).toBe(1)
    for (const listener of listeners) listener(new Event('abort'))
    expect(await promise).toStrictEqual(ABORTED)
    expect(listeners.size).toBe(0)
  })

  it('may be shared by many calls at once', async () => {
    const { backend } = open()
    const controller = new AbortController()
    const { signal } = controller
    const all = Array.from({ length: 8 }, () => backend.exec('x', { signal }))
    expect(getEventListeners(signal, 'abort').length).toBe(8)
    controller.abort()
    for (const one of await Promise.all(all)) expect(one).toStrictEqual(ABORTED)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('the first reason wins', () => {
  it('timeout, then signal', async () => {
    const { backend } = open()
    const controller = new AbortController()
    const promise = backend.exec('x', { timeoutMs: 10, signal: controller.signal })
    vi.advanceTimersByTime(10)
    controller.abort()
    expect(await promise).toStrictEqual(TIMED_OUT)
  })

  it('signal, then timeout', async () => {
    const { backend } = open()
    const controller = new AbortController()
    const promise = backend.exec('x', { timeoutMs: 10, signal: controller.signal })
    controller.abort()
    vi.advanceTimersByTime(10)
    expect(await promise).toStrictEqual(ABORTED)
  })

  it('the result, then timeout and signal', async () => {
    const { backend, answer, signals } = open()
    const controller = new AbortController()
    const promise = backend.exec('x', { timeoutMs: 10, signal: controller.signal })
    const value = result('done')
    answer.resolve(value)
    expect(await promise).toBe(value)
    vi.advanceTimersByTime(10)
    controller.abort()
    expect(signals[0].aborted).toBe(false)
  })

  it('timeout, then a result or a rejection of the sandbox', async () => {
    for (const end of ['resolve', 'reject']) {
      const { backend, answer } = open()
      const promise = backend.exec('x', { timeoutMs: 10 })
      vi.advanceTimersByTime(10)
      answer[end](new Error('late'))
      expect(await promise).toStrictEqual(TIMED_OUT)
    }
  })
})

describe('a rejection of the sandbox', () => {
  it.each([
    ['an Error', new Error('broken'), 'Error: broken'],
    ['a TypeError', new TypeError('wrong'), 'TypeError: wrong'],
    ['a DOMException', new DOMException('stop', 'AbortError'), 'AbortError: stop'],
    ['a string', 'text', 'text'],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a symbol', Symbol('odd'), 'Symbol(odd)'],
    ['a bigint', 5n, '5'],
    ['an object', { a: 1 }, '[object Object]'],
    ['an object with toString', { toString: () => 'own text' }, 'own text'],
    ['an array', [1, [2]], '1,2'],
    ['a lone surrogate', new Error('\ud800'), 'Error: \ud800'],
  ])('gives exit code 1 and String(error): %s', async (_kind, error, stderr) => {
    const expected = { exitCode: 1, stdout: '', stderr }
    const { backend, handle } = open()
    handle.process.exec = () => Promise.reject(error)
    expect(await backend.exec('x')).toStrictEqual(expected)
    handle.process.exec = () => {
      throw error
    }
    expect(await backend.exec('x')).toStrictEqual(expected)
  })

  it.each([
    ['without prototype', () => Object.create(null), TypeError],
    [
      'whose toString throws',
      () => ({
        toString() {
          throw new RangeError('of toString')
        },
      }),
      RangeError,
    ],
  ])('an object %s: what String(error) throws', async (_kind, make, type) => {
    const { backend, handle } = open()
    const { signal } = new AbortController()
    handle.process.exec = () => Promise.reject(make())
    expect(await rejectionOf(backend.exec('x', { signal, timeoutMs: 5 }))).toBeInstanceOf(type)
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('timer and listener are removed in every case', () => {
  const ends = {
    result: ({ answer }) => answer.resolve(result()),
    rejection: ({ answer }) => answer.reject(new Error('no')),
    timeout: () => vi.advanceTimersByTime(500),
    abort: ({ controller }) => controller.abort(),
    'a thenable': ({ answer }) => answer.resolve(foreignThenable(result())),
    'a synchronous throw': () => undefined,
    'a plain value': () => undefined,
  }

  it.each(Object.keys(ends))('%s', async (name) => {
    const opened = open()
    const controller = new AbortController()
    const { signal } = controller
    if (name === 'a plain value') opened.handle.process.exec = () => result()
    if (name === 'a synchronous throw') {
      opened.handle.process.exec = () => {
        throw new Error('no')
      }
    }
    const promise = opened.backend.exec('x', { timeoutMs: 500, signal })
    expect(vi.getTimerCount()).toBe(1)
    expect(getEventListeners(signal, 'abort').length).toBe(1)
    ends[name]({ ...opened, controller })
    await promise
    await turn()
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
