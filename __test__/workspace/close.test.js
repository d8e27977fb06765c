/** `close`: "Behaviour worth a test each". */

import { describe, expect, it, vi } from 'vitest'
import { fakeProcess } from './support/fake-process.js'
import { memorySandbox } from './support/memory-sandbox.js'
import { deferred, outcomeOf, turn } from './support/settle.js'
import { sandboxWorkspaceBackend } from './support/subject.js'

function open({ owned, destroy } = {}) {
  const children = []
  const { handle } = memorySandbox(
    {},
    {
      spawn: () => {
        children.push(fakeProcess(50 + children.length))
        return children.at(-1)
      },
    },
  )
  handle.destroy = vi.fn(destroy ?? (async () => {}))
  const backend = sandboxWorkspaceBackend(handle, owned === undefined ? undefined : { owned })
  return { backend, handle, children }
}

async function settleAll(children) {
  for (const child of children) child.end(137)
  await turn()
}

describe('moved', () => {
  it('does nothing', async () => {
    const { backend, handle, children } = open({ owned: true })
    backend.spawn('x')
    await turn()
    expect(await backend.close({ reason: 'moved' })).toBe(undefined)
    await turn()
    expect(children[0].kills).toEqual([])
    expect(handle.destroy).not.toHaveBeenCalled()
    await settleAll(children)
  })

  it('leaves a later close to do its work', async () => {
    const { backend, handle } = open({ owned: true })
    await backend.close({ reason: 'moved' })
    await backend.close({ reason: 'closed' })
    expect(handle.destroy).toHaveBeenCalledTimes(1)
  })
})

describe('closed', () => {
  it.each([undefined, false, true])('kills the jobs that run; owned: %s', async (owned) => {
    const { backend, children } = open({ owned })
    for (let count = 0; count < 3; count += 1) backend.spawn('x')
    const ended = backend.spawn('y')
    await turn()
    children[3].end(0)
    await ended.wait()
    await turn()
    await backend.close({ reason: 'closed' })
    await turn()
    expect(children.map(({ kills }) => kills.length)).toEqual([1, 1, 1, 0])
    await settleAll(children)
  })

  it('kills a job that has not started yet when it starts', async () => {
    const held = deferred()
    const { handle } = memorySandbox({}, { spawn: () => held.promise })
    const backend = sandboxWorkspaceBackend(handle)
    backend.spawn('x')
    await backend.close({ reason: 'closed' })
    const child = fakeProcess(9)
    held.resolve(child)
    await turn()
    expect(child.kills.length).toBe(1)
    child.end(137)
  })

  it('kills only its own jobs', async () => {
    const { handle } = memorySandbox()
    const children = [fakeProcess(1), fakeProcess(2)]
    const left = [...children]
    handle.process.spawn = async () => left.shift()
    const [one, other] = [sandboxWorkspaceBackend(handle), sandboxWorkspaceBackend(handle)]
    one.spawn('x')
    other.spawn('x')
    await turn()
    await one.close({ reason: 'closed' })
    await turn()
    expect(children.map(({ kills }) => kills.length)).toEqual([1, 0])
    await settleAll(children)
  })

  it.each([undefined, false])(
    'does not destroy a sandbox that it does not own: %s',
    async (owned) => {
      const { backend, handle } = open({ owned })
      expect(await backend.close({ reason: 'closed' })).toBe(undefined)
      expect(handle.destroy).not.toHaveBeenCalled()
    },
  )

  it('when owned, destroys, with no arguments', async () => {
    const { backend, handle } = open({ owned: true })
    await backend.close({ reason: 'closed' })
    expect(handle.destroy.mock.calls).toEqual([[]])
  })

  it('destroys once, also when called at the same time; every caller waits', async () => {
    const held = deferred()
    const { backend, handle } = open({ owned: true, destroy: () => held.promise })
    const done = []
    const all = [0, 1, 2].map((index) =>
      backend.close({ reason: 'closed' }).then(() => done.push(index)),
    )
    await turn()
    expect(handle.destroy).toHaveBeenCalledTimes(1)
    expect(done).toEqual([])
    held.resolve()
    await Promise.all(all)
    expect(done).toEqual([0, 1, 2])
    await backend.close({ reason: 'closed' })
    expect(handle.destroy).toHaveBeenCalledTimes(1)
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('busy'))],
    [
      'throws synchronously',
      () => {
        throw new Error('busy')
      },
    ],
  ])('destroy that %s: once, and every caller hears it', async (_name, destroy) => {
    const { backend, handle } = open({ owned: true, destroy })
    const errors = []
    for (let count = 0; count < 3; count += 1) {
      errors.push((await outcomeOf(backend.close({ reason: 'closed' }))).error)
    }
    expect(errors[0].message).toBe('busy')
    expect(errors.every((error) => error === errors[0])).toBe(true)
    expect(handle.destroy).toHaveBeenCalledTimes(1)
  })

  it('resolves to undefined whatever destroy gives', async () => {
    const { backend } = open({ owned: true, destroy: () => 'plain' })
    expect(await backend.close({ reason: 'closed' })).toBe(undefined)
  })

  it('a job whose kill fails does not keep the sandbox from being destroyed', async () => {
    const { backend, handle, children } = open({ owned: true })
    backend.spawn('x')
    await turn()
    children[0].kill = () => {
      throw new Error('gone')
    }
    await backend.close({ reason: 'closed' })
    expect(handle.destroy).toHaveBeenCalledTimes(1)
    await settleAll(children)
  })

  it('the backend still works afterwards, as far as the sandbox does', async () => {
    const { backend, children } = open()
    await backend.close({ reason: 'closed' })
    expect((await backend.exec('x')).exitCode).toBe(127)
    const job = backend.spawn('x')
    await turn()
    children[0].end(4)
    expect(await job.wait()).toEqual({ exitCode: 4 })
  })
})
