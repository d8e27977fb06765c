/** Longer ones fire at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1

/** A delay that a timer keeps: about 24.8 days at most. */
export function timerDelay(ms) {
  return Math.min(ms, LONGEST_DELAY_MS)
}
