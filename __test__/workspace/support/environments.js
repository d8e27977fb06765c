/**
 * Real sandboxes: each shell with each awk, and a busybox that has every tool. A missing program is
 * an error, not a skipped test: with a shell less the tests would prove less.
 */

import { execFileSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createLocalSandbox } from '../../../examples/local-sandbox/index.js'
import { sandboxWorkspaceBackend } from './subject.js'

const DEBIAN_PACKAGES = { ps: 'procps' }

/** @type {Record<string, string[]>} */
export const shells = { dash: ['dash'], bash: ['bash'], 'busybox sh': ['busybox', 'sh'] }

const awks = ['mawk', 'gawk', 'busybox']

/**
 * @typedef {{ name: string, shell: string[], tools: Record<string, string> | 'busybox' }} Environment
 *   `tools`: names, and the programs that they are.
 */

/** @type {Environment[]} */
export const environments = [
  ...Object.entries(shells).flatMap(([name, shell]) =>
    awks.map((awk) => ({ name: `${name}, ${awk} awk`, shell, tools: { awk } })),
  ),
  { name: 'all of busybox', shell: ['busybox', 'sh'], tools: 'busybox' },
]

/** Each shell once, with the tools of this machine. */
export const shellEnvironments = Object.entries(shells).map(([name, shell]) => ({
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
  for (const folder of process.env.PATH.split(delimiter)) {
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // In another folder, then.
    }
  }
  const debian = DEBIAN_PACKAGES[name] ?? name
  throw new Error(`these tests need ${name} (Debian: apt-get install ${debian})`)
}
