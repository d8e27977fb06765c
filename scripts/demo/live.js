/**
 * The first part of the demo: an agent runs in a local sandbox and prints to a journal; its reader
 * dies in mid-run, and another process takes over.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  journalCleanupCommand,
  journaledCommand,
  journalFollowCommand,
  journalPaths,
  parseExitSentinel,
  startJournaledAgent,
} from '../../api/native.js'
import { createLocalSandbox } from '../../examples/local-sandbox/index.js'
import { dim, green, note, red } from '../lib/output.js'
import { Digest, expectedDigest } from './digest.js'
import { count, nextStep, showDigest, verdict } from './show.js'

const RUN_ID = 'demo-run'
const DIR = 'runs'
const CWD = '/workspace'
const AGENT = fileURLToPath(new URL('agent.js', import.meta.url))
const READER = fileURLToPath(new URL('live-reader.js', import.meta.url))
const paths = journalPaths(RUN_ID, DIR)

/** The first reader dies behind so many events. */
const EVENTS_BEFORE_KILL = 7
/** How long the agent then goes on with nobody reading. */
const UNREAD_MS = 700
/** A reader that gets nothing for so long gives up: a demo must end. */
const IDLE_MS = 15_000
const SHOWN_CHARACTERS = 70

/**
 * @returns {Promise<boolean>} Whether all that was to be shown was shown.
 */
export async function runLiveDemo() {
  const sandbox = await createLocalSandbox({ pathPrefix: [dirname(process.execPath)] })
  try {
    await sandbox.fs.write(`${CWD}/agent.mjs`, await readFile(AGENT, 'utf8'))
    const digest = new Digest()
    await startStep(sandbox)
    await killStep(sandbox, digest)
    await takeOverStep(sandbox, digest)
    return await proofStep(sandbox, digest)
  } finally {
    await sandbox.destroy()
  }
}

async function startStep(sandbox) {
  nextStep('An agent runs, and prints to a journal')
  const command = 'node agent.mjs'
  console.log(dim(`$ ${journaledCommand(command, paths)}`))
  const journal = { runId: RUN_ID, dir: DIR }
  await startJournaledAgent(sandbox, command, { cwd: CWD, journal })
  note('Nobody waits for it: it goes on without a reader.')
}

async function killStep(sandbox, digest) {
  nextStep('A reader follows it, and is killed in mid-run')
  const reader = new Reader(sandbox, 0)
  for await (const journalLine of reader) {
    digest.add(journalLine)
    showEvent(journalLine)
    if (digest.lines === EVENTS_BEFORE_KILL) {
      await reader.kill()
      break
    }
  }
  const { position } = digest
  console.log(`Reader ${reader.pid} got a SIGKILL; what is stored of it: endPosition ${position}.`)
  await sleep(UNREAD_MS)
  const { size } = await stat(join(sandbox.folder, paths.journal))
  console.log(`Nobody reads. The agent goes on: its journal has ${count(size)} bytes by now.`)
}

async function takeOverStep(sandbox, digest) {
  nextStep('Another process takes over')
  const reader = new Reader(sandbox, digest.position)
  for await (const journalLine of reader) {
    digest.add(journalLine)
    showEvent(journalLine)
  }
  console.log(`Reader ${reader.pid} has come to the exit sentinel, and ended.`)
}

async function proofStep(sandbox, digest) {
  const expected = expectedDigest(await readFile(join(sandbox.folder, paths.journal)))
  showDigest('journal', expected)
  showDigest('readers', digest)
  const isSame = verdict(
    digest,
    expected,
    'Two processes, one of which was killed, have read the whole run: nothing lost, none twice.',
  )
  const cleanup = journalCleanupCommand(paths)
  console.log(dim(`$ ${cleanup}`))
  const { exitCode } = await sandbox.process.exec(cleanup, { cwd: CWD })
  if (exitCode !== 0) console.log(red(`  The cleanup ended with exit code ${exitCode}.`))
  return isSame && exitCode === 0
}

function showEvent({ line, endPosition }) {
  const at = dim(`byte ${String(endPosition).padStart(5)}`)
  const exitCode = parseExitSentinel(line, paths)
  if (exitCode !== null) {
    console.log(`  ${at}  ${green(`exit ${exitCode}`)}`)
    return
  }
  const { type, ...rest } = JSON.parse(line)
  const text = Object.values(rest).map(String).join(' · ').replaceAll('\n', ' ⏎ ')
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
  console.log(`  ${at}  ${type.padEnd(7)} ${shown}`)
}

/** A reader process: an async iterable of the journal lines that it hands over. */
class Reader {
  #child

  constructor({ folder }, fromByte) {
    const options = { folder, runId: RUN_ID, dir: DIR, cwd: CWD, fromByte }
    this.#child = spawn(process.execPath, [READER, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    console.log(dim(`$ node ${basename(READER)}   (process ${this.pid})`))
    note('In the sandbox it runs:')
    console.log(dim(`$ ${journalFollowCommand(paths, fromByte)}`))
  }

  get pid() {
    return this.#child.pid
  }

  async kill() {
    this.#child.kill('SIGKILL')
    if (this.#child.signalCode === null) await once(this.#child, 'exit')
  }

  async *[Symbol.asyncIterator]() {
    const child = this.#child
    const ended = once(child, 'close')
    const idle = setTimeout(() => child.kill('SIGKILL'), IDLE_MS)
    try {
      let rest = ''
      for await (const text of child.stdout.setEncoding('utf8')) {
        idle.refresh()
        const pieces = (rest + text).split('\n')
        rest = pieces.pop()
        for (const piece of pieces) yield JSON.parse(piece)
      }
      const [code, signal] = await ended
      if (code !== 0) throw new Error(`reader ${this.pid} ended with ${signal ?? `code ${code}`}`)
    } finally {
      clearTimeout(idle)
    }
  }
}
