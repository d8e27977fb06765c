/**
 * Reading a journal out of a sandbox: the module `journal-reader` of `@tanstack/ai-sandbox`.
 *
 * @module
 */

import type { JournalPaths } from './journal.js'
import type { JournalIterator, JournalLine } from './journal-bytes.js'
import type { SandboxHandle } from './workspace-backend.js'

/** How long a polling reader sleeps between two looks, in milliseconds: 250. */
export const DEFAULT_JOURNAL_POLL_MS: 250

/**
 * How a journal is read: `follow` keeps a `tail -f` running in the sandbox and reads what it prints;
 * `poll` asks again and again for what is new.
 */
export type JournalReadStrategy = 'follow' | 'poll'

/** What to read, and how. */
export interface ReadJournalOptions {
  /** Where the journal is, by `journalPaths`. */
  paths: JournalPaths
  /**
   * The absolute offset in bytes to start at: 0, or an `endPosition` that an earlier read gave.
   * Default: 0.
   */
  fromByte?: number | undefined
  /** Ends the read, quietly and at once. Also goes to the sandbox with each command. */
  signal?: AbortSignal | undefined
  /** Default: what {@link journalReadStrategy} says. */
  strategy?: JournalReadStrategy | undefined
  /**
   * How long `poll` sleeps between two looks, in milliseconds. Default: 250. 0 and less: until the
   * next turn of the timers. `NaN` counts as not given.
   */
  pollIntervalMs?: number | undefined
  /** The folder in which the commands run, which matters where `paths` are relative. */
  cwd?: string | undefined
  /**
   * How long the first byte may take, in milliseconds. Only that one: afterwards the journal may be
   * silent for as long as its agent thinks. 0, less, `NaN` and `Infinity` mean: any time. Default:
   * 10,000.
   */
  firstByteTimeoutMs?: number | undefined
  /** The run to name in errors. Default: the path of the journal. */
  runId?: string | undefined
}

/** What of a sandbox a reader uses. */
export type JournalSandbox = Pick<SandboxHandle, 'capabilities' | 'process'>

/**
 * `follow` where the sandbox has background processes and can kill them, else `poll`.
 */
export function journalReadStrategy(
  handle: Pick<SandboxHandle, 'capabilities'>,
): JournalReadStrategy

/**
 * Reads a journal from any position, live: what it has and what is still to come, until the signal
 * is aborted or the caller leaves.
 *
 * Only commands are used, never the sandbox's `fs`: `/tmp` may be another place there.
 *
 * - `follow`: spawns `journalFollowCommand`. The process is killed, once, when the read ends for
 *   any reason; that a kill fails is no error. After an abort the kill isn't waited for.
 * - `poll`: runs `journalReadCommand` from the position behind the last complete line, again and
 *   again.
 *
 * Lines that have come but were not delivered are dropped at an abort: a read from the last
 * `endPosition` has them.
 *
 * @throws {JournalAttachUnavailableError} With the reason `journal-stalled`, when no byte came within
 *   `firstByteTimeoutMs`.
 * @throws {Error} `journal: base64 frame ended mid-quantum …`, when a polled frame was cut off.
 * @throws {Error} `journal: fromByte must be a non-negative safe integer, got X`.
 * @throws What the sandbox throws, as the same value.
 *
 * @example
 * ```ts
 * const paths = journalPaths(runId)
 * for await (const { line, endPosition } of readJournal(handle, { paths, fromByte, signal })) {
 *   await store(runId, endPosition)
 *   if (parseExitSentinel(line, paths) !== null) break
 * }
 * ```
 */
export function readJournal(
  handle: JournalSandbox,
  options: ReadJournalOptions,
): JournalIterator<JournalLine>
