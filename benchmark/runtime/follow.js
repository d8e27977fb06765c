/**
 * How soon a followed run's events arrive, and whether the event loop stays free meanwhile:
 *
 *     node benchmark/runtime/follow.js [--runs 1,200] [--seconds 10] [--rate 100]
 *
 * One process follows all runs through a local sandbox, each by a `tail` of its own. Another process
 * appends `rate` lines a second to each journal, one at a time and not to all at once. Latency is the
 * time from just before the write to the event in the reader's loop. The delay of the loop is what
 * `perf_hooks.monitorEventLoopDelay` says at a resolution of 1 ms, which an idle loop has too: its
 * row is the first one.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { exitSentinelLine, journalPaths, readJournalNdjson } from '../../api/native.js'
import { createLocalSandbox } from '../../examples/local-sandbox/index.js'
import { Meter, now } from './meter.js'

/** Nothing is measured at first: tails start, and code gets compiled. */
const WARM_UP_SECONDS = 2
const LINE_BYTES = 270
const READY_MS = 60_000
/** Below that, the figures are those of a machine that can't keep up. */
const LEAST_SHARE = 0.95

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1,200' },
    seconds: { type: 'string', default: '10' },
    rate: { type: 'string', default: '100' },
    writer: { type: 'string' },
  },
})

if (values.writer !== undefined) await write(JSON.parse(values.writer))
else await main()

async function main() {
  const seconds = Number(values.seconds)
  const rate = Number(values.rate)
  console.log(
    `Node ${process.versions.node}, ${rate} lines of ${LINE_BYTES} bytes a second a run\n`,
  )
  console.log(row(['runs', 'events', 'p50', 'p99', 'max', 'loop p50', 'p99', 'max', 'CPU']))
  console.log(row(await measureIdle()))
  const limit = tailLimit()
  for (const runs of values.runs.split(',').map(Number)) {
    if (runs > limit)
      console.log(`(${runs - limit} or more tails look once a second: see the README)`)
    console.log(row(await measure({ runs, seconds, rate })))
  }
  console.log('\nLatency and delay of the loop in milliseconds; CPU of the reading process.')
}

/** How many tails of GNU a user may have on Linux that are told at once of what was written. */
function tailLimit() {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_user_instances', 'utf8'))
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

async function measureIdle() {
  const meter = new Meter()
  meter.start()
  await sleep(2000)
  return ['idle', ...meter.stop()]
}

async function measure({ runs, seconds, rate }) {
  const sandbox = await createLocalSandbox()
  const dir = mkdtempSync(join(tmpdir(), 'follow-'))
  const meter = new Meter()
  try {
    const runIds = Array.from({ length: runs }, (_, index) => `run-${index}`)
    let ready = 0
    const follow = async (runId) => {
      let next = 0
      // Each journal gets a first line when its tail is there, or soon after.
      const journal = { runId, dir, attachWaitMs: READY_MS }
      for await (const { seq, at } of readJournalNdjson(sandbox, { journal })) {
        if (seq !== next) throw new Error(`${runId}: event ${seq} in place of ${next}`)
        next += 1
        if (seq === 0) ready += 1
        else meter.saw(at)
      }
      return next
    }
    const following = Promise.all(runIds.map(follow))
    const task = { dir, runIds, rate, seconds: seconds + WARM_UP_SECONDS }
    const writer = startWriter(task)
    while (ready < runs) await Promise.race([sleep(10), following])
    writer.stdin.end('go\n')
    await sleep(WARM_UP_SECONDS * 1000)
    meter.start()
    await sleep(seconds * 1000)
    const figures = meter.stop()
    const due = runs * rate * seconds
    if (figures[0] < LEAST_SHARE * due) {
      console.log(`(${figures[0]} of ${due} events in time: the machine was too busy)`)
    }
    const counts = await following
    const expected = 1 + rate * task.seconds
    if (counts.some((count) => count !== expected)) throw new Error('events are missing')
    return [runs, ...figures]
  } finally {
    await sandbox.destroy()
    rmSync(dir, { recursive: true, force: true })
  }
}

function startWriter(task) {
  const file = fileURLToPath(import.meta.url)
  const writer = spawn(process.execPath, [file, '--writer', JSON.stringify(task)], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  writer.once('exit', (code) => {
    if (code !== 0) throw new Error(`the writer ended with exit code ${code}`)
  })
  return writer
}

/** The writer's process: in each millisecond the runs whose turn it is get a line. */
async function write({ dir, runIds, rate, seconds }) {
  const journals = runIds.map((runId) => {
    const paths = journalPaths(runId, dir)
    return { paths, fd: openSync(paths.journal, 'a'), seq: 0 }
  })
  for (const journal of journals) append(journal)
  await once(process.stdin.resume(), 'end')
  const started = now()
  const gapMs = 1000 / rate
  for (let step = 0; step < rate * seconds; step += 1) {
    for (const [index, journal] of journals.entries()) {
      const due = started + (step + index / journals.length) * gapMs
      while (now() < due) await sleep(1)
      append(journal)
    }
  }
  for (const { paths, fd } of journals) {
    writeSync(fd, `${exitSentinelLine(paths, 0)}\n`)
    closeSync(fd)
  }
}

function append(journal) {
  const event = `{"seq":${journal.seq},"at":${now()},"text":"`
  journal.seq += 1
  writeSync(journal.fd, `${event.padEnd(LINE_BYTES - 3, 'x')}"}\n`)
}

function row(cells) {
  return cells.map((cell) => String(cell).padStart(9)).join('')
}
