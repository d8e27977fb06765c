/**
 * Small real projects: the folders in `projects/`, with the tools that their lock files name and the
 * package from its tarballs.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, inject } from 'vitest'
import { npmCommand } from '../../../scripts/lib/run.js'
import { root } from '../../packaging/support/app.js'
import { CACHE } from './tarballs.js'

const PROJECTS = fileURLToPath(new URL('../projects', import.meta.url))
const STEP_LIMIT_MS = 110_000
const INSTALL_LIMIT_MS = 240_000

/** What every project must print. */
export const EXPECTED = JSON.parse(readFileSync(join(PROJECTS, 'shared/expected.json'), 'utf8'))

/**
 * Makes a project ready before the tests of this file.
 *
 * @param {string} name - A folder in `projects/`.
 * @returns {Project}
 */
export function useProject(name) {
  const project = new Project(join(CACHE, name))
  beforeAll(async () => {
    copySources(name, project.folder)
    await installTools(project)
    await installPackage(project)
  })
  return project
}

/** A project in its folder, where it is built and run. */
export class Project {
  constructor(folder) {
    this.folder = folder
  }

  /** Runs a script of the project's package.json; it must succeed. */
  script(name) {
    return this.succeed(...npmCommand(['run', '--silent', name]))
  }

  /** Runs a file of the project with this Node, and gives the JSON that it prints. */
  async node(...args) {
    return JSON.parse(await this.succeed(process.execPath, args))
  }

  /** Runs a program, which must succeed, and gives what it wrote on stdout. */
  async succeed(command, args, options) {
    const { code, stdout, stderr } = await this.run(command, args, options)
    if (code === 0) return stdout
    throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  }

  /** Runs a program to its end, or to the limit, where it and its children are killed. */
  async run(command, args, { limitMs = STEP_LIMIT_MS } = {}) {
    const child = this.start(command, args)
    const limit = setTimeout(() => child.stop(), limitMs)
    const code = await child.ended
    clearTimeout(limit)
    return { code: code ?? `the limit of ${limitMs} ms`, ...child.output }
  }

  /** Starts a program in a group of its own, so that all it starts can be stopped with it. */
  start(command, args) {
    const process = spawn(command, args, {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: globalThis.process.platform !== 'win32',
      env: cleanEnvironment(),
    })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr']) {
      process[name].setEncoding('utf8').on('data', (text) => {
        output[name] += text
      })
    }
    return {
      output,
      ended: once(process, 'close').then(([code]) => code),
      stop: () => stopGroup(process),
    }
  }
}

/** What is set here for this run's own tools must not reach those of the projects. */
function cleanEnvironment() {
  const { NODE_OPTIONS, AI_SANDBOX_NATIVE_LIBRARY, VITEST, NODE_ENV, ...env } = process.env
  const kept = Object.entries(env).filter(([name]) => !/^(VITEST|JEST)_/.test(name))
  return { ...Object.fromEntries(kept), NO_COLOR: '1', CI: '1', NEXT_TELEMETRY_DISABLED: '1' }
}

function stopGroup({ pid, exitCode, signalCode }) {
  if (exitCode !== null || signalCode !== null) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** All but node_modules is made anew, so that nothing of an earlier run is taken for this one's. */
function copySources(name, folder) {
  mkdirSync(folder, { recursive: true })
  for (const entry of readdirSync(folder)) {
    if (entry === 'node_modules' || entry.startsWith('.tools-')) continue
    rmSync(join(folder, entry), { recursive: true })
  }
  cpSync(join(PROJECTS, name), folder, { recursive: true })
  cpSync(join(PROJECTS, 'shared'), join(folder, 'src'), { recursive: true })
  cpSync(join(root, 'examples/local-sandbox'), join(folder, 'src/local-sandbox'), {
    recursive: true,
  })
}

/** Installs what the lock file names, unless it is there. */
async function installTools(project) {
  const lock = readFileSync(join(project.folder, 'package-lock.json'), 'utf8')
  const stamp = join(project.folder, '.tools-installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  rmSync(stamp, { force: true })
  await npmIn(project, ['ci', '--include=dev'])
  writeFileSync(stamp, lock)
}

/** Installs both tarballs as a user does; a package of an earlier run must not stay in their place. */
async function installPackage(project) {
  const modules = join(project.folder, 'node_modules')
  // A project without tools has none yet.
  mkdirSync(modules, { recursive: true })
  for (const name of readdirSync(modules)) {
    if (!name.startsWith('ai-sandbox-native')) continue
    rmSync(join(modules, name), { recursive: true })
  }
  await npmIn(project, ['install', '--no-save', '--prefer-offline', ...inject('tarballs')])
}

function npmIn(project, args) {
  const [command, all] = npmCommand([...args, '--no-audit', '--no-fund', '--loglevel=error'])
  return project.succeed(command, all, { limitMs: INSTALL_LIMIT_MS })
}
