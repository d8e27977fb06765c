/**
 * "Deliberate improvements over the reference": each row of the contract's table. What needs real
 * shells is in `real/`.
 */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { memorySandbox, result } from './support/memory-sandbox.js'
import { deferred, rejectionOf } from './support/settle.js'
import { sandboxWorkspaceBackend } from './support/subject.js'

const LONGEST_MS = 2 ** 31 - 1

describe('group kill in dash', () => {
  it('has a form that dash takes, too', async () => {
    const commands = []
    const { handle } = memorySandbox(
      {},
      { exec: (command) => commands.push(command) && result('s') },
    )
    await sandboxWorkspaceBackend(handle).killJob('421:s')
    expect(commands.at(-1).split(' || ')).toEqual([
      'kill -9 -- -421 2>/dev/null',
      'kill -9 -421 2>/dev/null',
      'kill -9 421',
    ])
  })
})

describe("killJob('0…'), killJob('1…')", () => {
  it.each(['0', '1', '00', '01', '0001', '0:start', '1:start', '01:start'])(
    '%s gives false and runs no command',
    async (jobId) => {
      const { handle, calls } = memorySandbox({}, { exec: () => result('start') })
      expect(await sandboxWorkspaceBackend(handle).killJob(jobId)).toBe(false)
      expect(calls).toEqual([])
    },
  )

  it.each(['2:start', '10:start', '0010:start'])('%s is a job as any other', async (jobId) => {
    const { handle } = memorySandbox({}, { exec: () => result('start') })
    expect(await sandboxWorkspaceBackend(handle).killJob(jobId)).toBe(true)
  })
})

describe('readlink exits 0 and prints nothing', () => {
  it.each(['', '\n'])('%j', async (stdout) => {
    const { handle } = memorySandbox({ '/a/l': { link: 'x' } }, { exec: () => result(stdout) })
    const backend = sandboxWorkspaceBackend(handle)
    for (const operation of [backend.realpath, backend.stat]) {
      expect(await rejectionOf(operation('/a/l'))).toEqual(
        new Error('Cannot read the link /a/l: no target in the output'),
      )
    }
  })
})

describe('timeoutMs of 2^31 or more, Infinity', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  /** An `exec` that the sandbox never answers, and whether it has ended. */
  function start(timeoutMs) {
    const { handle } = memorySandbox()
    handle.process.exec = () => new Promise(() => {})
    const state = { exitCode: undefined }
    sandboxWorkspaceBackend(handle)
      .exec('x', { timeoutMs })
      .then(({ exitCode }) => Object.assign(state, { exitCode }))
    return state
  }

  it.each([2 ** 31 - 1, 2 ** 31, 2 ** 32 + 5, 1e300, Number.POSITIVE_INFINITY])(
    '%d waits the longest time a timer can',
    async (timeoutMs) => {
      const state = start(timeoutMs)
      await vi.advanceTimersByTimeAsync(LONGEST_MS - 1)
      expect(state.exitCode).toBe(undefined)
      await vi.advanceTimersByTimeAsync(1)
      expect(state.exitCode).toBe(124)
    },
  )

  it.each([Number.NaN, 0, -0, undefined])('%d means none', async (timeoutMs) => {
    const state = start(timeoutMs)
    expect(vi.getTimerCount()).toBe(0)
    await vi.advanceTimersByTimeAsync(LONGEST_MS)
    expect(state.exitCode).toBe(undefined)
  })

  it.each([-5, -(2 ** 40), Number.NEGATIVE_INFINITY])('%d is at once', async (timeoutMs) => {
    const state = start(timeoutMs)
    await vi.advanceTimersByTimeAsync(1)
    expect(state.exitCode).toBe(124)
  })
})

describe('limit: Infinity in readLines', () => {
  it.each([
    [1, Number.POSITIVE_INFINITY, 1, '9007199254740991'],
    [500, Number.POSITIVE_INFINITY, 500, '9007199254740991'],
    [Number.NaN, 3, 1, 4],
    [4, Number.NaN, 4, 4],
    [Number.NaN, Number.NaN, 1, 1],
    [Number.NaN, Number.POSITIVE_INFINITY, 1, '9007199254740991'],
  ])('offset %d, limit %d', async (offset, limit, first, end) => {
    const commands = []
    const { handle } = memorySandbox(
      {},
      { exec: (command) => commands.push(command) && result('0\n@lines\ntotal 0\n') },
    )
    await sandboxWorkspaceBackend(handle).readLines('/a', { offset, limit })
    expect(commands[0]).toContain(`awk -v o=${first} -v e=${end} -v max=65536 '`)
  })
})

describe('unbound fs.lstat', () => {
  it.each(['stat', 'realpath', 'readdir', 'remove'])('%s calls it on fs', async (name) => {
    const { handle, calls } = memorySandbox({ '/a/f': { file: '' }, '/l': { link: 'a/f' } })
    const path = name === 'readdir' ? '/' : '/l'
    await sandboxWorkspaceBackend(handle)[name](path)
    const owners = calls.filter(({ method }) => method === 'fs.lstat').map(({ owner }) => owner)
    expect(owners.length).toBeGreaterThan(1)
    expect(owners.every((owner) => owner === handle.fs)).toBe(true)
  })
})

describe("the provider's exec throws synchronously", () => {
  it('gives exit code 1, as for a rejection', async () => {
    const { handle } = memorySandbox()
    handle.process.exec = () => {
      throw new Error('no shell')
    }
    expect(await sandboxWorkspaceBackend(handle).exec('x')).toEqual(
      result('', 1, 'Error: no shell'),
    )
  })

  it('spawn that throws synchronously is a job that failed to start', async () => {
    const { handle } = memorySandbox()
    handle.process.spawn = () => {
      throw new Error('no shell')
    }
    const job = sandboxWorkspaceBackend(handle).spawn('x')
    expect(await job.wait()).toEqual({ exitCode: 1 })
    expect(job.output()).toBe('Error: no shell')
    expect(await job.jobId).toBe(undefined)
  })

  it('ps that throws synchronously tells nothing', async () => {
    const { promise, resolve } = deferred()
    const { handle } = memorySandbox(
      {},
      { spawn: () => ({ pid: 5, stdout: [], stderr: [], wait: () => promise }) },
    )
    handle.process.exec = () => {
      throw new Error('no shell')
    }
    const job = sandboxWorkspaceBackend(handle).spawn('x')
    expect(await job.jobId).toBe('5')
    resolve(3)
    expect(await job.wait()).toEqual({ exitCode: 3 })
  })
})
