/**
 * `npm run demo`: an agent's run, followed live by a reader that is killed, and by the one that takes
 * over; then a journal, read in both ways, broken off and resumed; then a workspace in a local
 * sandbox; with a proof at each step. `npm run demo -- FILE` does the middle part with a journal of
 * yours.
 *
 * @module
 */

import { endOnClosedPipe } from '../js/cli/output.js'
import { failWith, note } from './lib/output.js'
import { ensureReady } from './setup.js'

endOnClosedPipe()
try {
  await ensureReady()
  const { runLiveDemo } = await import('./demo/live.js')
  const { runDemo } = await import('./demo/run.js')
  const { hasSandboxShell, showVersions } = await import('./demo/show.js')
  const { runWorkspaceDemo } = await import('./demo/workspace.js')
  const files = process.argv.slice(2)
  const isWhole = files.length === 0
  const hasSandbox = isWhole && hasSandboxShell()
  showVersions()
  if (isWhole && !hasSandbox) {
    note('No sh with a tail here: the live run and the workspace, which need them, are left out.')
  }
  const parts = []
  if (hasSandbox) parts.push(await runLiveDemo())
  parts.push(await runDemo(files))
  if (hasSandbox) parts.push(await runWorkspaceDemo())
  if (!parts.every(Boolean)) process.exitCode = 1
} catch (error) {
  failWith(error)
}
