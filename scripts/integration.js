/**
 * `npm run test:integration`: small projects with bundlers, test runners and a framework, each built
 * and run with the packed package. `npm run test:integration -- vite` runs those whose name has `vite`.
 *
 * The tools of a project are installed into `.cache/integration/`, the first time or when its lock
 * file has changed.
 *
 * @module
 */

import { failWith, headline } from './lib/output.js'
import { runTool } from './lib/run.js'
import { ensureReady } from './setup.js'

try {
  await ensureReady()
  headline('Integration (vitest run)')
  const config = ['--config', '__test__/integration/vitest.config.js']
  const chosen = process.argv.slice(2).map((name) => `integration/${name}`)
  const args = ['run', ...config, ...(chosen.length > 0 ? chosen : ['integration/'])]
  process.exitCode = await runTool('vitest', 'vitest', args, { label: 'the projects still run' })
} catch (error) {
  failWith(error)
}
