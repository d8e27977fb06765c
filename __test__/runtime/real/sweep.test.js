/** `pruneJournals` in real folders, with real ages, through each shell. */

import {
  chmodSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pruneJournals } from '../../../api/journal-sweep.js'
import { journaledCommand, journalPaths } from '../../../js/runtime/journal.js'
import { environments, openReal, shellEnvironments } from '../../workspace/support/environments.js'

const HOUR = 3_600
const OLD = 2 * HOUR
const busybox = environments.filter(({ tools }) => tools === 'busybox')

/** What a run may be called: each of them is a file name that a shell or `ls` might spoil. */
const ODD_RUN_IDS = [
  '-rf',
  '--help',
  '*',
  '$(touch hit)',
  '`touch hit`',
  "it's",
  'a"b',
  'a b',
  'a\nb',
  'a/../../b',
  '~',
  '\\',
  'CON',
  'nul',
  'Ä😀',
  '\u202e',
  'x'.repeat(190),
  'UPPER',
  'upper',
]

describe.each([...shellEnvironments, ...busybox])('$name', (environment) => {
  let real
  let dir
  beforeEach(async () => {
    real = await openReal(environment)
    dir = mkdtempSync(join(tmpdir(), "journals ' * "))
  })
  afterEach(async () => {
    rmSync(dir, { recursive: true, force: true })
    await real.close()
  })

  const write = (file, age, text = '{}\n') => {
    writeFileSync(join(dir, file), text)
    setAge(file, age)
  }
  const setAge = (file, age) => {
    const seconds = Date.now() / 1_000 - age
    lutimesSync(join(dir, file), seconds, seconds)
  }
  const writeRun = (runId, age) => {
    for (const path of filesOf(runId)) write(path, age)
  }
  const filesOf = (runId) => {
    const { journal, stderr } = journalPaths(runId, dir)
    return [journal, stderr].map((path) => path.slice(dir.length + 1))
  }
  const names = () => readdirSync(dir).toSorted()
  const sweep = (statuses = {}, options = {}) => {
    const get = async (runId) => (runId in statuses ? { status: statuses[runId] } : null)
    return pruneJournals({ handle: real.sandbox, runs: { get }, dir, ...options })
  }
  const reasonsOf = ({ kept }) => kept.map(({ names, reason }) => [...names, reason]).toSorted()

  it('terminal and old unknown runs go, running and young ones stay', async () => {
    for (const runId of ['done', 'live', 'orphan', 'young', 'mixed']) writeRun(runId, OLD)
    setAge('young.ndjson', HOUR - 60)
    setAge('young.err', HOUR - 60)
    setAge('mixed.err', HOUR - 60)
    const report = await sweep({ done: 'completed', live: 'running' })
    expect(report).toMatchObject({ listed: 10, ageGate: 'listed', failures: [] })
    expect(report.deleted.toSorted()).toEqual(['done', 'orphan'])
    expect(names()).toEqual(
      ['live', 'mixed', 'young'].flatMap((id) => [`${id}.err`, `${id}.ndjson`]),
    )
    expect(reasonsOf(report).map((row) => row.at(-1))).toEqual([
      'non-terminal',
      'orphan-too-recent',
      'orphan-too-recent',
    ])
  })

  it('each odd run id goes by itself, and takes nothing with it', async () => {
    for (const runId of ODD_RUN_IDS) writeRun(runId, OLD)
    const left = new Set(ODD_RUN_IDS)
    for (const runId of ODD_RUN_IDS) {
      const others = Object.fromEntries([...left].map((id) => [id, 'running']))
      const report = await sweep({ ...others, [runId]: 'completed' })
      expect(report.deleted).toEqual([runId])
      left.delete(runId)
      expect(names()).toEqual([...left].flatMap(filesOf).toSorted())
    }
    expect(existsSync(join(real.folder, 'hit'))).toBe(false)
  })

  it('odd run ids are found in the listing as they are', async () => {
    for (const runId of ODD_RUN_IDS) writeRun(runId, OLD)
    const report = await sweep({}, { maxDeletes: 0 })
    expect(report.runIds.toSorted()).toEqual(ODD_RUN_IDS.toSorted())
    expect(report.kept.every(({ reason }) => reason === 'max-deletes')).toBe(true)
  })

  it('a run whose name had to be shortened stays', async () => {
    const runId = 'y'.repeat(300)
    writeRun(runId, OLD)
    const report = await sweep({ [runId]: 'completed' })
    expect(reasonsOf(report)).toEqual(
      filesOf(runId)
        .toSorted()
        .map((file) => [file, 'undecodable-name']),
    )
    expect(names()).toEqual(filesOf(runId).toSorted())
  })

  it('a run id that starts with a dot is not listed, so it stays', async () => {
    writeRun('.hidden', OLD)
    expect(await sweep({ '.hidden': 'completed' })).toMatchObject({ listed: 0, deleted: [] })
    expect(names()).toEqual(['.hidden.err', '.hidden.ndjson'])
  })

  it('a foreign name that holds a newline stays, and takes no run with it', async () => {
    // Printed in two lines: the second is the name of a run that is over, the first no run's.
    write('foreign\ndone.ndjson', OLD)
    // The first line is the name of a young run, with the age of the foreign file.
    write('young.ndjson\nforeign', OLD)
    write('young.ndjson', 5)
    // Both look like runs that the store doesn't know, one of which is really there and young.
    write('gone.ndjson\nyoung.err', OLD)
    write('young.err', 5)
    const before = names()
    const report = await sweep({ done: 'completed' })
    expect(names()).toEqual(before)
    expect(report.deleted).not.toContain('young')
  })

  it('a folder with the name of a journal stays, with all in it', async () => {
    mkdirSync(join(dir, 'x.ndjson'))
    write('x.ndjson/inner.ndjson', OLD)
    setAge('x.ndjson', OLD)
    const report = await sweep({ x: 'completed', inner: 'completed' })
    expect(report.kept).toEqual([{ runId: 'x', names: ['x.ndjson'], reason: 'delete-failed' }])
    expect(report.failures).toEqual([{ stage: 'delete', runId: 'x', message: 'exit code 1' }])
    expect(names()).toEqual(['x.ndjson'])
    expect(readdirSync(join(dir, 'x.ndjson'))).toEqual(['inner.ndjson'])
  })

  it('of a link only the link goes, and its own age counts', async () => {
    const target = join(real.folder, 'target')
    writeFileSync(target, 'kept\n')
    for (const link of ['done.ndjson', 'old.ndjson', 'young.ndjson']) {
      symlinkSync(target, join(dir, link))
    }
    symlinkSync('/nowhere/at/all', join(dir, 'broken.ndjson'))
    for (const link of ['old.ndjson', 'broken.ndjson']) setAge(link, OLD)
    const report = await sweep({ done: 'completed' })
    expect(report.deleted.toSorted()).toEqual(['broken', 'done', 'old'])
    expect(names()).toEqual(['young.ndjson'])
    expect(lstatSync(target).size).toBe(5)
  })

  it('names that are like options or patterns stay, and do nothing', async () => {
    for (const file of ['-rf', '--', '*', '-rf.txt', '$(touch hit).ndjson']) write(file, OLD)
    write('live.ndjson', OLD)
    const before = names()
    const report = await sweep({ live: 'running' })
    expect(report).toMatchObject({ listed: 6, runIds: ['live'], deleted: [], failures: [] })
    expect(names()).toEqual(before)
    expect(existsSync(join(real.folder, 'hit'))).toBe(false)
  })

  it('more than maxDeletes: what is left goes in the next sweeps', async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `run ${index}`)
    for (const runId of ids) writeRun(runId, OLD)
    const left = []
    for (let round = 0; round < 3; round++) {
      const { deleted } = await sweep({}, { maxDeletes: 10 })
      left.push(names().length / 2)
      expect(deleted.length).toBe([10, 10, 5][round])
    }
    expect(left).toEqual([15, 5, 0])
  })

  it('a folder that is not there: a failure of stage list', async () => {
    rmSync(dir, { recursive: true })
    const report = await sweep()
    expect(report).toMatchObject({ listed: 0, deleted: [], kept: [], ageGate: 'unavailable' })
    expect(report.failures).toEqual([
      { stage: 'list', message: expect.stringMatching(/^exit code \d+$/) },
    ])
  })

  it('an empty folder: nothing, and no failure', async () => {
    expect(await sweep()).toEqual({
      listed: 0,
      runIds: [],
      deleted: [],
      kept: [],
      ageGate: 'listed',
      failures: [],
    })
  })

  it('a trailing slash of the folder changes nothing', async () => {
    writeRun('orphan', OLD)
    expect((await sweep({}, { dir: `${dir}/` })).deleted).toEqual(['orphan'])
    expect(names()).toEqual([])
  })

  it('a run that writes is young', async () => {
    const paths = journalPaths('writing', dir)
    await real.sandbox.process.exec(journaledCommand('echo "{}"; echo problem >&2', paths))
    const report = await sweep()
    expect(report.kept).toEqual([
      {
        runId: 'writing',
        names: expect.arrayContaining(['writing.ndjson', 'writing.err']),
        reason: 'orphan-too-recent',
      },
    ])
    expect((await sweep({ writing: 'failed' })).deleted).toEqual(['writing'])
    expect(names()).toEqual([])
  })
})

