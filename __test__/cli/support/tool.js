/** Runs the real program as a child process: in pipes, in a shell, on a pseudo-terminal. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RUNTIME } from '../../support/runtime.js'

const LIMIT_MS = 50_000
/** What tests in a shell go through, with the usual tools of GNU. */
const PROGRAMS = ['bash', 'script', 'mkfifo']

export const program = fileURLToPath(new URL('../../../bin/ai-sandbox-native.js', import.meta.url))

/** In CI a missing program is an error: with a test less they would prove less. */
export const hasShell =
  process.platform === 'linux' && (process.env.CI !== undefined || PROGRAMS.every(isInstalled))

/**
 * What decides on colour is what a test says, not what the machine's environment says. CI stays:
 * it must not give colour to a pipe.
 */
const cleanEnv = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '', CI: 'true', TERM: 'xterm' }
delete cleanEnv.FORCE_COLOR

/**
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, cwd?: string }} [options]
 */
export async function runTool(args, options) {
  return outcomeOf(startTool(args, options))
}

/** The same, under way: to be written beside, watched and stopped. */
export function startTool(args, { env = {}, cwd } = {}) {
  return start(process.execPath, [program, ...args], { env, cwd })
}

/**
 * Runs a line of bash in which `$TOOL` starts the program, `$NODE` this Node. Where there is one:
 * {@link hasShell}.
 *
 * @param {string} command
 * @param {{ env?: Record<string, string>, cwd?: string }} [options]
 */
export async function runShell(command, { env = {}, cwd } = {}) {
  const TOOL = [...RUNTIME, program].join(' ')
  return outcomeOf(
    start('bash', ['-c', command], { env: { TOOL, NODE: process.execPath, ...env }, cwd }),
  )
}

/**
 * The same with a terminal of 80 columns on stdout and stderr, which arrive as one in `stdout`, with
 * the line ends of a terminal.
 */
export function runOnTerminal(command, options) {
  const inner = `stty cols 80; ${command}`
  return runShell(`script -qec ${quote(inner)} /dev/null`, options)
}

/** What a process that `startTool` started has come to. */
export async function outcomeOf(child) {
  const [code, signal] = await once(child, 'close')
  return { code, signal, stdout: child.text.stdout, stderr: child.text.stderr }
}

/** Waits until what came on stdout or stderr has `text` in it. */
export async function waitForOutput(child, text, stream = 'stdout') {
  const deadline = performance.now() + LIMIT_MS
  while (!child.text[stream].includes(text)) {
    if (performance.now() > deadline) throw new Error(`no ${JSON.stringify(text)} on ${stream}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A folder for one test file, and files in it. */
export function makeFolder() {
  const path = mkdtempSync(join(tmpdir(), 'cli-test-'))
  return {
    path,
    /** @param {string | Uint8Array} content */
    write(name, content) {
      writeFileSync(join(path, name), content)
      return join(path, name)
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

function isInstalled(name) {
  return process.env.PATH.split(delimiter).some((path) => existsSync(join(path, name)))
}

function start(command, args, { env, cwd }) {
  const child = spawn(command, args, {
    cwd,
    env: { ...cleanEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  })
  child.text = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr']) {
    child[stream].setEncoding('utf8').on('data', (text) => {
      child.text[stream] += text
    })
  }
  return child
}

function quote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}
