/** Operations must not change what others do, whatever happens to one of them. */

import { describe, expect, it, vi } from 'vitest'
import { memorySandbox, result } from './support/memory-sandbox.js'
import { outcomeOf, turn } from './support/settle.js'
import { isNative, sandboxWorkspaceBackend } from './support/subject.js'

describe('a stat of a link that is under way looks at the target with lstat', () => {
  it.each([
    ['readLines', (backend) => backend.readLines('/x', { offset: 1, limit: 1 })],
    ['killJob', (backend) => backend.killJob('no id')],
    ['spawn', (backend) => backend.spawn('x').jobId],
    ['close', (backend) => backend.close({ reason: 'moved' })],
    ['exec', (backend) => backend.exec('x')],
  ])('beside %s', async (_name, start) => {
    const { handle } = memorySandbox()
    handle.fs.lstat = async (path) => ({ type: path === '/l' ? 'symlink' : 'other', mode: 0 })
    handle.fs.exists = vi.fn(async () => true)
    handle.fs.readBytes = vi.fn(() => new Promise(() => {}))
    handle.process.exec = async () => result('/fifo\n')
    const backend = sandboxWorkspaceBackend(handle)
    const stat = backend.stat('/l')
    outcomeOf(start(backend))
    expect(await stat).toEqual({ type: 'file', size: 0, mtimeMs: 0 })
    expect(handle.fs.exists).not.toHaveBeenCalled()
    expect(handle.fs.readBytes).not.toHaveBeenCalled()
  })
})

it('an operation that had no stack leaves nothing to the next', async () => {
  const commands = []
  const { handle } = memorySandbox({ '/work': { dir: true }, '/etc': { dir: true } })
  handle.fs.lstat = async (path) => ({ type: path === '/work/evil' ? 'symlink' : 'dir', mode: 0 })
  handle.process.exec = async (command) => {
    commands.push(command)
    return result(command.startsWith('readlink') ? '/etc\n' : 'start')
  }
  for (let room = 0; room < 40; room += 1) {
    const backend = sandboxWorkspaceBackend(handle)
    for (const padding of [[], new Array(7).fill(0)]) {
      const page = () => backend.readLines('/$(touch owned)/x', { offset: 1, limit: 1 })
      await outcomeOf(nearTheLimitOfTheStack(room, page, ...padding))
    }
    await turn()
    commands.length = 0
    expect(await backend.realpath('/work/evil')).toBe('/etc')
    expect(await backend.killJob('4242:start')).toBe(true)
    expect(commands).toEqual([
      "readlink -- 'evil'",
      'LC_ALL=C ps -o lstart= -p 4242',
      expect.stringMatching(/^kill -9 -- -4242 /),
    ])
  }
})

it.runIf(isNative)("close reaches destroy whatever the caller did to a job's kill", async () => {
  const { handle } = memorySandbox()
  handle.destroy = vi.fn(async () => {})
  const backend = sandboxWorkspaceBackend(handle, { owned: true })
  const job = backend.spawn('x')
  job.kill = () => {
    throw new Error('replaced')
  }
  await backend.close({ reason: 'closed' })
  await backend.close({ reason: 'closed' })
  expect(handle.destroy).toHaveBeenCalledTimes(1)
})

it("a promise's own then is not looked at, as await does not", async () => {
  const { handle } = memorySandbox()
  handle.fs.lstat = () => {
    const promise = Promise.resolve({ type: 'dir', mode: 0 })
    Object.defineProperty(promise, 'then', {
      value: () => {
        throw new Error('own then')
      },
    })
    return promise
  }
  const backend = sandboxWorkspaceBackend(handle)
  expect(await backend.realpath('/x/y')).toBe('/x/y')
})

it('a signal that is none leaves no timer', async () => {
  vi.useFakeTimers()
  try {
    const { handle } = memorySandbox()
    const backend = sandboxWorkspaceBackend(handle)
    const run = async () => backend.exec('x', { timeoutMs: 1000, signal: {} })
    expect(await outcomeOf(run())).toHaveProperty('error')
    if (isNative) expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

function nearTheLimitOfTheStack(room, call) {
  let depth = 0
  const sink = () => {
    depth += 1
    sink()
  }
  try {
    sink()
  } catch {
    // The depth is known now.
  }
  const dive = (left) => (left > 0 ? dive(left - 1) : call())
  try {
    return Promise.resolve(dive(Math.max(0, depth - room)))
  } catch (error) {
    return Promise.reject(error)
  }
}
