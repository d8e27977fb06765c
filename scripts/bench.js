/**
 * `npm run bench`: builds what is missing, then runs the benchmark with the same arguments.
 *
 * @module
 */

import { failWith } from './lib/output.js'
import { ensureReady } from './setup.js'

try {
  await ensureReady()
  await import('../benchmark/main.js')
} catch (error) {
  failWith(error)
}
