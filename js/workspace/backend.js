/** The backend as callers have it. What it does is said in `api/workspace-backend.d.ts`. */

import { binding } from '../load.js'
import { exec } from './exec.js'
import { Jobs } from './jobs.js'
import { Operations } from './operations.js'
import { requireText, textOf } from './paths.js'

const {
  newWorkspace,
  startClose,
  startKillJob,
  startReadLines,
  startReaddir,
  startRealpath,
  startRemove,
  startStat,
} = binding

/** More calls than closing nests, up to those of the provider. */
const CLOSE_FRAMES = 200

/** A plain object of functions that need no `this`: callers spread it and take it apart. */
export function sandboxWorkspaceBackend(handle, { owned = false } = {}) {
  const { fs } = handle
  const native = newWorkspace(Boolean(owned))
  const operations = new Operations(handle, fs, native)
  const jobs = new Jobs(handle, native, operations)

  return {
    shell: 'sh',
    binding: () => ({ kind: 'sandbox', provider: handle.provider, sandboxId: handle.id }),
    killJob: async (jobId) => operations.start(startKillJob, undefined, String(jobId)),
    readFile: async (path, options) => fs.readBytes(path, options),
    writeFile: async (path, data, options) => fs.write(path, data, options),
    remove: async (path, options) =>
      operations.startWithLstat(startRemove, path, options, textOf(path)),
    readLines: async (path, { offset, limit, signal }) =>
      operations.start(
        startReadLines,
        { signal },
        requireText(path),
        Number(offset),
        Number(limit),
      ),
    stat: (path, options) => operations.startWithLstat(startStat, path, options),
    realpath: async (path, options) =>
      operations.startOnFiles(startRealpath, path, options, requireText(path)),
    readdir: (path, options) => operations.startOnFiles(startReaddir, path, options),
    exec: (command, options) => exec(handle, command, options),
    ...(handle.capabilities.backgroundProcesses
      ? { spawn: (command, options) => jobs.spawn(command, options) }
      : {}),
    close: async ({ reason }) => {
      requireStack(CLOSE_FRAMES)
      return operations.start(startClose, undefined, reason === 'moved')
    },
  }
}

/**
 * Throws where the stack has no room for so many calls. One `close` that broke off after native code
 * has begun it would let each later one wait for its end.
 */
function requireStack(frames) {
  if (frames > 0) requireStack(frames - 1)
}
