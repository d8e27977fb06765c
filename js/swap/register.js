/**
 * `node --import ai-sandbox-native/register app.js`: swaps the modules inside an installed
 * `@tanstack/ai-sandbox`.
 *
 * @module
 */

import * as nodeModule from 'node:module'
import { isNativeThere } from '../fallback.js'
import { loadSync } from './hooks.js'

if (isNativeThere()) register()

function register() {
  if (nodeModule.registerHooks) {
    nodeModule.registerHooks({ load: loadSync })
  } else if (nodeModule.register) {
    nodeModule.register('./hooks.js', import.meta.url)
  } else {
    throw new Error(
      'ai-sandbox-native/register needs the module hooks of Node 20.6 or later; ' +
        `this is ${process.versions.bun ? `Bun ${process.versions.bun}` : `Node ${process.version}`}`,
    )
  }
}
