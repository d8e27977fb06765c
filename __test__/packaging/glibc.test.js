/** The glibc that the native library needs is the one that the README states. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addonFile, root, target } from './support/app.js'

/** Set where the library under test is the one of a release, and not this machine's own. */
const isRelease = process.env.AI_SANDBOX_TEST_RELEASE === '1'
const STATED = isRelease
  ? /release builds run on (\d+\.\d+) and later/
  : /a build of your own on (\d+\.\d+) and later/

test.runIf(/^linux-.*-gnu$/.test(target))('the newest glibc symbol is one that is stated', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8').replaceAll('\n', ' ')
  const stated = STATED.exec(readme)[1]
  const newest = neededBy(addonFile).sort(byVersion).at(-1)
  console.log(`the library needs glibc ${newest}; the README states ${stated}`)
  expect(byVersion(newest, stated)).toBeLessThanOrEqual(0)
})

/** The versions of glibc that a file names for its symbols, as `2.17`. */
function neededBy(file) {
  const env = { ...process.env, LC_ALL: 'C' }
  const text = execFileSync('readelf', ['-VW', file], { encoding: 'utf8', env })
  const versions = [...text.matchAll(/Name: GLIBC_([\d.]+)/g)].map(([, version]) => version)
  expect(versions).not.toEqual([])
  return versions
}

function byVersion(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  const at = left.findIndex((part, index) => part !== right[index])
  if (at === -1) return left.length - right.length
  return left[at] - (right[at] ?? 0)
}
