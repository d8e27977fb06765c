/**
 * Removes the journals of runs that are over.
 *
 * 1. What could still be needed stays: every doubt keeps a file, and is a reason in the report.
 * 2. The store is asked right before the files are removed, not for all runs beforehand, so that a
 *    run that starts during a long sweep is seen as running.
 * 3. `now` is read before the times are listed, so that no file looks older than it is.
 */

import { runCommand } from './command.js'
import {
  decodeJournalRunId,
  journalCleanupCommand,
  journalListCommand,
  journalMtimeListCommand,
  journalPaths,
  parseJournalMtimeListing,
} from './journal.js'
import { messageOf } from './message-of.js'
import { lookUpRun } from './run-record.js'
import { warn } from './warn.js'

export const DEFAULT_ORPHAN_TTL_MS = 3_600_000
export const DEFAULT_MAX_DELETES = 200

/**
 * Never rejects: what goes wrong is in the report.
 *
 * @param {import('../../api/journal-sweep.js').PruneJournalsOptions} options
 * @returns {Promise<import('../../api/journal-sweep.js').PruneJournalsReport>}
 */
export async function pruneJournals(options) {
  const sweep = new Sweep()
  try {
    await sweep.run(readOptions(options))
  } catch (error) {
    // An option that can't be read or used: nothing was listed yet.
    sweep.fail('list', messageOf(error))
  }
  return sweep.report
}

function readOptions({ handle, runs, dir, now, orphanTtlMs, maxDeletes, logger }) {
  return {
    handle,
    runs,
    dir,
    now: now ?? Date.now,
    orphanTtlMs: Math.max(0, Number(orphanTtlMs ?? DEFAULT_ORPHAN_TTL_MS)),
    maxDeletes: Number(maxDeletes ?? DEFAULT_MAX_DELETES),
    logger,
  }
}

class Sweep {
  /** @type {import('../../api/journal-sweep.js').PruneJournalsReport} */
  report = { listed: 0, runIds: [], deleted: [], kept: [], ageGate: 'unavailable', failures: [] }
  #options = {}
  /** @type {Map<string, number>} The time of each name; empty when there is no age gate. */
  #times = new Map()
  /** Now by this host's clock. NaN, which no age is greater than, when it can't be told. */
  #now = Number.NaN

  async run(options) {
    this.#options = options
    const names = await this.#listNames()
    if (names === undefined) return
    await this.#listTimes()
    for (const [runId, group] of this.#byRun(names)) await this.#sweepRun(runId, group)
  }

  /**
   * @param {import('../../api/journal-sweep.js').PruneFailure['stage']} stage
   * @param {string} message
   * @param {string} [runId]
   */
  fail(stage, message, runId) {
    const run = runId === undefined ? {} : { runId }
    this.report.failures.push({ stage, ...run, message })
    warn(this.#options.logger, `journal-sweep: ${stage}: ${message}`, { stage, ...run })
  }

  async #listNames() {
    const { handle, dir } = this.#options
    const listing = await runCommand(handle, journalListCommand(dir))
    const problem = problemOf(listing) ?? problemOfText(listing)
    if (problem !== undefined) return this.fail('list', problem)
    // A foreign file whose name holds a newline is several names here, and one of them may be a
    // journal's. Once is enough for each.
    const names = [...new Set(listing.stdout.split('\n'))].filter((name) => name !== '')
    this.report.listed = names.length
    return names
  }

  async #listTimes() {
    const { handle, dir, now } = this.#options
    try {
      this.#now = Number(typeof now === 'function' ? now() : now)
    } catch (error) {
      this.fail('age-gate', messageOf(error))
      return
    }
    const listing = await runCommand(handle, journalMtimeListCommand(dir))
    // Not the exit code: in an empty folder stat fails for the pattern, yet tells the folder's time.
    const problem = listing.error ?? problemOfText(listing)
    if (problem !== undefined) return this.fail('age-gate', problem)
    const parsed = parseJournalMtimeListing(listing.stdout, dir)
    this.report.ageGate = parsed.kind
    if (parsed.kind === 'unavailable') return
    for (const { name, mtimeMs } of parsed.entries) {
      // The name of a foreign file may begin like a journal's, up to a newline: the newest counts.
      this.#times.set(name, Math.max(mtimeMs, this.#times.get(name) ?? mtimeMs))
    }
  }

  /** The names of each run. What is no name of a run is kept, and told at once. */
  #byRun(names) {
    const groups = new Map()
    for (const name of names) {
      const runId = runIdOf(name, this.#options.dir)
      if (runId === undefined) this.#keep('undecodable-name', [name])
      else if (groups.has(runId)) groups.get(runId).push(name)
      else groups.set(runId, [name])
    }
    this.report.runIds = [...groups.keys()]
    return groups
  }

  async #sweepRun(runId, names) {
    const reason = await this.#reasonToKeep(runId, names)
    if (reason !== undefined) this.#keep(reason, names, runId)
    else if (await this.#remove(runId)) this.report.deleted.push(runId)
    else this.#keep('delete-failed', names, runId)
  }

  async #reasonToKeep(runId, names) {
    const record = await lookUpRun(this.#options.runs, runId)
    if (record.kind === 'no-answer') {
      this.fail('store', record.message, runId)
      return 'store-error'
    }
    const isKnown = record.kind === 'recorded'
    if (isKnown && !record.isTerminal) return 'non-terminal'
    const tooYoung = isKnown ? undefined : this.#reasonByAge(names)
    if (tooYoung !== undefined) return tooYoung
    // False for NaN, as above: a limit that can't be told is no leave to delete.
    return this.report.deleted.length < this.#options.maxDeletes ? undefined : 'max-deletes'
  }

  #reasonByAge(names) {
    if (this.report.ageGate === 'unavailable') return 'age-gate-unavailable'
    const times = names.map((name) => this.#times.get(name))
    if (times.includes(undefined)) return 'age-gate-missing-entry'
    const age = this.#now - Math.max(...times)
    // False for NaN.
    return age > this.#options.orphanTtlMs ? undefined : 'orphan-too-recent'
  }

  async #remove(runId) {
    const { handle, dir } = this.#options
    const problem = problemOf(
      await runCommand(handle, journalCleanupCommand(journalPaths(runId, dir))),
    )
    if (problem !== undefined) this.fail('delete', problem, runId)
    return problem === undefined
  }

  #keep(reason, names, runId) {
    this.report.kept.push({ ...(runId === undefined ? {} : { runId }), names, reason })
  }
}

/**
 * The run that a file belongs to. Only under the very name that it is removed by: what decodes to
 * a run id but is spelled differently isn't what `rm` would remove.
 */
function runIdOf(name, dir) {
  const decoded = decodeJournalRunId(name)
  if (decoded.kind !== 'runId') return undefined
  const { journal, stderr } = journalPaths(decoded.runId, dir)
  return [journal, stderr].some((path) => path.endsWith(`/${name}`)) ? decoded.runId : undefined
}

/** What is wrong with how a command ended, in words. */
function problemOf(outcome) {
  if ('error' in outcome) return outcome.error
  return outcome.exitCode === 0 ? undefined : `exit code ${outcome.exitCode}`
}

function problemOfText({ stdout }) {
  return typeof stdout === 'string' ? undefined : 'the sandbox gave no text'
}
