/** How `awaitAttachableJournal` waits, and how its waiting ends. */

import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { JournalAttachUnavailableError } from '../../api/attach-preflight.js'
import {
  abortable,
  absent,
  attached,
  errorAfter,
  pass,
  paths,
  runId,
  running,
  start,
  there,
  thereAfter,
  useFakeTime,
} from './support/attach.js'
import { badLoggers, exit, handleOf, never, storeOf } from './support/command-handle.js'

useFakeTime()

describe('the wait', () => {
  it('is over: journal-timeout, which names the journal and what the record said', async () => {
    const error = await errorAfter(2_000, handleOf(absent), {
      runs: storeOf({ status: 'queued' }),
      waitMs: 2_000,
    })
    expect(error).toBeInstanceOf(JournalAttachUnavailableError)
    expect(error).toMatchObject({ runId, reason: 'journal-timeout' })
    expect(error.message).toBe(
      `cannot attach to run ${runId}: no journal at ${paths.journal} after 2000 ms; the run is recorded as queued`,
    )
  })

  it('tells of a record that has no status', async () => {
    const error = await errorAfter(5, handleOf(absent), { runs: storeOf({}), waitMs: 5 })
    expect(error.message).toMatch(/the record of the run has no status$/)
  })

  it('is 10,000 ms by default', async () => {
    await errorAfter(10_000, handleOf(absent), { runs: storeOf(running) })
  })

  it('bounds a probe that never settles', async () => {
    const handle = handleOf(never)
    const error = await errorAfter(500, handle, { waitMs: 500, runs: storeOf(running) })
    expect(error.reason).toBe('journal-timeout')
    expect(error.message).toMatch(/; the run store gave no answer; the sandbox gave no answer$/)
    expect(handle.commands.length).toBe(1)
  })

  it('bounds a later probe that never settles', async () => {
    const handle = handleOf((_command, index) => (index === 0 ? absent() : never()))
    const error = await errorAfter(500, handle, { waitMs: 500, runs: storeOf(running) })
    expect(error.message).toMatch(/after 500 ms; the run is recorded as running$/)
  })

  it('bounds a store that never settles', async () => {
    const error = await errorAfter(500, handleOf(absent), { waitMs: 500, runs: storeOf(never) })
    expect(error.reason).toBe('journal-timeout')
    expect(error.message).toMatch(/; the run store gave no answer$/)
  })

  it.each([0, -1, Number.NEGATIVE_INFINITY])('of %d ms is one probe', async (waitMs) => {
    const handle = handleOf(absent)
    const call = start(handle, { waitMs, probeIntervalMs: 0 })
    expect((await call.end).error.reason).toBe('journal-timeout')
    expect(handle.commands.length).toBe(1)
    expect(await start(handleOf(there), { waitMs }).end).toEqual(attached)
  })

  it('of 0 ms leaves the one probe and the store 10,000 ms to answer', async () => {
    const late = () => new Promise((resolve) => setTimeout(resolve, 9_000, exit(0)))
    const call = start(handleOf(late), { waitMs: 0 })
    await pass(9_000)
    expect(call.outcome).toEqual(attached)
    await errorAfter(10_000, handleOf(never), { waitMs: 0 })
    await errorAfter(10_000, handleOf(absent), { waitMs: 0, runs: storeOf(never) })
  })

  it.each([
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [1e300, '1e300'],
    [2 ** 31, '2^31'],
  ])('of %d ms goes on, and does not end at once', async (waitMs) => {
    const handle = handleOf(absent)
    const controller = new AbortController()
    const call = start(handle, { waitMs, probeIntervalMs: 1_000, signal: controller.signal })
    await pass(100_000)
    expect(call.outcome).toBe(undefined)
    expect(handle.commands.length).toBe(101)
    controller.abort()
    expect(await call.end).toEqual(attached)
  })

  it('of NaN ms, or of what is no number, is the default', async () => {
    for (const waitMs of [Number.NaN, '50', null]) {
      await errorAfter(10_000, handleOf(absent), { waitMs })
    }
  })
})

