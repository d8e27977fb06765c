/**
 * `npm run build`: builds the addon. More arguments go to `napi build`, such as
 * `npm run build -- --target aarch64-unknown-linux-gnu --use-napi-cross`.
 *
 * @module
 */

import { failWith } from './lib/output.js'
import { rebuild } from './setup.js'

try {
  await rebuild(process.argv.slice(2))
} catch (error) {
  failWith(error)
}
