/**
 * Removing the journals of runs that are over.
 *
 * @module
 */

import type { JournalLogger, RunStore } from './attach-preflight.js'
import type { SandboxHandle } from './workspace-backend.js'

export type { JournalLogger, RunRecord, RunStore } from './attach-preflight.js'

/**
 * How long the files of a run that the store doesn't know must have been untouched, in
 * milliseconds: 3,600,000, an hour.
 */
export const DEFAULT_ORPHAN_TTL_MS: 3600000

/** How many runs one sweep removes the files of: 200. */
export const DEFAULT_MAX_DELETES: 200

/** What to sweep. */
export interface PruneJournalsOptions {
  handle: Pick<SandboxHandle, 'capabilities' | 'process'>
  /** Asked once for each run, right before its files would be removed. */
  runs: RunStore
  /** The folder of the journals in the sandbox. Default: `DEFAULT_JOURNAL_DIR`. */
  dir?: string | undefined
  /**
   * The time by which ages are told, in milliseconds since 1970: a number, or a function that is
   * called once. Default: `Date.now`. File times are those of the sandbox's clock, in whole seconds.
   */
  now?: number | (() => number) | undefined
  /**
   * Files of a run that the store doesn't know are removed when the newest of them is older than
   * this, in milliseconds. Default: 3,600,000. Less than 0 is 0; `Infinity` and `NaN` remove none.
   */
  orphanTtlMs?: number | undefined
  /**
   * How many runs to remove the files of, at most. Failed attempts don't count. Default: 200. `NaN`
   * and less than 1 remove none; `Infinity` is no limit.
   */
  maxDeletes?: number | undefined
  /** Told of each failure. */
  logger?: JournalLogger | undefined
}

/** Why files were kept. */
export type PruneKeepReason =
  /**
   * The name isn't that of a run's file, or it is shortened, so that the run id isn't in it. The
   * store isn't asked.
   */
  | 'undecodable-name'
  /** The store threw or rejected. */
  | 'store-error'
  /** The run may still write. */
  | 'non-terminal'
  /** Unknown run, and the sandbox doesn't tell file times (its `stat` has no `-c`). */
  | 'age-gate-unavailable'
  /** Unknown run, and there is no time for one of its files. */
  | 'age-gate-missing-entry'
  /** Unknown run, and its newest file isn't old enough. */
  | 'orphan-too-recent'
  /** `rm` failed: it threw, or its exit code wasn't 0. */
  | 'delete-failed'
  /** It would have been removed, but `maxDeletes` were. */
  | 'max-deletes'

/** Files that were kept, and why. */
export interface PruneKept {
  /** Absent when the name doesn't tell it. */
  runId?: string
  /** The names in the folder: of the journal, of the file of stderr, or of both. */
  names: string[]
  reason: PruneKeepReason
}

/** Something that went wrong. The sweep went on, except behind `list`. */
export interface PruneFailure {
  /**
   * - `list`: the names couldn't be listed, or an option couldn't be read. Nothing was removed.
   * - `age-gate`: the times couldn't be listed.
   * - `store`: the store failed for a run.
   * - `delete`: the files of a run couldn't be removed.
   */
  stage: 'list' | 'age-gate' | 'store' | 'delete'
  /** With the stages `store` and `delete`. */
  runId?: string
  message: string
}

/** What a sweep did. */
export interface PruneJournalsReport {
  /** How many names the folder has. */
  listed: number
  /** The runs that have files, in the order of the listing. */
  runIds: string[]
  /** The runs whose files were removed. */
  deleted: string[]
  kept: PruneKept[]
  /** Whether the sandbox told file times. Without them the files of unknown runs are kept. */
  ageGate: 'listed' | 'unavailable'
  failures: PruneFailure[]
}

/**
 * Removes the journals of runs that are over, and of runs that the store doesn't know and that
 * nobody has written to for a while. Both files of a run are one decision, one question to the
 * store and one `rm`. Every doubt keeps them, and `kept` says which.
 *
 * The names and the times are listed once each. Then run after run is decided: the store is asked,
 * and `rm` follows at once, so that a run which starts during a long sweep is seen as running. A
 * run id may only be used again once the store says that it runs.
 *
 * A folder that isn't there can't be listed: a failure of stage `list`, as for any other reason.
 * Not found by the listing, and so never removed, are runs whose id starts with a dot.
 *
 * @returns Never rejects. A sandbox or a store that never answers holds it up.
 *
 * @example
 * ```ts
 * const { deleted, kept, failures } = await pruneJournals({ handle, runs })
 * console.log(`${deleted.length} removed, ${kept.length} kept`, failures)
 * ```
 */
export function pruneJournals(options: PruneJournalsOptions): Promise<PruneJournalsReport>