describe('a stat without -c, as macOS has it', () => {
  it('age-gate-unavailable: unknown runs stay, terminal runs go', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'bin-'))
    const dir = mkdtempSync(join(tmpdir(), 'journals-'))
    writeFileSync(join(bin, 'stat'), '#!/bin/sh\necho "stat: illegal option -- c" >&2\nexit 1\n')
    chmodSync(join(bin, 'stat'), 0o755)
    const real = await openReal({ shell: ['sh'], tools: {} }, { pathPrefix: [bin] })
    try {
      for (const runId of ['done', 'orphan']) {
        writeFileSync(join(dir, `${runId}.ndjson`), '')
        lutimesSync(join(dir, `${runId}.ndjson`), 1, 1)
      }
      const get = (runId) => (runId === 'done' ? { status: 'completed' } : null)
      const report = await pruneJournals({ handle: real.sandbox, runs: { get }, dir })
      expect(report).toEqual({
        listed: 2,
        runIds: ['done', 'orphan'],
        deleted: ['done'],
        kept: [{ runId: 'orphan', names: ['orphan.ndjson'], reason: 'age-gate-unavailable' }],
        ageGate: 'unavailable',
        failures: [],
      })
      expect(readdirSync(dir)).toEqual(['orphan.ndjson'])
    } finally {
      await real.close()
      for (const folder of [bin, dir]) rmSync(folder, { recursive: true })
    }
  })
})
