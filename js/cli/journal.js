/**
 * Which file an argument means, and which run the file is of.
 */

import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { decodeJournalRunId, journalPaths } from '../../api/journal.js'
import { takeSentinel } from '../runtime/sentinel.js'
import { fileError, PlainError, UsageError } from './errors.js'

/**
 * @typedef {object} Journal
 * @property {string} path
 * @property {Run} [run] - The run it is the journal of, where that is known.
 * @property {boolean} isById - Whether the argument was the id of a run.
 */

/**
 * An argument that names a file is a file; any other is the id of a run.
 *
 * @param {string} argument
 * @param {string} [dir] - Where the journals of runs are.
 * @returns {Journal}
 */
export function findJournal(argument, dir) {
  const stats = statOf(argument)
  if (stats !== undefined && !stats.isDirectory()) return journalAt(argument)
  if (argument === '') throw new UsageError('the name of a file or the id of a run is empty')
  const paths = journalPaths(argument, dir)
  if (stats !== undefined && statOf(paths.journal) === undefined) {
    throw new PlainError(`${argument}: is a folder`)
  }
  return { path: paths.journal, run: new Run(argument, paths), isById: true }
}

/** @returns {Journal} */
export function journalAt(path) {
  const decoded = decodeJournalRunId(basename(path))
  if (decoded.kind !== 'runId' || !path.endsWith('.ndjson')) return { path, isById: false }
  const run = new Run(decoded.runId, journalPaths(decoded.runId, dirname(path)))
  return { path, run, isById: false }
}

/** What is there now; undefined when nothing is. */
export function statOf(path) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // The id of a run may be longer than a name of a file, or have one of its files as a folder.
    if (error.code === 'ENAMETOOLONG' || error.code === 'ENOTDIR') return undefined
    throw fileError(error, path)
  }
}

class Run {
  id
  #paths

  constructor(id, paths) {
    this.id = id
    this.#paths = paths
  }

  /**
   * The exit code, when `line` is the one with which this run says that it ended; else null.
   *
   * @param {string} line
   */
  exitCodeIn(line) {
    return takeSentinel(line, this.#paths)?.code ?? null
  }
}
