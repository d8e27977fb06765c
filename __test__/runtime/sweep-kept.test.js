/** What `pruneJournals` keeps: a group of tests for each reason, by its name. */

import { describe, expect, it } from 'vitest'
import { oddErrors } from '../workspace/support/settle.js'
import { exit } from './support/command-handle.js'
import { DIR, folderOf, NOW, timesOf } from './support/folder.js'
import { HOUR, keptOf, OLD, storeOf, sweep } from './support/sweep.js'

describe('what is kept: undecodable-name', () => {
  const truncated = `${'x'.repeat(183)}-${'0123456789abcdef'}.ndjson`
  it.each([
    ['a foreign name', 'notes.txt'],
    ['a name without a token', '.ndjson'],
    ['a name with another character', 'a b.ndjson'],
    ['a broken escape', 'a_2.ndjson'],
    ['bytes that are not UTF-8', '_ff.ndjson'],
    ['a shortened name', truncated],
    ['a name that encodeRunId spells in another way', 'a_2F.ndjson'],
    ['a name with an escape that is not needed', '_61.ndjson'],
  ])('%s: the store is not asked', async (_name, file) => {
    const runs = storeOf({ a: 'completed', 'a/': 'completed' })
    const report = await keptOf({ [file]: OLD }, runs)
    expect(report).toMatchObject({ listed: 1, runIds: [], failures: [] })
    expect(report.kept).toEqual([{ names: [file], reason: 'undecodable-name' }])
    expect(runs.asked).toEqual([])
  })

  it('beside a journal, which goes', async () => {
    const folder = folderOf({ '_61.ndjson': OLD, 'a.ndjson': OLD })
    expect((await sweep(folder, storeOf())).deleted).toEqual(['a'])
    expect(folder.names()).toEqual(['_61.ndjson'])
  })
})

describe('what is kept: store-error', () => {
  it.each(oddErrors)('the store rejects with %s', async (_name, error) => {
    const report = await keptOf({ 'a.ndjson': OLD }, { get: () => Promise.reject(error) })
    expect(report.kept).toEqual([{ runId: 'a', names: ['a.ndjson'], reason: 'store-error' }])
    expect(report.failures).toEqual([{ stage: 'store', runId: 'a', message: expect.any(String) }])
  })

  it('the store throws for one run: the others are swept', async () => {
    const folder = folderOf({ 'a.ndjson': 0, 'b.ndjson': 0, 'c.ndjson': 0 })
    const runs = {
      get: (runId) => {
        if (runId === 'b') throw new Error('database is down')
        return { status: 'completed' }
      },
    }
    const report = await sweep(folder, runs)
    expect(report.deleted).toEqual(['a', 'c'])
    expect(report.kept).toEqual([{ runId: 'b', names: ['b.ndjson'], reason: 'store-error' }])
    expect(report.failures).toEqual([{ stage: 'store', runId: 'b', message: 'database is down' }])
  })

  it.each([
    ['no store', undefined],
    ['a store without get', {}],
    [
      'a record whose status throws',
      {
        get: () => ({
          get status() {
            throw new Error('of the getter')
          },
        }),
      },
    ],
  ])('%s', async (_name, runs) => {
    const report = await keptOf({ 'a.ndjson': OLD }, runs)
    expect(report.kept[0].reason).toBe('store-error')
  })
})

describe('what is kept: non-terminal', () => {
  it.each([['running'], ['queued'], ['Completed'], [''], [null], [7]])(
    'status %j, however old',
    async (status) => {
      const runs = { get: () => ({ status }) }
      const report = await keptOf({ 'a.ndjson': 9 * OLD }, runs)
      expect(report.kept).toEqual([{ runId: 'a', names: ['a.ndjson'], reason: 'non-terminal' }])
    },
  )
})

