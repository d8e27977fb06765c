/**
 * Says on stderr what was swapped, a line a module, when `AI_SANDBOX_NATIVE_LOG` is `1`.
 *
 * @module
 */

import { fileURLToPath } from 'node:url'
import { isLogging, log } from '../log.js'
import { MODULE_NAMES, missingModules } from './modules.js'

/** @typedef {import('./modules.js').OriginalModule} OriginalModule */

/** @param {OriginalModule} module @param {import('./stand-in.js').StandIn} standIn */
export function logSwapped(module, { native, original }) {
  if (!isLogging) return
  const rest = original.length > 0 ? original.join(', ') : 'none'
  log(`swapped ${pathOf(module.url)}: native ${native.join(', ')}; the original's: ${rest}`)
}

/** @param {OriginalModule} module @param {string} reason */
export function logLeftAlone(module, reason) {
  if (isLogging) log(`left alone ${pathOf(module.url)}: ${reason}`)
}

/** The packages, by folder, whose missing modules were told, and the projects that have no original. */
const told = new Set()

/**
 * Says once for each package which of our modules it doesn't have.
 *
 * @param {OriginalModule} module - Any module of it.
 */
export function logMissing(module) {
  if (!isLogging || told.has(module.root)) return
  told.add(module.root)
  const place = `@tanstack/ai-sandbox ${module.version} in ${fileURLToPath(module.root)}`
  for (const name of missingModules(module)) log(`left alone ${name}: not in ${place}`)
  if (missingModules(module).length === MODULE_NAMES.length) log(`nothing to swap in ${place}`)
}

/** @param {string} root - A project's folder. */
export function logNoOriginal(root) {
  if (!isLogging || told.has(root)) return
  told.add(root)
  log(`nothing to swap: no package that is installed for ${root} reaches @tanstack/ai-sandbox`)
}

/** @param {string} environment @param {string[]} ids - What its optimizer was to include. */
export function logNotOptimized(environment, ids) {
  if (!isLogging || ids.length === 0) return
  log(`kept from the optimizer of the environment ${environment}: ${ids.join(', ')}`)
}

/** @param {string} url */
function pathOf(url) {
  return fileURLToPath(url.replace(/[?#].*$/, ''))
}
