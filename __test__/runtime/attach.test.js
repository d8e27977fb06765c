/** `awaitAttachableJournal` and its error, sentence by sentence. Time is Vitest's. */

import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as api from '../../api/attach-preflight.js'
import { journalExistsCommand, journalPaths } from '../../js/runtime/journal.js'
import { foreignThenable, oddErrors, outcomeOf } from '../workspace/support/settle.js'
import { badLoggers, exit, handleOf, loggerOf, never, storeOf } from './support/handle.js'

const { awaitAttachableJournal, JournalAttachUnavailableError } = api

const runId = 'run 1/ä'
const paths = journalPaths(runId, '/journals')
const absent = () => exit(1)
const there = () => exit(0)
/** The answers of a journal that is found by the probe after `count` that don't find it. */
const thereAfter = (count) => (_command, index) => exit(index < count ? 1 : 0)
const running = async () => ({ status: 'running' })
const LONG_AGO = AbortSignal.abort()

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  // Whatever the end was, nothing is left to fire.
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

/** Starts a call, and tells how it ended, if it has. */
function start(handle, options = {}) {
  const call = { outcome: undefined }
  const promise = awaitAttachableJournal(handle, { paths, runId, ...options })
  call.end = outcomeOf(promise).then((outcome) => {
    call.outcome = outcome
    return outcome
  })
  return call
}

const pass = (ms) => vi.advanceTimersByTimeAsync(ms)
const attached = { value: undefined }

async function errorAfter(ms, handle, options) {
  const call = start(handle, options)
  await pass(ms - 1)
  expect(call.outcome).toBe(undefined)
  await pass(1)
  return call.outcome.error
}

describe('the module', () => {
  it('has just the names of the contract', () => {
    expect(Object.keys(api).toSorted()).toEqual([
      'DEFAULT_ATTACH_JOURNAL_WAIT_MS',
      'DEFAULT_ATTACH_PROBE_INTERVAL_MS',
      'JournalAttachUnavailableError',
      'awaitAttachableJournal',
    ])
  })

  it('DEFAULT_ATTACH_JOURNAL_WAIT_MS is 10,000', () => {
    expect(api.DEFAULT_ATTACH_JOURNAL_WAIT_MS).toBe(10_000)
  })

  it('DEFAULT_ATTACH_PROBE_INTERVAL_MS is 100', () => {
    expect(api.DEFAULT_ATTACH_PROBE_INTERVAL_MS).toBe(100)
  })
})

describe('JournalAttachUnavailableError', () => {
  const error = new JournalAttachUnavailableError({
    runId: 'r',
    reason: 'journal-stalled',
    detail: 'no byte came',
  })

  it('is an Error with name, run id and reason', () => {
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'JournalAttachUnavailableError',
      runId: 'r',
      reason: 'journal-stalled',
    })
  })

  it('its message is "cannot attach to run RUNID: DETAIL"', () => {
    expect(error.message).toBe('cannot attach to run r: no byte came')
    expect(String(error)).toBe(`JournalAttachUnavailableError: ${error.message}`)
  })
})

describe('a probe', () => {
  it('is journalExistsCommand, without options', async () => {
    const handle = handleOf(there)
    expect(await start(handle).end).toEqual(attached)
    expect(handle.commands).toEqual([journalExistsCommand(paths)])
    expect(handle.options).toEqual([[]])
  })

  it('runs in the folder that is given, and has no other option', async () => {
    const handle = handleOf(there)
    const { signal } = abortable()
    expect(await start(handle, { cwd: '/work', signal }).end).toEqual(attached)
    expect(handle.options).toEqual([[{ cwd: '/work' }]])
  })

  it('that finds the journal returns, and the store is not asked', async () => {
    const runs = storeOf(null)
    expect(await start(handleOf(there), { runs }).end).toEqual(attached)
    expect(runs.asked).toEqual([])
  })

  it('may be answered without a promise, and by any thenable', async () => {
    for (const result of [{ exitCode: 0 }, foreignThenable({ exitCode: 0 })]) {
      vi.useRealTimers()
      expect(await start(handleOf(() => result)).end).toEqual(attached)
      vi.useFakeTimers()
    }
  })

  it('is made again every interval until the journal is there', async () => {
    const handle = handleOf(thereAfter(3))
    const call = start(handle, { runs: storeOf(running), probeIntervalMs: 40 })
    for (const count of [1, 2, 3]) {
      await pass(39)
      expect(handle.commands.length).toBe(count)
      await pass(1)
    }
    expect(call.outcome).toEqual(attached)
    expect(handle.commands.length).toBe(4)
  })

  it('is made again after 100 ms by default', async () => {
    const handle = handleOf(thereAfter(1))
    const call = start(handle)
    await pass(99)
    expect(handle.commands.length).toBe(1)
    await pass(1)
    expect(call.outcome).toEqual(attached)
  })
})

