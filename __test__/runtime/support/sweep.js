/** Sweeps of a folder in memory. */

import { expect } from 'vitest'
import { pruneJournals } from '../../../api/journal-sweep.js'
import { DIR, folderOf, NOW } from './folder.js'

/** Ages in seconds: that of the default TTL, and more than that. */
export const HOUR = 3_600
export const OLD = HOUR + 1

/** A store with these statuses; whom it doesn't name it doesn't know. */
export function storeOf(statuses = {}) {
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

/** Sweeps a folder at `NOW`. */
export const sweep = (folder, runs, options) =>
  pruneJournals({ handle: folder.handle, runs, dir: DIR, now: NOW, ...options })

/** Sweeps `files`, of which nothing may go, and gives the report. */
export async function keptOf(files, runs, { instead, ...options } = {}) {
  const folder = folderOf(files, instead)
  const report = await sweep(folder, runs, options)
  expect(folder.names()).toEqual(Object.keys(files))
  expect(report.deleted).toEqual([])
  return report
}
