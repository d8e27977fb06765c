/**
 * The speed that the workspace backend is to show, one row each: the worst of all cases that the
 * sentence is about, against what is wanted.
 */

const MB = 1e6
const MIB = 2 ** 20

/**
 * @typedef {{ what: string, wanted: string, measured: string, where: string,
 *   result: 'met' | 'SHORT' | 'not measured' }} Verdict
 */

/** @returns {Verdict[]} */
export function judge({ cases, singles }) {
  const judged = cases.filter(({ isJudged, timings }) => isJudged && timings?.native)
  const ofMode = (mode) => judged.filter((row) => row.mode === mode)
  const memory = singles.filter(({ child, task }) => child === 'memory' && isNative(task))
  const output = singles.filter(({ child, task }) => child === 'output' && isNative(task))
  return [
    ...['one at a time', 'at once'].flatMap((mode) => [
      atMost(`µs a provider call, files, ${mode}`, 1.5, files(ofMode(mode)), nativeUs),
      atMost(
        `µs above the bare call, exec, ${mode}`,
        1.5,
        commands(ofMode(mode)),
        nativeUsAboveFloor,
      ),
      atMost(`times plain JavaScript, ${mode}`, 4, withPort(ofMode(mode)), ratioToPort),
    ]),
    atMost('provider calls beyond those of the original', 0, counted(cases), extraCalls, 0),
    atMost(
      'MB of heap more after 100,000 operations',
      1,
      memory,
      ({ heapBytes }) => heapBytes / MB,
    ),
    atMost(
      'MB resident more after 100,000 operations',
      20,
      memory,
      ({ rssBytes }) => rssBytes / MB,
    ),
    atMost('MiB kept of 1 GB of output', 1, output, ({ outputBytes }) => outputBytes / MIB),
    atMost(
      'MB above the start at 1 GB of output',
      100,
      output,
      ({ extraBytes }) => extraBytes / MB,
    ),
  ]
}

/** Microseconds for one call of the sandbox, the backend's work included. */
export function usPerCall({ timings, count, calls }, name) {
  return timings[name] && (timings[name].medianMs * 1000) / (count * calls)
}

function files(rows) {
  return rows.filter(({ task }) => !isExec(task))
}

/** `exec` has to make an `AbortController`, which alone takes longer; so does the bare call. */
function commands(rows) {
  return rows.filter(({ task, timings }) => isExec(task) && timings.floor)
}

function isExec({ id }) {
  return id.startsWith('exec')
}

function nativeUs(row) {
  return usPerCall(row, 'native')
}

function nativeUsAboveFloor(row) {
  return usPerCall(row, 'native') - usPerCall(row, 'floor')
}

function ratioToPort({ timings }) {
  return timings.native.medianMs / timings.port.medianMs
}

function withPort(rows) {
  return rows.filter(({ timings }) => timings.port)
}

function counted(cases) {
  return cases.filter(({ providerCalls }) => providerCalls?.native !== undefined)
}

/** The port makes the calls of the original, which the children check. */
function extraCalls({ providerCalls, calls }) {
  return providerCalls.native - calls
}

function isNative({ contender }) {
  return contender === 'native'
}

function atMost(what, limit, rows, measure, digits = 2) {
  const wanted = `<= ${limit}`
  if (rows.length === 0) return { what, wanted, measured: '-', where: '', result: 'not measured' }
  const values = rows.map((row) => ({ value: measure(row), where: row.name }))
  const worst = values.reduce((one, other) => (other.value > one.value ? other : one))
  return {
    what,
    wanted,
    measured: worst.value.toFixed(digits),
    where: worst.where,
    result: worst.value <= limit ? 'met' : 'SHORT',
  }
}
