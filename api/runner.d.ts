/**
 * Running agents that print NDJSON: the module `runner` of `@tanstack/ai-sandbox`.
 *
 * @module
 */

import type { RunStore } from './attach-preflight.js'
import type { JournalIterator, JournalSource } from './journal-bytes.js'
import type { JournalSandbox } from './journal-reader.js'
import type { ProcessOptions } from './workspace-backend.js'

/** Which journal a run writes, or has written. */
export interface RunJournalOptions {
  /** The run. Two runs with the same id share a journal, so each needs its own. */
  runId: string
  /** The folder of the journals in the sandbox. Default: `/tmp/tanstack-runs`. */
  dir?: string | undefined
  /** Start no agent: read the journal of one that runs, or ran. */
  attach?: boolean | undefined
  /** How long a polling reader sleeps between two looks, in milliseconds. Default: 250. */
  pollIntervalMs?: number | undefined
  /** Asked on an attach when the journal isn't there: whether the run may still write one. */
  runs?: RunStore | undefined
  /**
   * How long an attach waits for the journal to be there, and any reader for its first byte, in
   * milliseconds. Default: 10,000. Raise it for an agent that is silent for longer at its start.
   */
  attachWaitMs?: number | undefined
}

/** How to run an agent. The rest goes to the sandbox's `spawn`. */
export interface SpawnNdjsonOptions extends ProcessOptions {
  /** Gets each line that isn't JSON, trimmed. What it throws ends the reading. Default: ignored. */
  onNonJsonLine?: ((line: string) => void) | undefined
  /** Written to the agent's stdin, which is then closed. */
  input?: string | undefined
  /** Lets the agent write to a journal, so that it outlives its reader. */
  journal?: RunJournalOptions | undefined
}

/** {@link SpawnNdjsonOptions} of a run with a journal. */
export interface JournaledRunOptions extends SpawnNdjsonOptions {
  journal: RunJournalOptions
}

/**
 * Splits text into lines, without their newline. A last line that has none is delivered, unlike
 * with `toJournalLines`. The text stays as it is: lone surrogates and byte order marks too.
 *
 * @param chunks - Text, in any pieces. Bytes where text should be are decoded as UTF-8.
 */
export function toLines(chunks: JournalSource<string>): JournalIterator<string>

/**
 * Runs an agent and gives each line that it prints, parsed as JSON. Blank lines are skipped.
 *
 * Without `journal` the agent is a child of its reader. With it, it is started by
 * {@link startJournaledAgent} (unless `attach` is set) and read by {@link readJournalNdjson}.
 *
 * @throws {Error} `Agent process exited with code N`, with the first 1,000 characters of its stderr,
 *   when the code isn't 0. All events come first.
 * @throws What the sandbox throws, as the same value.
 */
export function spawnNdjson(
  handle: JournalSandbox,
  command: string,
  options?: SpawnNdjsonOptions,
): JournalIterator<unknown>

/**
 * Starts an agent that prints to a journal, and returns when it has its input. It doesn't end with
 * its reader: the `signal` of the options isn't handed to it.
 *
 * @throws What the sandbox throws, as the same value.
 */
export function startJournaledAgent(
  handle: JournalSandbox,
  command: string,
  options: JournaledRunOptions,
): Promise<void>

/**
 * The events of a run out of its journal, from its first to its last, also while it runs.
 *
 * At the run's exit sentinel the reading stops and the journal is removed. A line that only looks
 * like a sentinel is an event. An abort ends the reading quietly and leaves journal and agent alone,
 * as leaving the loop does; a later call reads all from the start.
 *
 * @throws {JournalAttachUnavailableError} With `attach`, when there is nothing to attach to. Without,
 *   when the first byte doesn't come in time.
 * @throws {Error} `Agent process exited with code N`, as {@link spawnNdjson}, when the code isn't 0.
 * @throws {Error} When the journal ends without a sentinel. Nothing is removed.
 * @throws What the sandbox throws, as the same value.
 */
export function readJournalNdjson(
  handle: JournalSandbox,
  options: JournaledRunOptions,
): JournalIterator<unknown>
