/**
 * A sandbox on this machine: files in one folder, commands in child processes.
 *
 * It shows what a provider has to give to `sandboxWorkspaceBackend`. It does NOT isolate: commands
 * run with the rights of this process, and paths of this machine within them mean this machine.
 *
 * @module
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { LocalFiles } from './files.js'
import { LocalProcesses } from './processes.js'
import { WORKSPACE } from './workspace-path.js'

/**
 * @typedef {import('../../api/workspace-backend.js').SandboxHandle} SandboxHandle
 * @typedef {object} LocalSandboxOptions
 * @property {string} [folder] - The folder that is `/workspace`. Default: a new one, which
 *   `destroy()` removes.
 * @property {string[]} [shell] - The program that runs commands, called with `-c` and the command.
 *   Default: `['sh']`. Also `['busybox', 'sh']`.
 * @property {string[]} [pathPrefix] - Folders of programs to be found before those of `PATH`.
 * @property {Record<string, string>} [env] - Variables for every command.
 * @property {boolean} [lstat] - `false`: a provider that cannot tell links. Default: `true`.
 */

/**
 * Makes a sandbox.
 *
 * @param {LocalSandboxOptions} [options]
 * @returns {Promise<SandboxHandle & { folder: string }>}
 */
export async function createLocalSandbox(options = {}) {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'local-sandbox-')))
  const processes = new LocalProcesses({
    folder,
    shell: options.shell ?? ['sh'],
    env: { ...withPathPrefix(options.pathPrefix ?? []), ...options.env },
  })
  const fs = new LocalFiles(folder)
  // As a provider without it would be: `lstat` is optional.
  if (options.lstat === false) Object.assign(fs, { lstat: undefined })

  return {
    id: folder,
    provider: 'local',
    workspaceRoot: WORKSPACE,
    folder,
    capabilities: {
      fs: true,
      exec: true,
      env: true,
      ports: false,
      backgroundProcesses: true,
      killableProcesses: true,
      writableStdin: true,
      snapshots: false,
      networkPolicy: false,
      durableFilesystem: true,
      fork: false,
    },
    fs,
    process: processes,
    env: {
      set: async (variables) => processes.setVariables(variables),
    },
    async destroy() {
      await processes.killAll()
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

function withPathPrefix(folders) {
  if (folders.length === 0) return {}
  return { PATH: [...folders, process.env.PATH ?? ''].join(delimiter) }
}
