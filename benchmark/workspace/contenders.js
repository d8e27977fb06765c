/**
 * Who is measured: this package, the same logic in plain JavaScript, and the bare calls.
 */

const MODULES = {
  native: () => import('../../api/workspace-backend.js'),
  port: () => import('../../__test__/workspace/support/port.js'),
}

/** All names, in the order of the tables. `floor` calls the sandbox itself and awaits it. */
export const CONTENDER_NAMES = ['floor', 'port', 'native']

/** Those that are backends. */
export const BACKENDS = ['port', 'native']

/** @param {string} name */
export async function loadBackend(name) {
  const { sandboxWorkspaceBackend } = await MODULES[name]()
  return sandboxWorkspaceBackend
}
