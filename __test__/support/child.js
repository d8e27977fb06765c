/** Runs a script of `fixtures/` in a process of its own. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const LIMIT_MS = 50_000

/**
 * @param {string} name - A file of `fixtures/`.
 * @param {{ args?: string[], flags?: string[] }} [options]
 * @returns {Promise<{ code: number | null, signal: string | null, stderr: string, result: any }>}
 *   `result` is what the script printed as JSON in its last line.
 */
export async function runFixture(name, { args = [], flags = [] } = {}) {
  const path = fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))
  const child = spawn(process.execPath, [...flags, path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const [code, signal] = await once(child, 'close')
  return { code, signal, stderr, result: lastJson(stdout) }
}

/** What `runFixture` gives for a script that ended well. */
export function endedWell(result) {
  return { code: 0, signal: null, stderr: '', result }
}

function lastJson(stdout) {
  const last = stdout.trim().split('\n').at(-1)
  return last ? JSON.parse(last) : undefined
}
