/** `pruneJournals`, sentence by sentence, over a folder in memory. */

import { describe, expect, it } from 'vitest'
import * as api from '../../api/journal-sweep.js'
import {
  journalCleanupCommand,
  journalListCommand,
  journalMtimeListCommand,
  journalPaths,
} from '../../js/runtime/journal.js'
import { oddErrors } from '../workspace/support/settle.js'
import { DIR, folderOf, NOW, timesOf } from './support/folder.js'
import { badLoggers, exit, handleOf, loggerOf } from './support/handle.js'

const { pruneJournals } = api

const HOUR = 3_600
const OLD = HOUR + 1
const name = (runId) => journalPaths(runId, DIR).journal.slice(DIR.length + 1)
/** A store with these statuses; whom it doesn't name it doesn't know. */
function storeOf(statuses = {}) {
  const asked = []
  return {
    asked,
    async get(runId) {
      asked.push(runId)
      const status = statuses[runId]
      return status === undefined ? null : { status }
    },
  }
}

const sweep = (folder, runs, options) =>
  pruneJournals({ handle: folder.handle, runs, dir: DIR, now: NOW, ...options })

/** Sweeps `files`, of which nothing may go, and gives the report. */
async function keptOf(files, runs, { instead, ...options } = {}) {
  const folder = folderOf(files, instead)
  const report = await sweep(folder, runs, options)
  expect(folder.names()).toEqual(Object.keys(files))
  expect(report.deleted).toEqual([])
  return report
}

describe('the module', () => {
  it('has just the names of the contract', () => {
    expect(Object.keys(api).toSorted()).toEqual([
      'DEFAULT_MAX_DELETES',
      'DEFAULT_ORPHAN_TTL_MS',
      'pruneJournals',
    ])
  })

  it('DEFAULT_ORPHAN_TTL_MS is 3,600,000', () => {
    expect(api.DEFAULT_ORPHAN_TTL_MS).toBe(3_600_000)
  })

  it('DEFAULT_MAX_DELETES is 200', () => {
    expect(api.DEFAULT_MAX_DELETES).toBe(200)
  })
})

describe('what goes', () => {
  it.each(['completed', 'failed', 'aborted'])('the files of a run that is %s', async (status) => {
    const folder = folderOf({ 'a.ndjson': 0, 'a.err': 0 })
    expect(await sweep(folder, storeOf({ a: status }))).toEqual({
      listed: 2,
      runIds: ['a'],
      deleted: ['a'],
      kept: [],
      ageGate: 'listed',
      failures: [],
    })
    expect(folder.names()).toEqual([])
  })

  it('the files of an unknown run, untouched for longer than the TTL', async () => {
    const folder = folderOf({ 'a.ndjson': OLD, 'a.err': OLD })
    expect((await sweep(folder, storeOf())).deleted).toEqual(['a'])
    expect(folder.names()).toEqual([])
  })

  it('a journal without its .err, and a .err without its journal', async () => {
    const folder = folderOf({ 'a.ndjson': OLD, 'b.err': OLD })
    expect((await sweep(folder, storeOf())).deleted).toEqual(['a', 'b'])
    expect(folder.names()).toEqual([])
  })

  it('what a store that says undefined does not know', async () => {
    const folder = folderOf({ 'a.ndjson': OLD, 'b.ndjson': 0 })
    expect((await sweep(folder, new Map())).deleted).toEqual(['a'])
  })

  it('what a store without promises says', async () => {
    const folder = folderOf({ 'a.ndjson': 0 })
    const runs = new Map([['a', { status: 'failed' }]])
    expect((await sweep(folder, runs)).deleted).toEqual(['a'])
  })
})

