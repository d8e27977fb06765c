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
  const { bun, deno, node } = process.versions
  // Both have functions of these names: Bun's does nothing, and with Deno's other packages break.
  if (bun) throw unfit(`Bun ${bun}`)
  if (deno) throw unfit(`Deno ${deno}`)
  if (nodeModule.registerHooks) {
    nodeModule.registerHooks({ load: loadSync })
  } else if (nodeModule.register) {
    registerOffThread()
  } else {
    throw unfit(`Node ${node}`)
  }
}

function registerOffThread() {
  try {
    nodeModule.register('./hooks.js', import.meta.url)
  } catch (cause) {
    if (cause.code !== 'ERR_ACCESS_DENIED') throw cause
    throw new Error(
      'ai-sandbox-native/register needs --allow-worker beside --experimental-permission: the hooks ' +
        `of Node ${process.version} run in a thread of their own.`,
      { cause },
    )
  }
}

function unfit(runtime) {
  return new Error(
    `ai-sandbox-native/register needs the module hooks of Node 20.6 or later; this is ${runtime}. ` +
      'Install ai-sandbox-native in the place of @tanstack/ai-sandbox, or use ai-sandbox-native/vite.',
  )
}
