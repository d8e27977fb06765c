/** `awaitAttachableJournal` and its error, sentence by sentence. */

import { describe, expect, it, vi } from 'vitest'
import * as api from '../../api/attach-preflight.js'
import { journalExistsCommand } from '../../js/runtime/journal.js'
import { foreignThenable, oddErrors } from '../workspace/support/settle.js'
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
import { exit, handleOf, loggerOf, storeOf } from './support/command-handle.js'

const { JournalAttachUnavailableError } = api

useFakeTime()

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

  it('instanceof knows the class of the original, by its name, and nothing else', () => {
    const named = (name) => Object.assign(new Error('gone'), { name })
    class Mine extends JournalAttachUnavailableError {}
    const mine = new Mine({ runId, reason: 'unknown-run', detail: 'gone' })
    const isOne = (value) => value instanceof JournalAttachUnavailableError
    expect(isOne(named('JournalAttachUnavailableError'))).toBe(true)
    expect(isOne(mine)).toBe(true)
    expect(mine).toBeInstanceOf(Mine)
    expect(named('JournalAttachUnavailableError')).not.toBeInstanceOf(Mine)
    expect(error).not.toBeInstanceOf(Mine)
    for (const other of [named('Error'), { name: 'JournalAttachUnavailableError' }, null, 'text']) {
      expect(isOne(other)).toBe(false)
    }
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