describe('what is kept: age-gate-unavailable', () => {
  const unavailable = [
    ['stat prints nothing', () => exit(1), []],
    ['the folder’s own line is missing', () => exit(0, `1 ${DIR}/a.ndjson\n`), []],
    [
      'stat throws',
      () => {
        throw new Error('no stat')
      },
      [{ stage: 'age-gate', message: 'no stat' }],
    ],
    [
      'stat gives no text',
      async () => ({ exitCode: 0 }),
      [{ stage: 'age-gate', message: 'the sandbox gave no text' }],
    ],
  ]

  it.each(unavailable)(
    '%s: unknown runs stay, terminal runs go',
    async (_name, times, failures) => {
      const folder = folderOf({ 'a.ndjson': OLD, 'b.ndjson': OLD }, { times })
      expect(await sweep(folder, storeOf({ b: 'completed' }))).toEqual({
        listed: 2,
        runIds: ['a', 'b'],
        deleted: ['b'],
        kept: [{ runId: 'a', names: ['a.ndjson'], reason: 'age-gate-unavailable' }],
        ageGate: 'unavailable',
        failures,
      })
    },
  )

  it('the times are asked for once', async () => {
    const folder = folderOf({ 'a.ndjson': OLD, 'b.ndjson': OLD }, { times: () => exit(1) })
    await sweep(folder, storeOf())
    expect(folder.handle.commands.length).toBe(2)
  })

  it('a clock that throws', async () => {
    const now = () => {
      throw new Error('no clock')
    }
    const report = await keptOf({ 'a.ndjson': OLD }, storeOf(), { now })
    expect(report.kept[0].reason).toBe('age-gate-unavailable')
    expect(report.failures).toEqual([{ stage: 'age-gate', message: 'no clock' }])
  })
})

describe('what is kept: age-gate-missing-entry', () => {
  it.each([
    ['of its only file', [], ['a.ndjson']],
    ['of its journal', [['a.err', OLD]], ['a.ndjson', 'a.err']],
    ['of its .err', [['a.ndjson', OLD]], ['a.ndjson', 'a.err']],
  ])('no time %s', async (_name, times, names) => {
    const files = Object.fromEntries(names.map((file) => [file, OLD]))
    const instead = { times: () => exit(0, timesOf(times)) }
    const report = await keptOf(files, storeOf(), { instead })
    expect(report.kept).toEqual([{ runId: 'a', names, reason: 'age-gate-missing-entry' }])
    expect(report.ageGate).toBe('listed')
  })
})

describe('what is kept: orphan-too-recent', () => {
  const reasonOf = async (files, options) =>
    (await keptOf(files, storeOf(), options)).kept.map(({ reason }) => reason)

  it('untouched for the TTL, and no longer', async () => {
    expect(await reasonOf({ 'a.ndjson': HOUR })).toEqual(['orphan-too-recent'])
  })

  it('the newest file of the run decides', async () => {
    expect(await reasonOf({ 'a.ndjson': OLD, 'a.err': 5 })).toEqual(['orphan-too-recent'])
    expect(await reasonOf({ 'a.ndjson': 5, 'a.err': OLD })).toEqual(['orphan-too-recent'])
  })

  it('a time in the future', async () => {
    expect(await reasonOf({ 'a.ndjson': -5 }, { orphanTtlMs: -60_000 })).toEqual([
      'orphan-too-recent',
    ])
  })

  it('two times for one name: the newer counts', async () => {
    // A foreign file `a.ndjson<newline>x`, which is old, prints a line that looks like this one's.
    for (const ages of [
      [OLD, 5],
      [5, OLD],
    ]) {
      const times = () => exit(0, timesOf(ages.map((age) => ['a.ndjson', age])))
      expect(await reasonOf({ 'a.ndjson': 5 }, { instead: { times } })).toEqual([
        'orphan-too-recent',
      ])
    }
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 'an hour'])('TTL %s', async (orphanTtlMs) => {
    expect(await reasonOf({ 'a.ndjson': 9 * OLD }, { orphanTtlMs })).toEqual(['orphan-too-recent'])
  })

  it('now is NaN', async () => {
    expect(await reasonOf({ 'a.ndjson': 9 * OLD }, { now: Number.NaN })).toEqual([
      'orphan-too-recent',
    ])
  })
})