describe('the commands', () => {
  it('the names, the times, and one rm for each run', async () => {
    const runId = 'run 1/ä'
    const folder = folderOf({ [name(runId)]: OLD, 'a.ndjson': OLD, 'a.err': OLD })
    await sweep(folder, storeOf())
    expect(folder.handle.commands).toEqual([
      journalListCommand(DIR),
      journalMtimeListCommand(DIR),
      journalCleanupCommand(journalPaths(runId, DIR)),
      journalCleanupCommand(journalPaths('a', DIR)),
    ])
    expect(folder.handle.options).toEqual([[], [], [], []])
  })

  it('of the default folder', async () => {
    const handle = handleOf(() => exit(0))
    await pruneJournals({ handle, runs: storeOf() })
    expect(handle.commands).toEqual([journalListCommand(), journalMtimeListCommand()])
  })

  it('a journal and its .err are one decision and one store look-up', async () => {
    const files = { 'a.ndjson': 0, 'b.err': 0, 'b.ndjson': 0, 'a.err': 0 }
    const runs = storeOf({ a: 'running', b: 'running' })
    const report = await keptOf(files, runs)
    expect(runs.asked).toEqual(['a', 'b'])
    expect(report.runIds).toEqual(['a', 'b'])
    expect(report.kept).toEqual([
      { runId: 'a', names: ['a.ndjson', 'a.err'], reason: 'non-terminal' },
      { runId: 'b', names: ['b.err', 'b.ndjson'], reason: 'non-terminal' },
    ])
  })

  it('the store is asked for a run right before its rm, not for all beforehand', async () => {
    const statuses = { a: 'completed', b: 'completed' }
    const runs = storeOf(statuses)
    const folder = folderOf(
      { 'a.ndjson': 0, 'b.ndjson': 0 },
      {
        // While `a` is removed, `b` starts again.
        remove: (runId) => {
          statuses.b = 'running'
          return folder.remove(runId)
        },
      },
    )
    const report = await sweep(folder, runs)
    expect(report.deleted).toEqual(['a'])
    expect(report.kept).toEqual([{ runId: 'b', names: ['b.ndjson'], reason: 'non-terminal' }])
    expect(folder.names()).toEqual(['b.ndjson'])
  })
})

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

describe('a failed listing: nothing deleted, one failure of stage list', () => {
  const nothing = (message) => ({
    listed: 0,
    runIds: [],
    deleted: [],
    kept: [],
    ageGate: 'unavailable',
    failures: [{ stage: 'list', message }],
  })

  it.each([
    ['exits non-zero, as for a missing folder', () => exit(2, 'a.ndjson\n'), 'exit code 2'],
    [
      'throws',
      () => {
        throw new Error('no sandbox')
      },
      'no sandbox',
    ],
    ['rejects', () => Promise.reject(new Error('no sandbox')), 'no sandbox'],
    ['gives no text', async () => ({ exitCode: 0 }), 'the sandbox gave no text'],
  ])('ls %s', async (_name, list, message) => {
    const runs = storeOf({ a: 'completed' })
    const files = { 'a.ndjson': OLD }
    const folder = folderOf(files, { list })
    expect(await sweep(folder, runs)).toEqual(nothing(message))
    expect(folder.handle.commands.length).toBe(1)
    expect(runs.asked).toEqual([])
  })

  const OPTIONS = ['handle', 'runs', 'dir', 'now', 'orphanTtlMs', 'maxDeletes', 'logger']
  it.each(OPTIONS)('the option %s is a getter that throws', async (option) => {
    const folder = folderOf({ 'a.ndjson': OLD })
    const options = { handle: folder.handle, runs: storeOf(), dir: DIR, now: NOW }
    Object.defineProperty(options, option, {
      get() {
        throw new Error('of the getter')
      },
    })
    expect(await pruneJournals(options)).toEqual(nothing('of the getter'))
    expect(folder.handle.commands).toEqual([])
  })

  it.each([
    ['no options', undefined],
    ['no handle', {}],
    ['a handle without process', { handle: {} }],
    ['a folder that is no text', { handle: folderOf({}).handle, dir: 7 }],
    ['a symbol for a limit', { handle: folderOf({}).handle, maxDeletes: Symbol('x') }],
  ])('%s', async (_name, options) => {
    expect(await pruneJournals(options)).toEqual(nothing(expect.any(String)))
  })
})

