/**
 * `npm run demo`: an agent's journal, read in both ways, broken off and resumed, with a proof at
 * each step. `npm run demo -- FILE` does it with a journal of yours.
 *
 * @module
 */

import { failWith } from './lib/output.js'
import { ensureReady } from './setup.js'

try {
  await ensureReady()
  const { runDemo } = await import('./demo/run.js')
  const allProven = await runDemo(process.argv.slice(2))
  if (!allProven) process.exitCode = 1
} catch (error) {
  failWith(error)
}
