/**
 * How the demo shows steps, digests and verdicts.
 *
 * @module
 */

import { spawnSync } from 'node:child_process'
import { version } from '../../api/native.js'
import { bold, green, headline, red } from '../lib/output.js'

let steps = 0

export function showVersions() {
  console.log(bold(`\nai-sandbox-native ${version}, Node ${process.versions.node}`))
}

/** The headline of the next step, with its number. */
export function nextStep(title) {
  steps += 1
  headline(`${steps}. ${title}`)
}

/** Whether this machine has what a local sandbox runs its commands with. */
export function hasSandboxShell() {
  return spawnSync('sh', ['-c', 'command -v tail'], { stdio: 'ignore' }).status === 0
}

/** @param {string} label @param {import('./digest.js').Digest} digest */
export function showDigest(label, digest) {
  const lines = `${linesOf(digest)} to byte ${digest.position}`
  console.log(`  ${label.padEnd(8)} sha256 ${digest.value().slice(0, 32)}…  ${lines}`)
}

/** Whether a reading is what it must be, said with `text` if it is. */
export function verdict(digest, expected, text) {
  const isSame = digest.value() === expected.value()
  console.log(isSame ? green(`  same. ${text}`) : red('  DIFFERENT from the expected digest.'))
  return isSame
}

export function linesOf({ lines }) {
  return `${count(lines)} ${lines === 1 ? 'line' : 'lines'}`
}

export function count(number) {
  return number.toLocaleString('en-US')
}
