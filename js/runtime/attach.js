/** Is there a journal to attach to? Asked before a read that would otherwise wait in vain. */

import { types } from 'node:util'
import { runCommand } from './command.js'
import { journalExistsCommand } from './journal.js'
import { numberOr } from './number-or.js'
import { lookUpRun } from './run-record.js'
import { Span } from './span.js'
import { warn } from './warn.js'

export const DEFAULT_ATTACH_JOURNAL_WAIT_MS = 10_000
export const DEFAULT_ATTACH_PROBE_INTERVAL_MS = 100

/**
 * @typedef {'unknown-run' | 'terminal-run' | 'journal-timeout' | 'journal-stalled'} UnavailableReason
 */

const UNAVAILABLE = 'JournalAttachUnavailableError'

/** A run can't be attached to, and `reason` says why. */
export class JournalAttachUnavailableError extends Error {
  /** @param {{ runId: string, reason: UnavailableReason, detail: string }} options */
  constructor({ runId, reason, detail }) {
    super(`cannot attach to run ${runId}: ${detail}`)
    this.name = UNAVAILABLE
    this.runId = runId
    this.reason = reason
  }
}

/**
 * `instanceof` goes by the name too: where the package stands in for the original, the original's own
 * modules throw an error of their own class, and callers ask this one about it. A subclass goes by
 * its prototype alone.
 */
Object.defineProperty(JournalAttachUnavailableError, Symbol.hasInstance, {
  value(error) {
    if (Function.prototype[Symbol.hasInstance].call(this, error)) return true
    const isThisClass = this === JournalAttachUnavailableError
    return isThisClass && types.isNativeError(error) && error.name === UNAVAILABLE
  },
})

/**
 * Resolves when the run's journal is there, or when the signal has aborted.
 *
 * @param {Pick<import('../../api/workspace-backend.js').SandboxHandle, 'capabilities' | 'process'>} handle
 * @param {import('../../api/attach-preflight.js').AwaitAttachableJournalOptions} options
 * @returns {Promise<void>}
 */
export async function awaitAttachableJournal(handle, options) {
  const { signal } = options
  const waitMs = numberOr(options.waitMs, DEFAULT_ATTACH_JOURNAL_WAIT_MS)
  const intervalMs = numberOr(options.probeIntervalMs, DEFAULT_ATTACH_PROBE_INTERVAL_MS)
  const attempt = new Attempt(handle, options)
  const wait = new Span(waitMs, signal)
  // No wait is still one probe, and its answer takes time.
  const firstRound = waitMs > 0 ? wait : new Span(DEFAULT_ATTACH_JOURNAL_WAIT_MS, signal)
  try {
    for (let span = firstRound; !(await attempt.isThere(span)); span = wait) {
      await wait.sleep(intervalMs)
      if (signal?.aborted) return
      if (wait.isOver) throw attempt.timeoutError(waitMs)
    }
  } finally {
    // The other one is the same, or was over from the start.
    firstRound.close()
  }
}

/** The probes and look-ups of one call, and what they have shown so far. */
class Attempt {
  #handle
  #paths
  #runId
  #runs
  #logger
  #cwd
  #command
  /** What kept the last probe from an answer. */
  #probeProblem = '; the sandbox gave no answer'
  /** @type {import('./run-record.js').RunRecord | undefined} */
  #record
  /** What was warned of: once a call, not once a probe. */
  #warned = new Set()

  constructor(handle, { paths, runId, runs, logger, cwd }) {
    this.#handle = handle
    this.#paths = paths
    this.#runId = runId
    this.#runs = runs
    this.#logger = logger
    this.#cwd = cwd
    this.#command = journalExistsCommand(paths)
  }

  /**
   * One round: a probe and, where it finds nothing, a look at the run's record. A probe that fails
   * says nothing of the journal, so the store isn't asked on its account.
   *
   * @param {Span} span
   * @returns {Promise<boolean>}
   * @throws {JournalAttachUnavailableError}
   */
  async isThere(span) {
    const answer = await span.within(() => runCommand(this.#handle, this.#command, this.#cwd))
    if (answer === undefined) return false
    if ('error' in answer) {
      this.#probeProblem = `; the last probe failed: ${answer.error}`
      this.#warnOnce('the probe for the journal failed', answer.error)
      return false
    }
    this.#probeProblem = ''
    if (answer.exitCode === 0) return true
    return this.#runs ? this.#isThereByRecord(span) : false
  }

  /** @param {number} waitMs */
  timeoutError(waitMs) {
    const record = this.#runs ? wordsFor(this.#record) : 'no run store was given'
    return this.#error(
      'journal-timeout',
      `no journal at ${this.#paths.journal} after ${waitMs} ms; ${record}${this.#probeProblem}`,
    )
  }

  async #isThereByRecord(span) {
    const before = this.#record
    const record = await span.within(() => lookUpRun(this.#runs, this.#runId))
    if (record === undefined) return false
    this.#record = record
    if (record.kind === 'no-answer') this.#warnOnce('the run store failed', record.message)
    if (record.kind === 'unknown') throw this.#absent('unknown-run')
    if (!record.isTerminal) return false
    // It ended while we waited, so it may have begun its journal since the probe: one more decides.
    if (before !== undefined && !before.isTerminal) return this.isThere(span)
    throw this.#absent('terminal-run')
  }

  #absent(reason) {
    return this.#error(reason, `no journal at ${this.#paths.journal}; ${wordsFor(this.#record)}`)
  }

  #error(reason, detail) {
    return new JournalAttachUnavailableError({ runId: this.#runId, reason, detail })
  }

  #warnOnce(what, message) {
    if (this.#warned.has(what)) return
    this.#warned.add(what)
    warn(this.#logger, `attach-preflight: ${what}: ${message}`, { runId: this.#runId })
  }
}

/** @param {import('./run-record.js').RunRecord | undefined} record */
function wordsFor(record) {
  switch (record?.kind) {
    case 'unknown':
      return 'the run store has no record of the run'
    case 'recorded':
      return typeof record.status === 'string'
        ? `the run is recorded as ${record.status}`
        : 'the record of the run has no status'
    case 'no-answer':
      return `the run store failed: ${record.message}`
    default:
      return 'the run store gave no answer'
  }
}
