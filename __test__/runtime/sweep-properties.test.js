/** `pruneJournals` over random folders: beside the rules, written down once more and naively. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pruneJournals } from '../../api/journal-sweep.js'
import { exit } from './support/command-handle.js'
import { DIR, folderOf, NOW, RUN_IDS, timesOf } from './support/folder.js'

const RUNS = 300
const TTL_MS = 10_000

/** A run: its files with their ages in seconds, what is known of it, and whether `rm` works. */
const run = fc.record({
  ages: fc.record(
    { '.ndjson': fc.integer({ min: 8, max: 12 }), '.err': fc.integer({ min: 8, max: 12 }) },
    { requiredKeys: [] },
  ),
  hasTimes: fc.boolean(),
  status: fc.constantFrom(null, 'completed', 'failed', 'aborted', 'running', 'error'),
  isRemovable: fc.boolean(),
})

const scenario = fc.record({
  runs: fc.array(run, { maxLength: RUN_IDS.length }),
  hasStat: fc.boolean(),
  maxDeletes: fc.integer({ min: 0, max: RUN_IDS.length }),
})

it('every run is decided as the rules say, and every name is told of once', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ runs, hasStat, maxDeletes }) => {
      const byId = new Map(runs.map((each, index) => [RUN_IDS[index], each]))
      const files = filesOf(byId, () => true)
      const folder = folderOf(files, {
        times: () =>
          hasStat
            ? exit(0, timesOf(Object.entries(filesOf(byId, (each) => each.hasTimes))))
            : exit(1),
        remove: (runId) => (byId.get(runId).isRemovable ? folder.remove(runId) : exit(1)),
      })
      const report = await pruneJournals({
        handle: folder.handle,
        runs: { get: (runId) => recordOf(byId.get(runId)) },
        dir: DIR,
        now: NOW,
        orphanTtlMs: TTL_MS,
        maxDeletes,
      })
      const expected = decide(byId, { hasStat, maxDeletes })
      expect({ deleted: report.deleted, kept: reasonsOf(report) }).toEqual(expected)
      expect(folder.removed).toEqual(expected.deleted)
      const gone = Object.keys(files).filter((name) => !folder.names().includes(name))
      const kept = report.kept.flatMap(({ names }) => names)
      expect([...gone, ...kept].toSorted()).toEqual(Object.keys(files).toSorted())
    }),
    { numRuns: RUNS },
  )
})

function decide(byId, { hasStat, maxDeletes }) {
  const deleted = []
  const kept = {}
  for (const [runId, { ages, hasTimes, status, isRemovable }] of byId) {
    const newest = Math.min(...Object.values(ages)) * 1_000
    if (newest === Number.POSITIVE_INFINITY) continue
    if (status === 'error') kept[runId] = 'store-error'
    else if (status === 'running') kept[runId] = 'non-terminal'
    else if (status === null && !hasStat) kept[runId] = 'age-gate-unavailable'
    else if (status === null && !hasTimes) kept[runId] = 'age-gate-missing-entry'
    else if (status === null && newest <= TTL_MS) kept[runId] = 'orphan-too-recent'
    else if (deleted.length >= maxDeletes) kept[runId] = 'max-deletes'
    else if (!isRemovable) kept[runId] = 'delete-failed'
    else deleted.push(runId)
  }
  return { deleted, kept }
}

function filesOf(byId, isIncluded) {
  const runs = [...byId].filter(([, each]) => isIncluded(each))
  return Object.fromEntries(
    runs.flatMap(([runId, { ages }]) =>
      Object.entries(ages).map(([extension, age]) => [`${runId}${extension}`, age]),
    ),
  )
}

function recordOf({ status }) {
  if (status === 'error') throw new Error('of the store')
  return status === null ? null : { status }
}

function reasonsOf({ kept }) {
  return Object.fromEntries(kept.map(({ runId, reason }) => [runId, reason]))
}
