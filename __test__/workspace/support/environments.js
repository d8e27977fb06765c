/**
 * Real sandboxes: each shell with each awk, and a busybox that has every tool. In CI a missing
 * program is an error: with a shell less the tests would prove less. Elsewhere the tests go through
 * what the machine has, and `npm test` says what is missing.
 */

import { execFileSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createLocalSandbox } from '../../../examples/local-sandbox/index.js'
import { sandboxWorkspaceBackend } from './subject.js'

const DEBIAN_PACKAGES = { ps: 'procps' }

const isUsable = (program) => process.env.CI !== undefined || pathOf(program) !== undefined

const shells = Object.entries({
  dash: ['dash'],
  bash: ['bash'],
  'busybox sh': ['busybox', 'sh'],
}).filter(([, [program]]) => isUsable(program))

const awks = ['mawk', 'gawk', 'busybox'].filter(isUsable)

/**
 * @typedef {{ name: string, shell: string[], tools: Record<string, string> | 'busybox' }} Environment
 *   `tools`: names, and the programs that they are.
 */

/** @type {Environment[]} */
export const environments = [
  ...shells.flatMap(([name, shell]) =>
    awks.map((awk) => ({ name: `${name}, ${awk} awk`, shell, tools: { awk } })),
  ),
  ...(isUsable('busybox')
    ? [{ name: 'all of busybox', shell: ['busybox', 'sh'], tools: 'busybox' }]
    : []),
]

/** Each shell once, with the tools of this machine. */
export const shellEnvironments = shells.map(([name, shell]) => ({
  name,
  shell,
  tools: { ps: 'ps' },
}))

/**
 * A backend on a local sandbox of this environment.
 *
 * @param {Environment} environment
 * @param {object} [options] - More of `createLocalSandbox`.
 */
export async function openReal({ shell, tools }, options) {
  const bin = mkdtempSync(join(tmpdir(), 'tools-'))
  installTools(bin, tools)
  findProgram(shell[0])
  const sandbox = await createLocalSandbox({ shell, pathPrefix: [bin], ...options })
  const backend = sandboxWorkspaceBackend(sandbox)
  const close = async () => {
    await backend.close({ reason: 'closed' })
    await sandbox.destroy()
    rmSync(bin, { recursive: true, force: true })
  }
  return { sandbox, backend, folder: sandbox.folder, close }
}

function installTools(bin, tools) {
  if (tools === 'busybox') {
    execFileSync(findProgram('busybox'), ['--install', '-s', bin])
    return
  }
  for (const [name, program] of Object.entries(tools)) {
    symlinkSync(findProgram(program), join(bin, name))
  }
}

function findProgram(name) {
  const file = pathOf(name)
  if (file !== undefined) return file
  const debian = DEBIAN_PACKAGES[name] ?? name
  throw new Error(`these tests need ${name} (Debian: apt-get install ${debian})`)
}

function pathOf(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
