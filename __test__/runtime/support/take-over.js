/** A reader that is killed in mid-run, and another process that takes over. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseExitSentinel, startJournaledAgent } from '../../../api/native.js'
import { eventsUpTo } from './agent-events.js'
import { linesOfFile, prepareRun } from './real.js'

const READER = fileURLToPath(new URL('../fixtures/reader.js', import.meta.url))
const LEAST_EVENTS = 10
/** The second reader gets that many before the agent ends, so it has read live too. */
const LIVE_LINES = 3

/**
 * Starts an agent, kills its reader with SIGKILL behind `killAfter` lines, and lets a second
 * process read on from the position that the first one printed last.
 *
 * @param {Awaited<ReturnType<typeof import('./real.js').openJournals>>} journals
 * @param {{ runId: string, strategy: string, killAfter: number }} options
 */
export async function takeOver(journals, { runId, strategy, killAfter }) {
  const { sandbox, dir } = journals
  const run = prepareRun(dir, runId, { least: LEAST_EVENTS })
  await startJournaledAgent(sandbox, run.command, { journal: run.journal })
  const startReader = (fromByte) => new ReaderProcess({ journals, run, strategy, fromByte })

  const first = startReader(0)
  await first.printed(killAfter)
  first.kill()
  const firstEnd = await first.ended
  const wasOver = (await linesOfFile(run.paths.journal)).some((each) => isSentinel(each, run))

  const stored = first.lines.at(-1)?.endPosition ?? 0
  const second = startReader(stored)
  await second.printed(LIVE_LINES)
  run.stop()
  return {
    firstEnd,
    secondEnd: await second.ended,
    /** Whether the agent had ended before its reader did. */
    wasOver,
    /** How many lines each of the two delivered. */
    counts: [first.lines.length, second.lines.length],
    lines: [...first.lines, ...second.lines],
    expected: await linesOfFile(run.paths.journal),
    stderr: first.stderr + second.stderr,
  }
}

/** What is wrong with a take-over: an empty list, if nothing is. */
export function faultsOf({ firstEnd, secondEnd, wasOver, lines, expected, stderr }) {
  const faults = []
  if (firstEnd.signal !== 'SIGKILL') faults.push(`the first reader ended: ${show(firstEnd)}`)
  if (secondEnd.code !== 0) faults.push(`the second reader ended: ${show(secondEnd)}`)
  if (wasOver) faults.push('the agent had ended before its reader was killed')
  if (stderr !== '') faults.push(`the readers complained: ${stderr}`)
  if (show(lines) !== show(expected)) faults.push('the two readings are not the journal')
  const events = lines.slice(0, -1).map(({ line }) => line)
  const printed = eventsUpTo(events.length).map(show)
  if (show(events) !== show(printed)) faults.push('the two readings are not what was printed')
  return faults
}

class ReaderProcess {
  /** What was printed whole. */
  lines = []
  stderr = ''
  #child
  #rest = ''
  #wake = () => {}
  #isOver = false

  constructor({ journals, run, strategy, fromByte }) {
    const { sandboxOptions } = journals
    const options = { sandboxOptions, paths: run.paths, strategy, fromByte }
    this.#child = spawn(process.execPath, [READER, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: '' },
    })
    this.#child.stdout.setEncoding('utf8').on('data', (text) => this.#take(text))
    this.#child.stderr.setEncoding('utf8').on('data', (text) => (this.stderr += text))
    this.ended = once(this.#child, 'close').then(([code, signal]) => {
      this.#isOver = true
      this.#wake()
      return { code, signal }
    })
  }

  /** Waits until that many lines were printed, or for the end. */
  async printed(count) {
    while (this.lines.length < count && !this.#isOver) {
      await new Promise((resolve) => {
        this.#wake = resolve
      })
    }
  }

  kill() {
    this.#child.kill('SIGKILL')
  }

  #take(text) {
    const pieces = (this.#rest + text).split('\n')
    this.#rest = pieces.pop()
    this.lines.push(...pieces.map((piece) => JSON.parse(piece)))
    this.#wake()
  }
}

function isSentinel({ line }, { paths }) {
  return parseExitSentinel(line, paths) !== null
}

function show(value) {
  return JSON.stringify(value)
}