describe('the message of a failure', () => {
  const messageFor = async (error) => {
    const report = await keptOf({ 'a.ndjson': 0 }, { get: () => Promise.reject(error) })
    return report.failures[0].message
  }

  it('is that of the error', async () => {
    expect(await messageFor(new RangeError('too far'))).toBe('too far')
  })

  it('is the name of an error without a message', async () => {
    expect(await messageFor(new RangeError())).toBe('RangeError')
  })

  it('is the text of what is no error', async () => {
    expect(await messageFor('down')).toBe('down')
    expect(await messageFor(undefined)).toBe('undefined')
    expect(await messageFor(Symbol('down'))).toBe('Symbol(down)')
    expect(await messageFor(Object.assign(new Error(), { message: 7 }))).toBe('Error: 7')
  })

  it('is always a text', async () => {
    for (const [, error] of oddErrors) expect(await messageFor(error)).toEqual(expect.any(String))
    expect(await messageFor(Object.create(null))).toBe('an error without a readable message')
  })
})

it('a name that is listed twice is one name', async () => {
  const list = () => exit(0, 'a.ndjson\n-x\na.ndjson\n-x\n')
  const report = await keptOf({ 'a.ndjson': 0 }, storeOf(), { instead: { list } })
  expect(report).toMatchObject({ listed: 2, runIds: ['a'] })
  expect(report.kept.map(({ names }) => names)).toEqual([['-x'], ['a.ndjson']])
})

describe('an empty folder', () => {
  it('has nothing to sweep', async () => {
    expect(await sweep(folderOf({}), storeOf())).toEqual({
      listed: 0,
      runIds: [],
      deleted: [],
      kept: [],
      ageGate: 'listed',
      failures: [],
    })
  })
})

describe('the logger', () => {
  it('is told of each failure', async () => {
    const logger = loggerOf()
    const instead = { remove: () => exit(1), times: () => Promise.reject(new Error('no stat')) }
    await keptOf({ 'a.ndjson': 0, 'b.ndjson': 0 }, storeOf({ a: 'completed' }), { instead, logger })
    expect(logger.warnings).toEqual([
      { message: 'journal-sweep: age-gate: no stat', meta: { stage: 'age-gate' } },
      { message: 'journal-sweep: delete: exit code 1', meta: { stage: 'delete', runId: 'a' } },
    ])
  })

  it.each(badLoggers)('%s changes nothing', async (_name, logger) => {
    const folder = folderOf({ 'a.ndjson': 0 }, { times: () => Promise.reject(new Error('x')) })
    const report = await sweep(folder, storeOf({ a: 'completed' }), { logger })
    expect(report.deleted).toEqual(['a'])
    expect(report.failures.length).toBe(1)
  })
})

it('a run id like an option is quoted and in its folder', async () => {
  const folder = folderOf({ '-rf.ndjson': OLD })
  expect((await sweep(folder, storeOf())).deleted).toEqual(['-rf'])
  expect(folder.handle.commands.at(-1)).toBe(`rm -f '${DIR}/-rf.ndjson' '${DIR}/-rf.err'`)
})

it('a thousand runs: one look-up each, and as many rm as allowed', async () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `r${index}`)
  const runs = storeOf(Object.fromEntries(ids.map((id) => [id, 'completed'])))
  const listing = ids.flatMap((id) => [`${id}.ndjson\n`, `${id}.err\n`]).join('')
  const handle = handleOf((_command, count) => exit(0, count === 0 ? listing : ''))
  const report = await pruneJournals({ handle, runs, dir: DIR, now: NOW })
  expect(report).toMatchObject({ listed: 2_000, runIds: ids, deleted: ids.slice(0, 200) })
  expect(report.kept.length).toBe(800)
  expect(runs.asked).toEqual(ids)
  expect(handle.commands.length).toBe(202)
})
