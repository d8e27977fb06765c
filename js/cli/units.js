/** Numbers for people. */

const STEPS = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
]

/** `1.5 MB` @param {number} bytes */
export function formatBytes(bytes) {
  for (const [size, unit] of STEPS) {
    if (bytes >= size) return `${(bytes / size).toFixed(1)} ${unit}`
  }
  return `${bytes} B`
}

/** `1,234,567` @param {number} count */
export function formatCount(count) {
  return count.toLocaleString('en-US')
}

/** Three significant digits at least: `0.0123`, `1.23`, `123`, `1,234`. @param {number} value */
export function formatFigure(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toPrecision(3)
}
