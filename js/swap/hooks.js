/**
 * The hooks for Node's loader: what it has loaded of the original becomes a stand-in.
 *
 * Only loading is hooked. A stand-in imports by whole URLs, and the original's own code by a URL with
 * a query that tells the two apart, which Node resolves by itself.
 *
 * @module
 */

import { logLeftAlone, logMissing, logSwapped } from './log.js'
import { MODULE_NAMES, nativeModule, originalModule } from './modules.js'
import { isMarkedOriginal, markOriginal, standIn } from './stand-in.js'

/** @type {import('node:module').LoadHook} For `module.register`: off the thread of the program. */
export async function load(url, context, nextLoad) {
  const module = wanted(url)
  const loaded = nextLoad(url, context)
  return module ? swap(module, await loaded) : loaded
}

/** For `module.registerHooks`: on the thread of the program. */
export function loadSync(url, context, nextLoad) {
  const module = wanted(url)
  const loaded = nextLoad(url, context)
  return module ? swap(module, loaded) : loaded
}

/** @param {string} url */
function wanted(url) {
  if (isMarkedOriginal(url)) return undefined
  const module = originalModule(url)
  if (module === undefined || !url.includes('/dist/esm/')) return undefined
  logMissing(module)
  return MODULE_NAMES.includes(module.name) ? module : undefined
}

/** @template {{ format?: string | null, source?: unknown }} T @param {T} loaded @returns {T} */
function swap(module, loaded) {
  if (loaded.format !== 'module' || loaded.source == null) {
    logLeftAlone(module, `its format is ${loaded.format}`)
    return loaded
  }
  const { url: native, names } = nativeModule(module.name)
  const source = textOf(loaded.source)
  const made = standIn(source, { names, native, original: markOriginal(module.url) })
  if (made === undefined) {
    logLeftAlone(module, 'exports nothing that is native, or is swapped already')
    return loaded
  }
  logSwapped(module, made)
  return { ...loaded, source: made.code }
}

/** @param {unknown} source - A string, or bytes in an array or a buffer. */
function textOf(source) {
  return typeof source === 'string' ? source : new TextDecoder().decode(source)
}
