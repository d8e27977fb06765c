/**
 * Timing: warm-up, then rounds in which every runner has its turn, so that a slow minute of the
 * machine slows all of them.
 */

const WARM_UP_MS = 250
const MIN_ROUNDS = 5
const SLOW_ROUNDS = 3

/**
 * @typedef {{ name: string, run: () => Promise<unknown>, slow?: boolean }} Runner - `slow`: not
 *   warmed up for long, and in the first rounds only.
 * @typedef {{ medianMs: number, minMs: number, maxMs: number, lowMs: number, highMs: number,
 *   rounds: number, runs: number }} Timing - `lowMs` to `highMs`: the middle half of the samples.
 */

/**
 * @param {Runner[]} runners
 * @param {{ rounds: number, sampleMs: number, budgetMs: number }} plan - At most `rounds`, fewer
 *   (but no less than 5) when `budgetMs` is spent. A sample repeats a short run until it takes
 *   `sampleMs`.
 * @returns {Promise<Record<string, Timing>>} Milliseconds for one run.
 */
export async function measureInterleaved(runners, { rounds, sampleMs, budgetMs }) {
  const entries = []
  for (const runner of runners) entries.push(await warmUp(runner, sampleMs))
  const start = performance.now()
  for (let round = 0; round < rounds; round += 1) {
    if (round >= MIN_ROUNDS && performance.now() - start > budgetMs) break
    for (const entry of rotate(entries, round)) {
      if (entry.slow && round >= SLOW_ROUNDS) continue
      entry.samples.push(await sample(entry))
    }
  }
  return Object.fromEntries(entries.map((entry) => [entry.name, summarize(entry)]))
}

/** The middle value. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Collects garbage where Node was started with --expose-gc. */
export function collectGarbage() {
  globalThis.gc?.()
}

async function warmUp(runner, sampleMs) {
  const start = performance.now()
  let fastest = Number.POSITIVE_INFINITY
  do {
    const before = performance.now()
    await runner.run()
    fastest = Math.min(fastest, performance.now() - before)
  } while (!runner.slow && performance.now() - start < WARM_UP_MS)
  const runs = Math.max(1, Math.ceil(sampleMs / fastest))
  return { ...runner, runs: runner.slow ? 1 : runs, samples: [] }
}

/** Another's garbage is collected first, outside the time; what a run leaves, within its runs. */
async function sample({ run, runs }) {
  collectGarbage()
  const start = performance.now()
  for (let left = runs; left > 0; left -= 1) await run()
  return (performance.now() - start) / runs
}

function rotate(list, by) {
  const at = by % list.length
  return [...list.slice(at), ...list.slice(0, at)]
}

function summarize({ samples, runs }) {
  const sorted = samples.toSorted((a, b) => a - b)
  const quarter = Math.floor((sorted.length - 1) / 4)
  return {
    lowMs: sorted[quarter],
    highMs: sorted[sorted.length - 1 - quarter],
    medianMs: median(samples),
    minMs: Math.min(...samples),
    maxMs: Math.max(...samples),
    rounds: samples.length,
    runs,
  }
}
