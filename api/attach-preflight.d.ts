/**
 * Before reading a run that another process started: is there a journal, or will there be one?
 *
 * @module
 */

import type { JournalPaths } from './journal.js'
import type { SandboxHandle } from './workspace-backend.js'

/** What a run store tells of a run. */
export interface RunRecord {
  /**
   * `completed`, `failed` and `aborted` are terminal: such a run writes nothing more. Every other
   * status is of a run that may still write.
   */
  status: string
}

/** The caller's record of runs, as far as this package asks. `get` is called on its owner. */
export interface RunStore {
  /** `null` or `undefined`: there is no such run. May also return the record itself. */
  get(runId: string): PromiseLike<RunRecord | null | undefined> | RunRecord | null | undefined
}

/** Gets a line for each thing that went wrong. What it does or throws changes nothing. */
export interface JournalLogger {
  warn(message: string, meta?: Record<string, unknown>): void
}

/** Why a run can't be attached to. */
export type JournalAttachUnavailableReason =
  /** No journal, and the run store has no record of the run. */
  | 'unknown-run'
  /** No journal, and the run is over: it left none, or it was removed. */
  | 'terminal-run'
  /** No journal within the time to wait. */
  | 'journal-timeout'
  /** A journal was read, and gave no byte within the time to wait. */
  | 'journal-stalled'

/** What {@link JournalAttachUnavailableError} is made of. */
export interface JournalAttachUnavailableErrorOptions {
  runId: string
  reason: JournalAttachUnavailableReason
  /** What was found, for people: the end of the message. */
  detail: string
}

/** A run can't be attached to. The message is `cannot attach to run RUNID: DETAIL`. */
export class JournalAttachUnavailableError extends Error {
  constructor(options: JournalAttachUnavailableErrorOptions)
  readonly name: 'JournalAttachUnavailableError'
  readonly runId: string
  readonly reason: JournalAttachUnavailableReason
}

/** How long {@link awaitAttachableJournal} waits, in milliseconds: 10,000. */
export const DEFAULT_ATTACH_JOURNAL_WAIT_MS: 10000

/** The time between two probes, in milliseconds: 100. */
export const DEFAULT_ATTACH_PROBE_INTERVAL_MS: 100

/** What to wait for, and for how long. */
export interface AwaitAttachableJournalOptions {
  /** Where the journal of the run is: `journalPaths(runId)`. */
  paths: JournalPaths
  /** The id of the run, for the store and for errors. */
  runId: string
  /**
   * Tells whether waiting makes sense. Asked after each probe that finds no journal. Without a
   * store there is only waiting.
   */
  runs?: RunStore | undefined
  /**
   * Milliseconds in which the journal must appear; they bound hanging probes and a hanging store,
   * too. Default: 10,000.
   *
   * 0 and less: one probe, whose answer may take 10,000 ms. 2,147,483,647 (24.8 days) is the
   * longest; more, and `Infinity`, are that. `NaN` counts as not given.
   */
  waitMs?: number | undefined
  /**
   * Milliseconds between the answer to one probe and the next. Default: 100. 0 and less: the next
   * turn of the timers. `NaN` counts as not given.
   */
  probeIntervalMs?: number | undefined
  /** The folder in which the probe runs, which matters where `paths` are relative. */
  cwd?: string | undefined
  /** Ends the waiting. Not handed to the sandbox. */
  signal?: AbortSignal | undefined
  /** Told of the first probe that fails, and of the first failure of the store. */
  logger?: JournalLogger | undefined
}

/**
 * Waits until the journal of a run is there to be read.
 *
 * Each probe is one `process.exec` of `journalExistsCommand(paths)`. Exit code 0: it is there, and
 * the store isn't asked. Any other code: it isn't, and the store is asked. A probe that fails says
 * nothing of the journal; a store that fails says nothing of the run. Both are tried again.
 *
 * A run that turns out to have ended while we waited may have left its journal since the last
 * probe, so it is probed for once more.
 *
 * @returns Resolves when the journal is there, and also, at once, when the signal aborts: check
 *   `signal.aborted` where it matters. A signal that was aborted before causes no probe.
 * @throws {JournalAttachUnavailableError} `unknown-run`, `terminal-run` or `journal-timeout`. The
 *   message names the journal and what the record said.
 *
 * @example
 * ```ts
 * const paths = journalPaths(runId)
 * await awaitAttachableJournal(handle, { paths, runId, runs, signal })
 * for await (const { line, endPosition } of readJournal(handle, { paths, fromByte, signal })) …
 * ```
 */
export function awaitAttachableJournal(
  handle: Pick<SandboxHandle, 'capabilities' | 'process'>,
  options: AwaitAttachableJournalOptions,
): Promise<void>
