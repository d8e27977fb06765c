/** Says on stderr what runs, a line each, when `AI_SANDBOX_NATIVE_LOG` is `1`. */

import { writeSync } from 'node:fs'
import { environmentVariable } from './environment.js'

export const isLogging = environmentVariable('AI_SANDBOX_NATIVE_LOG') === '1'

/** @param {string} line */
export function log(line) {
  if (!isLogging) return
  try {
    // At once, and also from a thread that is about to end.
    writeSync(2, `ai-sandbox-native: ${line}\n`)
  } catch {
    // A stderr that is closed or full isn't worth a failing program.
  }
}
