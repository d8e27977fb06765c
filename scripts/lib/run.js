/**
 * Runs other programs in the foreground, with a sign of life while they are silent.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { note } from './output.js'

/** The root of the checkout. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const HEARTBEAT_MS = 15_000

/**
 * Runs a program with this process's own input and output, and resolves to its exit code (128 and
 * more for a signal, as a shell tells it).
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, label?: string }} [options] - With a label, a line every 15
 *   seconds says that it still runs.
 * @returns {Promise<number>}
 */
export function run(command, args, { env, label } = {}) {
  const startedAt = Date.now()
  const heartbeat =
    label &&
    setInterval(() => {
      note(`... ${label}, ${Math.round((Date.now() - startedAt) / 1000)} s so far`)
    }, HEARTBEAT_MS)
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 128))
  }).finally(() => clearInterval(heartbeat))
}

/**
 * Runs the command line tool of a development dependency. Not through npx: it would offer to fetch
 * what is missing.
 *
 * @param {string} packageName
 * @param {string} bin
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runTool(packageName, bin, args, options) {
  const folder = join(root, 'node_modules', packageName)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin]
  return run(process.execPath, [join(folder, file), ...args], options)
}

/**
 * How to run npm: the one that started this script where there is one, so that versions agree and
 * no shell is needed on Windows.
 *
 * @param {string[]} args
 * @returns {[command: string, args: string[]]}
 */
export function npmCommand(args) {
  const entry = process.env.npm_execpath
  if (entry && /npm-cli\.[cm]?js$/.test(entry)) return [process.execPath, [entry, ...args]]
  if (process.platform !== 'win32') return ['npm', args]
  return [process.env.ComSpec ?? 'cmd.exe', ['/d', '/s', '/c', `npm ${args.join(' ')}`]]
}
