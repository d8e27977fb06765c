/** Paths of the sandbox and the paths on this machine that they stand for. */

import { join, posix } from 'node:path'

/** The one folder that the sandbox has. */
export const WORKSPACE = '/workspace'

/**
 * @param {string} folder - What `/workspace` is on this machine.
 * @param {string} path - In the sandbox; a relative one starts at `/workspace`.
 * @returns {string | undefined} `undefined` for a path outside `/workspace`: nothing is there.
 */
export function hostPath(folder, path) {
  const absolute = posix.resolve(WORKSPACE, path)
  if (absolute === WORKSPACE) return folder
  if (!absolute.startsWith(`${WORKSPACE}/`)) return undefined
  return join(folder, absolute.slice(WORKSPACE.length + 1))
}