describe('a probe that fails is unknown', () => {
  const failures = [
    ...oddErrors.map(([name, error]) => [
      `rejects with ${name}`,
      () => ({
        // biome-ignore lint/suspicious/noThenProperty: a promise would be unhandled if never asked.
        then: (_resolve, reject) => reject(error),
      }),
    ]),
    [
      'throws',
      () => {
        throw new Error('of the provider')
      },
    ],
    ['gives nothing', async () => undefined],
    ['gives null', async () => null],
    ['gives no exit code', async () => ({ stdout: '' })],
    ['gives an exit code that is no number', async () => ({ exitCode: '0' })],
  ]

  it.each(failures)('%s: probed again, and the store is not asked', async (_name, fail) => {
    const runs = storeOf(null)
    const handle = handleOf((_command, index) => (index < 2 ? fail() : there()))
    const call = start(handle, { runs })
    await pass(200)
    expect(call.outcome).toEqual(attached)
    expect(handle.commands.length).toBe(3)
    expect(runs.asked).toEqual([])
  })

  it('for the whole wait: journal-timeout, which tells of it', async () => {
    const logger = loggerOf()
    const fail = () => Promise.reject(new Error('connection lost'))
    const error = await errorAfter(10_000, handleOf(fail), { runs: storeOf(null), logger })
    expect(error.reason).toBe('journal-timeout')
    expect(error.message).toContain('the last probe failed: connection lost')
    expect(logger.warnings).toEqual([
      {
        message: 'attach-preflight: the probe for the journal failed: connection lost',
        meta: { runId },
      },
    ])
  })
})

describe('an absent journal', () => {
  it.each([
    ['null', null],
    ['a promise of null', () => Promise.resolve(null)],
    ['undefined, as a store on a Map has it', undefined],
  ])('with %s in the store: unknown-run', async (_name, answer) => {
    const runs = storeOf(answer)
    const handle = handleOf(absent)
    const { error } = await start(handle, { runs }).end
    expect(error).toBeInstanceOf(JournalAttachUnavailableError)
    expect(error).toMatchObject({ runId, reason: 'unknown-run' })
    expect(error.message).toBe(
      `cannot attach to run ${runId}: no journal at ${paths.journal}; the run store has no record of the run`,
    )
    expect(runs.asked).toEqual([runId])
    expect(handle.commands.length).toBe(1)
  })

  it.each(['completed', 'failed', 'aborted'])(
    'of a run that is %s: terminal-run',
    async (status) => {
      const runs = storeOf({ status })
      const handle = handleOf(absent)
      const { error } = await start(handle, { runs }).end
      expect(error).toBeInstanceOf(JournalAttachUnavailableError)
      expect(error).toMatchObject({ runId, reason: 'terminal-run' })
      expect(error.message).toBe(
        `cannot attach to run ${runId}: no journal at ${paths.journal}; the run is recorded as ${status}`,
      )
      expect(runs.asked).toEqual([runId])
      expect(handle.commands.length).toBe(1)
    },
  )

  it.each([[{ status: 'running' }], [{ status: 'COMPLETED' }], [{ status: '' }], [{}], [7]])(
    'of a run recorded as %j is waited for',
    async (record) => {
      const call = start(handleOf(thereAfter(2)), { runs: storeOf(record) })
      await pass(200)
      expect(call.outcome).toEqual(attached)
    },
  )

  it('is any exit code but 0', async () => {
    for (const code of [1, 2, 127, 137, -1]) {
      const { error } = await start(
        handleOf(() => exit(code)),
        { runs: storeOf(null) },
      ).end
      expect(error.reason).toBe('unknown-run')
    }
  })

  it('of a run that ends while we wait: terminal-run, after one more probe', async () => {
    const handle = handleOf(absent)
    const call = start(handle, { runs: storeOf(running, { status: 'failed' }) })
    await pass(100)
    expect(call.outcome.error.reason).toBe('terminal-run')
    expect(handle.commands.length).toBe(3)
  })

  it('of a run that ended between probe and look-up, and left its journal: attached', async () => {
    const call = start(handleOf(thereAfter(2)), {
      runs: storeOf(running, { status: 'completed' }),
    })
    await pass(100)
    expect(call.outcome).toEqual(attached)
  })

  it('of a run that is deleted from the store while we wait: unknown-run', async () => {
    const call = start(handleOf(absent), { runs: storeOf(running, null) })
    await pass(100)
    expect(call.outcome.error.reason).toBe('unknown-run')
  })

  it('without a store is only waited for', async () => {
    const error = await errorAfter(10_000, handleOf(absent))
    expect(error.message).toBe(
      `cannot attach to run ${runId}: no journal at ${paths.journal} after 10000 ms; no run store was given`,
    )
  })
})

describe('a store that throws is no answer', () => {
  const throwing = () => {
    throw new Error('database is down')
  }
  const withoutStatus = {
    get status() {
      throw new Error('of a getter')
    },
  }

  it.each([
    ['throws', throwing],
    ['rejects', () => Promise.reject(new Error('database is down'))],
    ['gives a record whose status throws', () => withoutStatus],
  ])('%s: waited for, and asked again', async (_name, fail) => {
    const runs = storeOf(fail, fail, null)
    const call = start(handleOf(absent), { runs })
    await pass(199)
    expect(call.outcome).toBe(undefined)
    await pass(1)
    expect(call.outcome.error.reason).toBe('unknown-run')
    expect(runs.asked.length).toBe(3)
  })

  it('until the wait is over: journal-timeout, which tells of it', async () => {
    const logger = loggerOf()
    const error = await errorAfter(300, handleOf(absent), {
      runs: storeOf(throwing),
      waitMs: 300,
      logger,
    })
    expect(error.reason).toBe('journal-timeout')
    expect(error.message).toMatch(/after 300 ms; the run store failed: database is down$/)
    expect(logger.warnings).toEqual([
      { message: 'attach-preflight: the run store failed: database is down', meta: { runId } },
    ])
  })

  it('of a store without get, too', async () => {
    const error = await errorAfter(300, handleOf(absent), { runs: {}, waitMs: 300 })
    expect(error.reason).toBe('journal-timeout')
  })
})

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
    expect(await start(handle, { signal: LONG_AGO, runs: storeOf(null) }).end).toEqual(attached)
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

function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
