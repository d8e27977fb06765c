/** What is there in place of the native library where it doesn't load: the original's JavaScript. */

import { failure } from './load.js'

const VARIABLE = 'AI_SANDBOX_NATIVE'
/** Shared by all copies of this package in a thread, so that one warning comes. */
const WARNED = Symbol.for('ai-sandbox-native.warned')

/**
 * Whether the native library is there. If not, it warns, and the original has to do; where native
 * code is required, it throws the load error.
 */
export function isNativeThere() {
  if (!failure) return true
  if (process.env[VARIABLE] === 'required') throw failure
  warnOnce()
  return false
}

/**
 * What the package's root exports for the names of `native.js`: the native exports. Without the
 * library those of the original where it has them, with a warning; a function that it lacks throws the
 * load error when it is called.
 *
 * @template {Record<string, unknown>} Native
 * @param {Native} native
 * @param {Record<string, unknown>} original
 * @returns {Native}
 */
export function nativeOrOriginal(native, original) {
  if (isNativeThere()) return native
  const entries = Object.entries(native)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, substitute(name, value, original)]),
  )
}

function substitute(name, value, original) {
  if (name === 'version') return value
  if (name === 'spawnNdjson' && !('startJournaledAgent' in original))
    return spawnWithoutJournal(original)
  if (name in original) return original[name]
  return typeof value === 'function' ? unavailable : value
}

/**
 * An original without journals passes over the option: an agent would end with its reader, and an
 * attach would start a second one.
 */
function spawnWithoutJournal({ spawnNdjson }) {
  return (handle, command, options) => {
    if (options?.journal !== undefined) throw failure
    return spawnNdjson(handle, command, options)
  }
}

/** No arrow function: some of what it stands for are classes. */
function unavailable() {
  throw failure
}

function warnOnce() {
  if (globalThis[WARNED]) return
  globalThis[WARNED] = true
  process.emitWarning(
    'ai-sandbox-native: the native library does not load. What @tanstack/ai-sandbox has runs in ' +
      `JavaScript, the rest throws. Set ${VARIABLE}=required to make this an error.`,
    { type: 'NativeFallbackWarning', code: 'AI_SANDBOX_NATIVE_FALLBACK', detail: failure.message },
  )
}
