/** Is there a journal to attach to? Asked before a read that would otherwise wait in vain. */

/**
 * @typedef {'unknown-run' | 'terminal-run' | 'journal-timeout' | 'journal-stalled'} UnavailableReason
 */

/** A run can't be attached to, and `reason` says why. */
export class JournalAttachUnavailableError extends Error {
  /** @param {{ runId: string, reason: UnavailableReason, detail: string }} options */
  constructor({ runId, reason, detail }) {
    super(`cannot attach to run ${runId}: ${detail}`)
    this.name = 'JournalAttachUnavailableError'
    this.runId = runId
    this.reason = reason
  }
}
