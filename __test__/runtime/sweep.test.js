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
import { badLoggers, exit, handleOf, loggerOf } from './support/command-handle.js'
import { DIR, folderOf, NOW } from './support/folder.js'
import { keptOf, OLD, storeOf, sweep } from './support/sweep.js'

const { pruneJournals } = api
const name = (runId) => journalPaths(runId, DIR).journal.slice(DIR.length + 1)

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
