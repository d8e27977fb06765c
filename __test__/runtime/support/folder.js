/** A sandbox with nothing but a folder of journals, in memory: it lists, tells times and removes. */

import {
  journalCleanupCommand,
  journalListCommand,
  journalMtimeListCommand,
  journalPaths,
} from '../../../js/runtime/journal.js'
import { exit, handleOf } from './command-handle.js'

export const DIR = '/journals'
/** The time that it is in these tests, in ms: whole seconds, as `stat` tells. */
export const NOW = 1_700_000_000_000
const SECOND = 1_000
/** Runs that are called what their files are called. */
export const RUN_IDS = ['a', 'b', 'c', 'd', 'e-1', '-rf']

/**
 * @param {Record<string, number>} files - The names, and how many seconds ago each was written.
 * @param {Partial<Record<'list' | 'times' | 'remove', (...args: unknown[]) => unknown>>} [instead] -
 *   What to do in place of a command. `remove` gets the run id.
 */
export function folderOf(files, instead = {}) {
  const left = new Map(Object.entries(files))
  const removed = []
  const list = () => exit(0, [...left.keys()].map((name) => `${name}\n`).join(''))
  const times = () => exit(0, timesOf(left))
  const remove = (runId) => {
    removed.push(runId)
    for (const path of Object.values(journalPaths(runId, DIR))) left.delete(path.split('/').pop())
    return exit(0)
  }
  const handle = handleOf((command) => {
    if (command === journalListCommand(DIR)) return (instead.list ?? list)()
    if (command === journalMtimeListCommand(DIR)) return (instead.times ?? times)()
    const runId = [...RUN_IDS, 'run 1/ä'].find(
      (id) => command === journalCleanupCommand(journalPaths(id, DIR)),
    )
    if (runId === undefined) throw new Error(`not a command of a sweep: ${command}`)
    return (instead.remove ?? remove)(runId)
  })
  return { handle, removed, names: () => [...left.keys()], remove }
}

/** What `stat` prints. */
export function timesOf(files) {
  const seconds = (age) => NOW / SECOND - age
  const lines = [...files].map(([name, age]) => `${seconds(age)} ${DIR}/${name}\n`)
  return `${seconds(0)} ${DIR}\n${lines.join('')}`
}
