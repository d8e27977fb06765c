/** An abort of a read that follows a journal. */

import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { readJournal } from '../../api/native.js'
import { collect } from '../support/collect.js'
import { FakeProcess, followingHandle } from './support/process-handles.js'
import { never, paths, settle } from './support/reading.js'

describe('an abort of a follow read', () => {
  test('case 9: ends a read at once whose stream never yields', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const process = new FakeProcess()
    process.stdout.return = vi.fn(() => never)
    const reading = collect(readJournal(followingHandle(process), { paths, signal }))
    await settle()
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    controller.abort()
    expect(await reading).toEqual([])
    expect(process.kills).toBe(1)
    expect(process.stdout.return).toHaveBeenCalledOnce()
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  test('is not held up by a kill that hangs', async () => {
    const controller = new AbortController()
    const process = new FakeProcess()
    process.kill = vi.fn(() => never)
    const { signal } = controller
    const reading = collect(readJournal(followingHandle(process), { paths, signal }))
    await settle()
    controller.abort()
    expect(await reading).toEqual([])
    expect(process.kill).toHaveBeenCalledOnce()
  })

  test('is quiet when the stream fails because of it', async () => {
    const controller = new AbortController()
    const process = new FakeProcess()
    const { signal } = controller
    signal.addEventListener('abort', () => process.stdout.fail(signal.reason))
    const reading = collect(readJournal(followingHandle(process), { paths, signal }))
    await settle()
    controller.abort()
    expect(await reading).toEqual([])
  })

  test('before the first next() spawns nothing', async () => {
    const handle = followingHandle(new FakeProcess())
    expect(await collect(readJournal(handle, { paths, signal: AbortSignal.abort() }))).toEqual([])
    expect(handle.spawned).toEqual([])
  })

  test('during the spawn ends at once, and kills what was spawned', async () => {
    const controller = new AbortController()
    const process = new FakeProcess()
    const handle = followingHandle()
    let spawn
    handle.process.spawn = () =>
      new Promise((resolve) => {
        spawn = () => resolve(process)
      })
    const reading = collect(readJournal(handle, { paths, signal: controller.signal }))
    await settle()
    controller.abort()
    expect(await reading).toEqual([])
    expect(process.kills).toBe(0)
    spawn()
    await settle()
    expect(process.kills).toBe(1)
    expect(process.stdout.reads).toBe(0)
  })

  test('during a spawn that then fails is quiet', async () => {
    const controller = new AbortController()
    const handle = followingHandle()
    let fail
    handle.process.spawn = () =>
      new Promise((_, reject) => {
        fail = () => reject(new Error('too late'))
      })
    const reading = collect(readJournal(handle, { paths, signal: controller.signal }))
    await settle()
    controller.abort()
    expect(await reading).toEqual([])
    fail()
    await settle()
  })

  test('by the caller between two lines delivers no further one', async () => {
    const controller = new AbortController()
    const process = new FakeProcess()
    process.stdout.push('a\nb\nc\n')
    const seen = []
    for await (const { line } of readJournal(followingHandle(process), {
      paths,
      signal: controller.signal,
    })) {
      seen.push(line)
      controller.abort()
    }
    expect(seen).toEqual(['a'])
    expect(process.kills).toBe(1)
  })
})
