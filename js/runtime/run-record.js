/** What the caller's run store knows of a run. */

import { messageOf } from './message-of.js'

/** The statuses of a run that will write nothing more. */
const TERMINAL_STATUSES = new Set(['completed', 'failed', 'aborted'])

/**
 * @typedef {{ kind: 'unknown' }
 *   | { kind: 'recorded', status: unknown, isTerminal: boolean }
 *   | { kind: 'no-answer', message: string }} RunRecord
 */

/**
 * Asks the store for a run. Never rejects: a store that throws or rejects is no answer.
 *
 * @param {{ get(runId: string): unknown }} runs
 * @param {string} runId
 * @returns {Promise<RunRecord>}
 */
export async function lookUpRun(runs, runId) {
  try {
    const record = await runs.get(runId)
    // A store on a Map says undefined for what it doesn't have.
    if (record === null || record === undefined) return { kind: 'unknown' }
    const { status } = record
    return { kind: 'recorded', status, isTerminal: TERMINAL_STATUSES.has(status) }
  } catch (error) {
    return { kind: 'no-answer', message: messageOf(error) }
  }
}
