/** Operations must not change what others do, whatever happens to one of them. */

import { describe, expect, it, vi } from 'vitest'
import { fakeProcess } from './support/fake-process.js'
import { memorySandbox, result } from './support/memory-sandbox.js'
import { operationTree, ownedBackend } from './support/operations.js'
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

it('an operation that had no stack ends, and leaves nothing to the next', async () => {
  const commands = []
  const { handle } = memorySandbox({ '/box': { dir: true }, '/etc': { dir: true } })
  handle.fs.lstat = async (path) => ({ type: path === '/box/evil' ? 'symlink' : 'dir', mode: 0 })
  handle.process.exec = async (command) => {
    commands.push(command)
    return result(command.startsWith('readlink') ? '/etc\n' : 'start')
  }
  const page = (backend) => backend.readLines('/$(touch owned)/x', { offset: 1, limit: 1 })
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    const backend = sandboxWorkspaceBackend(handle)
    const locals = Math.floor(attempt / 40)
    await outcomeOf(nearTheLimitOfTheStack(attempt % 40, locals, () => page(backend)))
    await turn()
    commands.length = 0
    expect(await backend.realpath('/box/evil')).toBe('/etc')
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

it.runIf(isNative)('a close that had no stack leaves the next one to do its work', async () => {
  const { handle } = memorySandbox()
  for (let attempt = 0; attempt < 240; attempt += 1) {
    handle.destroy = vi.fn(async () => {})
    const backend = sandboxWorkspaceBackend(handle, { owned: true })
    const close = () => backend.close({ reason: 'closed' })
    await outcomeOf(nearTheLimitOfTheStack(attempt % 60, Math.floor(attempt / 60), close))
    expect(await close()).toBe(undefined)
    expect(handle.destroy).toHaveBeenCalledTimes(1)
  }
})

it("a promise's constructor is looked at once, as await does", async () => {
  const { handle } = memorySandbox(operationTree, {
    answer: (work) => {
      const promise = Promise.resolve(work())
      let looks = 0
      const get = () => {
        looks += 1
        if (looks > 1) throw new Error('looked at again')
        return Promise
      }
      return Object.defineProperty(promise, 'constructor', { get })
    },
  })
  const backend = ownedBackend(handle)
  expect(await backend.stat('/workspace/link')).toEqual({ type: 'file', size: 5, mtimeMs: 0 })
  expect(await backend.realpath('/workspace/link')).toBe('/workspace/file.txt')
  expect((await backend.readdir('/workspace')).length).toBe(2)
  await backend.remove('/workspace/file.txt')
  await backend.close({ reason: 'closed' })
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

it('exec and spawn await a promise whose own methods throw', async () => {
  const odd = (value) => {
    const fail = () => {
      throw new Error('own method')
    }
    // biome-ignore lint/suspicious/noThenProperty: a promise with methods of its own is what this is.
    return Object.assign(Promise.resolve(value), { then: fail, catch: fail, finally: fail })
  }
  const { handle } = memorySandbox()
  handle.process.exec = () => odd(result('start\n'))
  handle.process.spawn = () => odd({ ...fakeProcess(50), wait: async () => 3 })
  const backend = sandboxWorkspaceBackend(handle)
  expect(await backend.exec('x')).toEqual(result('start\n'))
  expect(await backend.spawn('x').jobId).toBe('50:start')
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

/**
 * Calls `call` so near to the limit of the stack that only `room` frames are left, of a function with
 * so many `locals`: how big the frames are decides which step of the call fails.
 */
function nearTheLimitOfTheStack(room, locals, call) {
  const names = Array.from({ length: locals }, (_, index) => `local${index}`)
  const dive = new Function(
    'state',
    `${names.map((name) => `let ${name} = state.depth;`).join('')}
    state.depth += 1
    try {
      if (state.depth === state.bottom) state.call()
      else state.dive(state)
    } catch (error) {
      state.error = error
    }
    return ${['0', ...names].join(' + ')}`,
  )
  const state = { depth: 0, bottom: Number.POSITIVE_INFINITY, dive, call: () => {} }
  dive(state)
  let outcome
  state.bottom = state.depth - room
  state.depth = 0
  state.call = () => {
    outcome = call()
    // Nobody waits for it where the stack ends on the way back.
    outcome.catch(() => undefined)
  }
  dive(state)
  return outcome ?? Promise.resolve()
}