describe('the interval', () => {
  it.each([0, -5])('of %d ms leaves every other timer its turn', async (probeIntervalMs) => {
    vi.useRealTimers()
    let ticks = 0
    const other = setInterval(() => ticks++, 1)
    const handle = handleOf(absent)
    const { error } = await start(handle, { waitMs: 200, probeIntervalMs }).end
    clearInterval(other)
    vi.useFakeTimers()
    expect(error.reason).toBe('journal-timeout')
    expect(ticks).toBeGreaterThan(5)
    // A timer's turn is a millisecond at least: far from a busy loop.
    expect(handle.commands.length).toBeLessThan(400)
  })

  it.each([Number.POSITIVE_INFINITY, 1e300])('of %d ms: one probe in the wait', async (ms) => {
    const handle = handleOf(absent)
    await errorAfter(5_000, handle, { waitMs: 5_000, probeIntervalMs: ms })
    expect(handle.commands.length).toBe(1)
  })

  it('of NaN ms is the default', async () => {
    const handle = handleOf(thereAfter(1))
    const call = start(handle, { probeIntervalMs: Number.NaN })
    await pass(99)
    expect(call.outcome).toBe(undefined)
    await pass(1)
    expect(call.outcome).toEqual(attached)
  })
})

describe('an abort returns quietly and at once', () => {
  it.each([
    ['between two probes', absent, undefined],
    ['in mid-probe, where the provider hangs', never, undefined],
    ['while the store hangs', absent, storeOf(never)],
  ])('%s', async (_name, answer, runs) => {
    const { signal, ...controller } = abortable()
    const handle = handleOf(answer)
    const call = start(handle, { signal, runs })
    await pass(50)
    expect(call.outcome).toBe(undefined)
    controller.abort()
    await pass(0)
    expect(call.outcome).toEqual(attached)
    expect(handle.commands.length).toBe(1)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('before the call: no probe', async () => {
    const handle = handleOf(absent)
    expect(await start(handle, { signal: AbortSignal.abort(), runs: storeOf(null) }).end).toEqual(
      attached,
    )
    expect(handle.commands).toEqual([])
  })

  it('by the provider itself, in mid-probe: the store is not asked', async () => {
    const { signal, abort } = abortable()
    const runs = storeOf(null)
    const handle = handleOf(() => {
      abort()
      return absent()
    })
    expect(await start(handle, { signal, runs }).end).toEqual(attached)
    expect(runs.asked).toEqual([])
  })

  it('by the provider itself, in a probe that never settles', async () => {
    const { signal, abort } = abortable()
    const handle = handleOf(() => {
      abort()
      return never()
    })
    expect(await start(handle, { signal }).end).toEqual(attached)
  })

  it('in a wait of 0 ms, too', async () => {
    const { signal, abort } = abortable()
    const call = start(handleOf(never), { signal, waitMs: 0 })
    abort()
    expect(await call.end).toEqual(attached)
  })

  it('a probe that fails later is nobody’s unhandled rejection', async () => {
    const { signal, abort } = abortable()
    let fail
    const answer = () => new Promise((_resolve, reject) => (fail = reject))
    const call = start(handleOf(answer), { signal })
    abort()
    await call.end
    // Vitest fails a run with an unhandled rejection.
    fail(new Error('too late'))
    await pass(10)
  })
})

describe('what is left behind', () => {
  it.each([
    ['the journal is there', there, {}],
    ['unknown-run', absent, { runs: storeOf(null) }],
    ['journal-timeout', absent, { waitMs: 300 }],
    ['an option that makes no command', absent, { paths: undefined }],
  ])('%s: no listener (and no timer)', async (_name, answer, options) => {
    const { signal } = abortable()
    const call = start(handleOf(answer), { signal, ...options })
    await pass(300)
    expect(call.outcome).not.toBe(undefined)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('one listener while it waits, however long', async () => {
    const { signal, abort } = abortable()
    const call = start(handleOf(absent), { signal, waitMs: Number.POSITIVE_INFINITY })
    await pass(60_000)
    expect(getEventListeners(signal, 'abort').length).toBe(1)
    abort()
    await call.end
  })
})

it('works where only setTimeout and clearTimeout are faked', async () => {
  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await errorAfter(10_000, handleOf(absent), { runs: storeOf(running) })
})

it.each(badLoggers)('a logger %s changes nothing', async (_name, logger) => {
  const fail = () => Promise.reject(new Error('of the provider'))
  const handle = handleOf((_command, index) => (index === 0 ? fail() : there()))
  const call = start(handle, { logger })
  await pass(100)
  expect(call.outcome).toEqual(attached)
})
