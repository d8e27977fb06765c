/**
 * Which environments of Vite run their code in Node. Elsewhere a native library can't load, and the
 * original stays.
 *
 * @module
 */

/** Conditions of other runtimes. A user's list of conditions takes the place of Vite's, so none need be there. */
const OTHER_RUNTIMES = ['browser', 'workerd', 'edge-light']

/**
 * @param {import('vite').ResolvedConfig} config - The whole.
 * @param {string} name - Of an environment.
 */
export function runsInNode({ environments, plugins, ssr, test }, name) {
  const { consumer, resolve } = environments[name]
  const isForWebworker = name === 'ssr' && ssr?.target === 'webworker'
  // Vitest runs even what is like a browser in Node, unless it has a real one.
  const isInVitest = plugins.some((plugin) => plugin.name.startsWith('vitest'))
  const isInBrowser = isInVitest ? test?.browser?.enabled : consumer === 'client'
  return !isForWebworker && !isInBrowser && areForNode(resolve.conditions)
}

/** @param {string[]} [conditions] - Those that an environment resolves imports with. */
export function areForNode(conditions = []) {
  return !OTHER_RUNTIMES.some((runtime) => conditions.includes(runtime))
}
