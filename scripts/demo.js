/**
 * `npm run demo`: an agent's journal, read in both ways, broken off and resumed; then a workspace in
 * a local sandbox; with a proof at each step. `npm run demo -- FILE` does the first part with a
 * journal of yours.
 *
 * @module
 */

import { failWith } from './lib/output.js'
import { ensureReady } from './setup.js'

try {
  await ensureReady()
  const { runDemo } = await import('./demo/run.js')
  const { runWorkspaceDemo } = await import('./demo/workspace.js')
  const files = process.argv.slice(2)
  const parts = [await runDemo(files)]
  if (files.length === 0) parts.push(await runWorkspaceDemo())
  if (!parts.every(Boolean)) process.exitCode = 1
} catch (error) {
  failWith(error)
}
