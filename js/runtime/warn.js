/**
 * Tells the caller's logger, which changes nothing of what happens: not by being absent, not by
 * throwing, not by a promise that rejects.
 *
 * @param {{ warn(message: string, meta?: Record<string, unknown>): unknown } | undefined} logger
 * @param {string} message
 * @param {Record<string, unknown>} meta
 */
export function warn(logger, message, meta) {
  try {
    Promise.resolve(logger?.warn(message, meta)).catch(() => undefined)
  } catch {
    // The logger's own problem.
  }
}
