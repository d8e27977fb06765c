/** What is there in place of the native library where it doesn't load: the original's JavaScript. */

import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { environmentVariable } from './environment.js'
import { failure, file } from './load.js'
import { log } from './log.js'
import { VERSION } from './version.js'

const VARIABLE = 'AI_SANDBOX_NATIVE'
/** Known to the threads that this one starts later, so that one warning comes, not one from each. */
const WARNED = 'ai-sandbox-native.warned'

/** What fails when its promise is awaited, or its first value is asked for, does so here, too. */
const PROMISES = ['awaitAttachableJournal', 'pruneJournals', 'startJournaledAgent']
const STREAMS = [
  'decodeBase64Stream',
  'encodeUtf8Stream',
  'readJournal',
  'readJournalNdjson',
  'toJournalLineBatches',
  'toJournalLines',
]

/**
 * Whether the native library is there. If not, it warns, and the original has to do; where native
 * code is required, it throws the load error.
 *
 * @param {string} [consequence] - What it means that there is none, as a sentence.
 */
export function isNativeThere(consequence = '@tanstack/ai-sandbox runs in JavaScript, unchanged.') {
  if (!failure) return true
  if (environmentVariable(VARIABLE) === 'required') throw failure
  warnOnce(consequence)
  return false
}

/**
 * What the package's root exports for the names of `native.js`: the native exports. Without the
 * library those of the original where it has them, with a warning; a function that it lacks fails
 * with the load error when it is used.
 *
 * @template {Record<string, unknown>} Native
 * @param {Native} native
 * @param {Record<string, unknown>} original
 * @returns {Native}
 */
export function nativeOrOriginal(native, original) {
  if (isNativeThere('What @tanstack/ai-sandbox has runs in JavaScript, the rest throws.')) {
    log(`native code of version ${VERSION}: ${file}`)
    return native
  }
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
  if (PROMISES.includes(name)) return unavailablePromise
  if (STREAMS.includes(name)) return unavailableStream
  return typeof value === 'function' ? unavailable : value
}

/**
 * An original without journals passes over the option: an agent would end with its reader, and an
 * attach would start a second one.
 */
function spawnWithoutJournal({ spawnNdjson }) {
  return (handle, command, options) => {
    if (options?.journal !== undefined) return unavailableStream()
    return spawnNdjson(handle, command, options)
  }
}

/** No arrow function: some of what it stands for are classes. */
function unavailable() {
  throw failure
}

async function unavailablePromise() {
  throw failure
}

// biome-ignore lint/correctness/useYield: it fails before its first value.
async function* unavailableStream() {
  throw failure
}

function warnOnce(consequence) {
  if (getEnvironmentData(WARNED)) return
  setEnvironmentData(WARNED, true)
  const value = environmentVariable(VARIABLE)
  process.emitWarning(
    `ai-sandbox-native: the native library does not load. ${consequence} Set ${VARIABLE}=required ` +
      `to make this an error${value ? ` (it is ${JSON.stringify(value)}, which means nothing)` : ''}.`,
    { type: 'NativeFallbackWarning', code: 'AI_SANDBOX_NATIVE_FALLBACK', detail: failure.message },
  )
}
