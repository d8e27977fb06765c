/**
 * An option that is a number: `NaN`, which a timer takes for no time at all, and what is no number
 * count as not given.
 */
export function numberOr(value, fallback) {
  return typeof value === 'number' && !Number.isNaN(value) ? value : fallback
}
