/** The input of an agent that is a child of its reader, over handles that do what the test wants. */

import { expect, test } from 'vitest'
import { spawnNdjson } from '../../api/native.js'
import { FakeProcess, followingHandle } from './support/process-handles.js'

async function eventsOf(process, input) {
  const events = []
  const add = async () => {
    for await (const event of spawnNdjson(followingHandle(process), 'agent', { input })) {
      events.push(event)
    }
  }
  return { events, over: add() }
}

test('the agent is read while it gets its input', async () => {
  const process = new FakeProcess()
  let written
  process.stdin.write = () =>
    new Promise((resolve) => {
      written = resolve
    })
  process.stdout.push('1\n')
  const { events, over } = await eventsOf(process, 'x')
  await expect.poll(() => events).toEqual([1])
  written()
  process.stdout.push('2\n')
  process.stdout.end()
  process.stderr.end()
  await over
  expect(events).toEqual([1, 2])
  expect(process.input).toEqual([null])
})

test.each(['write', 'end'])(
  'what %s of stdin throws is thrown, as the same value',
  async (name) => {
    const process = new FakeProcess()
    const refused = new Error('no stdin here')
    process.stdin[name] = async () => {
      throw refused
    }
    // An agent that waits for its input prints nothing.
    const { over } = await eventsOf(process, 'x')
    await expect(over).rejects.toBe(refused)
    expect(process.stdout.returns).toBe(1)
  },
)

test.each(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])(
  'an agent that has ended before its input came (%s) is known by its exit code',
  async (code) => {
    const process = new FakeProcess()
    process.stdin.write = async () => {
      throw Object.assign(new Error(`write ${code}`), { code })
    }
    process.stdout.push('1\n')
    process.stdout.end()
    process.stderr.push('bad key\n')
    process.stderr.end()
    process.exitCode = 4
    const { events, over } = await eventsOf(process, 'x')
    await expect(over).rejects.toThrow('Agent process exited with code 4: bad key')
    expect(events).toEqual([1])
  },
)

test('the exit code is asked for before the first read: some handles tell it only in passing', async () => {
  const process = new FakeProcess()
  let waits = 0
  process.wait = async () => {
    waits += 1
    return 0
  }
  process.stdout.push('1')
  process.stdout.end()
  process.stderr.end()
  for await (const event of spawnNdjson(followingHandle(process), 'agent')) {
    expect(event).toBe(1)
    expect(waits).toBe(1)
  }
  expect(waits).toBe(1)
})
