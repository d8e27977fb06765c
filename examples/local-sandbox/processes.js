/** The commands of the sandbox: child processes, each the head of a process group. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { hostPath, WORKSPACE } from './workspace-path.js'

/** @implements {SandboxProcess} */
export class LocalProcesses {
  #folder
  #shell
  #env
  /** The jobs that run: how to kill each, and when it has ended. */
  #jobs = new Map()

  constructor({ folder, shell, env }) {
    this.#folder = folder
    this.#shell = shell
    this.#env = { ...env }
  }

  /** Variables for all later commands. */
  setVariables(variables) {
    Object.assign(this.#env, variables)
  }

  /** Runs a command to its end, which is when nobody can write to its output any more. */
  async exec(command, options = {}) {
    options.signal?.throwIfAborted()
    const child = this.#start(command, options, 'ignore')
    const output = Promise.all([textOf(child.stdout), textOf(child.stderr)])
    const exit = exitCodeOf(child)
    const [exitCode, [stdout, stderr]] = await Promise.all([exit, output])
    return { exitCode, stdout, stderr }
  }

  /** Starts a command in the background. */
  async spawn(command, options = {}) {
    options.signal?.throwIfAborted()
    const child = this.#start(command, options, 'pipe')
    const exit = exitCodeOf(child)
    await started(child, exit)
    const kill = async (signal = 'SIGTERM') => killGroup(child, signal)
    this.#jobs.set(kill, exit)
    exit.finally(() => this.#jobs.delete(kill)).catch(() => undefined)
    return {
      pid: child.pid,
      stdout: child.stdout.setEncoding('utf8'),
      stderr: child.stderr.setEncoding('utf8'),
      stdin: inputOf(child.stdin),
      wait: () => exit,
      kill,
    }
  }

  /** Kills the jobs that still run, and waits for their end. */
  async killAll() {
    await Promise.all(
      [...this.#jobs].map(async ([kill, exit]) => {
        await kill('SIGKILL')
        await exit
      }),
    )
  }

  #start(command, { cwd = WORKSPACE, env, signal }, stdin) {
    const [program, ...args] = this.#shell
    const child = spawn(program, [...args, '-c', command], {
      cwd: this.#workingFolder(cwd),
      env: { ...process.env, SHLVL: shellLevel(), ...this.#env, ...env },
      // A process group of its own, so that what the command starts can be killed with it.
      detached: true,
      stdio: [stdin, 'pipe', 'pipe'],
    })
    const onAbort = () => killGroup(child, 'SIGKILL')
    signal?.addEventListener('abort', onAbort)
    child.once('close', () => signal?.removeEventListener('abort', onAbort))
    return child
  }

  /** Node blames the shell when the folder is missing. */
  #workingFolder(cwd) {
    const folder = hostPath(this.#folder, cwd)
    if (folder !== undefined && existsSync(folder)) return folder
    throw Object.assign(new Error(`ENOENT: no folder ${cwd} in the sandbox`), { code: 'ENOENT' })
  }
}

/**
 * At the first level bash takes a socket, which the input of a job is, for a login from afar and reads
 * its user's `.bashrc`: what that prints, or waits for, is not the command's.
 */
function shellLevel() {
  return String(Math.max(1, Number(process.env.SHLVL) || 0))
}

/** Settles when the process has ended: its code, or 128 and the number of the signal. */
function exitCodeOf(child) {
  const exit = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
  // Who spawns may never wait.
  exit.catch(() => undefined)
  return exit
}

async function started(child, exit) {
  if (child.pid === undefined) await exit
}

async function textOf(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function inputOf(stream) {
  // A command may end without reading: the promise of the write tells.
  stream.on('error', () => undefined)
  return {
    write: (data) =>
      new Promise((resolve, reject) => {
        stream.write(data, (error) => (error ? reject(error) : resolve()))
      }),
    end: () =>
      new Promise((resolve) => {
        // Node calls nobody back when the stream was destroyed before.
        if (stream.destroyed) resolve()
        else stream.end(() => resolve())
      }),
  }
}

function killGroup({ pid }, signal) {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // Nobody of the group is left.
    if (error.code !== 'ESRCH') throw error
  }
}
