/** How long a read waits for the first byte. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { JournalAttachUnavailableError, readJournal } from '../../api/native.js'
import { collect } from '../support/collect.js'
import {
  FakeProcess,
  followingHandle,
  growingJournal,
  pollingHandle,
} from './support/process-handles.js'
import { never, paths } from './support/reading.js'

describe('the first byte', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })
  afterEach(() => expect(vi.getTimerCount()).toBe(0))

  const stalled = (runId) =>
    expect.objectContaining({
      name: 'JournalAttachUnavailableError',
      reason: 'journal-stalled',
      runId,
    })

  test('that does not come within 10,000 ms is a stall', async () => {
    const process = new FakeProcess()
    process.stdout.return = vi.fn(() => never)
    const failure = collect(readJournal(followingHandle(process), { paths, runId: 'run-1' }))
    failure.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(9_999)
    expect(process.kills).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    await expect(failure).rejects.toThrow(stalled('run-1'))
    await expect(failure).rejects.toBeInstanceOf(JournalAttachUnavailableError)
    await expect(failure).rejects.toThrow(/^cannot attach to run run-1: .*10000 ms/)
    expect(process.kills).toBe(1)
    expect(process.stdout.return).toHaveBeenCalledOnce()
  })

  test('is waited for while the spawn hangs, and what it spawns later is killed', async () => {
    const handle = followingHandle()
    const process = new FakeProcess()
    let spawn
    handle.process.spawn = () =>
      new Promise((resolve) => {
        spawn = () => resolve(process)
      })
    const failure = collect(readJournal(handle, { paths, firstByteTimeoutMs: 50 }))
    failure.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(50)
    await expect(failure).rejects.toThrow(stalled(paths.journal))
    spawn()
    await vi.advanceTimersByTimeAsync(0)
    expect(process.kills).toBe(1)
  })

  test('case 12: behind the end of a polled journal is a stall, without a busy loop', async () => {
    const { handle } = growingJournal('123456789\n')
    const options = { paths, fromByte: 500, firstByteTimeoutMs: 300, runId: 'r' }
    const failure = collect(readJournal(handle, options))
    failure.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(299)
    expect(handle.executed).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    await expect(failure).rejects.toThrow(stalled('r'))
    expect(handle.executed).toHaveLength(2)
  })

  test('is waited for while a polling command hangs', async () => {
    const failure = collect(
      readJournal(
        pollingHandle(() => never),
        { paths, firstByteTimeoutMs: 300 },
      ),
    )
    failure.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(300)
    await expect(failure).rejects.toThrow(stalled(paths.journal))
  })

  test('is all that is bounded: a half line counts, and silence later is fine', async () => {
    const process = new FakeProcess()
    process.stdout.push('', '{"a"')
    const lines = readJournal(followingHandle(process), { paths, firstByteTimeoutMs: 300 })
    const first = lines.next()
    await vi.advanceTimersByTimeAsync(1_000_000)
    process.stdout.push(':1}\n')
    expect((await first).value.line).toBe('{"a":1}')
    await lines.return()
  })

  test('empty chunks are none', async () => {
    const process = new FakeProcess()
    process.stdout.push('', '', '')
    const failure = collect(
      readJournal(followingHandle(process), { paths, firstByteTimeoutMs: 300 }),
    )
    failure.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(300)
    await expect(failure).rejects.toThrow(stalled(paths.journal))
  })

  test.each([0, Number.POSITIVE_INFINITY, Number.NaN])(
    'may take any time with %s',
    async (limit) => {
      const process = new FakeProcess()
      const lines = readJournal(followingHandle(process), { paths, firstByteTimeoutMs: limit })
      const first = lines.next()
      await vi.advanceTimersByTimeAsync(100_000_000)
      process.stdout.push('a\n')
      expect((await first).value.line).toBe('a')
      await lines.return()
    },
  )

  test('a stream that ends earlier is no stall', async () => {
    const process = new FakeProcess()
    process.stdout.end()
    expect(await collect(readJournal(followingHandle(process), { paths }))).toEqual([])
    await vi.advanceTimersByTimeAsync(20_000)
  })

  test('a caller that leaves earlier leaves no timer', async () => {
    const process = new FakeProcess()
    process.stdout.push('a\n')
    await collect(readJournal(followingHandle(process), { paths }), 1)
  })
})