describe('the options of the age', () => {
  it('orphanTtlMs: its own hour', async () => {
    const folder = folderOf({ 'a.ndjson': 11, 'b.ndjson': 10 })
    expect((await sweep(folder, storeOf(), { orphanTtlMs: 10_000 })).deleted).toEqual(['a'])
  })

  it('orphanTtlMs: null and undefined are the default', async () => {
    for (const orphanTtlMs of [null, undefined]) {
      const folder = folderOf({ 'a.ndjson': OLD, 'b.ndjson': HOUR })
      expect((await sweep(folder, storeOf(), { orphanTtlMs })).deleted).toEqual(['a'])
    }
  })

  it('now: a function, called once and before the times are listed', async () => {
    const order = []
    const files = { 'a.ndjson': OLD, 'b.ndjson': HOUR }
    const times = () => {
      order.push('times')
      return exit(0, timesOf(Object.entries(files)))
    }
    const folder = folderOf(files, { times })
    const now = () => {
      order.push('now')
      return NOW
    }
    expect((await sweep(folder, storeOf(), { now })).deleted).toEqual(['a'])
    expect(order).toEqual(['now', 'times'])
  })

  it('now: the clock, when not given', async () => {
    const age = Math.floor((Date.now() - NOW) / 1_000)
    const folder = folderOf({ 'a.ndjson': 2 * HOUR - age, 'b.ndjson': HOUR / 2 - age })
    expect((await sweep(folder, storeOf(), { now: undefined })).deleted).toEqual(['a'])
  })
})

describe('what is kept: delete-failed', () => {
  it.each([
    ['exits non-zero', () => exit(1), 'exit code 1'],
    [
      'throws',
      () => {
        throw new Error('connection lost')
      },
      'connection lost',
    ],
    ['rejects', () => Promise.reject(new Error('connection lost')), 'connection lost'],
    ['gives nothing', async () => undefined, expect.any(String)],
  ])('rm %s: the other runs are swept', async (_name, fail, message) => {
    const folder = folderOf(
      { 'a.ndjson': 0, 'a.err': 0, 'b.ndjson': 0 },
      { remove: (runId) => (runId === 'a' ? fail() : folder.remove(runId)) },
    )
    const report = await sweep(folder, storeOf({ a: 'completed', b: 'completed' }))
    expect(report.deleted).toEqual(['b'])
    expect(report.kept).toEqual([
      { runId: 'a', names: ['a.ndjson', 'a.err'], reason: 'delete-failed' },
    ])
    expect(report.failures).toEqual([{ stage: 'delete', runId: 'a', message }])
  })
})

describe('what is kept: max-deletes', () => {
  const files = { 'a.ndjson': 0, 'b.ndjson': 0, 'c.ndjson': OLD, 'd.ndjson': 0 }
  const statuses = { a: 'completed', b: 'failed', d: 'running' }
  const reasonsOf = ({ kept }) => kept.map(({ runId, reason }) => `${runId} ${reason}`)

  it('the rest of what would go; the others keep their reason', async () => {
    const folder = folderOf(files)
    const report = await sweep(folder, storeOf(statuses), { maxDeletes: 1 })
    expect(report.deleted).toEqual(['a'])
    expect(folder.removed).toEqual(['a'])
    expect(reasonsOf(report)).toEqual(['b max-deletes', 'c max-deletes', 'd non-terminal'])
  })

  it('the next sweep goes on', async () => {
    const folder = folderOf(files)
    await sweep(folder, storeOf(statuses), { maxDeletes: 2 })
    expect((await sweep(folder, storeOf(statuses), { maxDeletes: 2 })).deleted).toEqual(['c'])
  })

  it('a failed rm does not count: what can never go does not block the rest', async () => {
    const remove = (runId) => (runId === 'a' ? exit(1) : folder.remove(runId))
    const folder = folderOf(files, { remove })
    const report = await sweep(folder, storeOf(statuses), { maxDeletes: 1 })
    expect(report.deleted).toEqual(['b'])
    expect(reasonsOf(report)).toEqual(['a delete-failed', 'c max-deletes', 'd non-terminal'])
  })

  it.each([0, -1, Number.NaN, 'many'])('of %s removes nothing', async (maxDeletes) => {
    await keptOf(files, storeOf(statuses), { maxDeletes })
  })

  it.each([Number.POSITIVE_INFINITY, undefined, null])('of %s removes all', async (maxDeletes) => {
    const report = await sweep(folderOf(files), storeOf(statuses), { maxDeletes })
    expect(report.deleted).toEqual(['a', 'b', 'c'])
  })
})
