/** Files of a test, and what the process has open of them. */

import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { collect } from '../../support/collect.js'
import * as oracle from '../../support/oracle.js'

const folder = mkdtempSync(join(tmpdir(), 'journal-file-test-'))
let count = 0

afterAll(() => rmSync(folder, { recursive: true }))

/** A path that no other test has. */
export function freshPath() {
  count += 1
  return join(folder, `journal-${count}`)
}

export function makeFile(content) {
  const path = freshPath()
  writeFileSync(path, content)
  return path
}

/** What the contract says of the bytes of a file. */
export function expectedLines(content, position = 0) {
  return collect(oracle.toJournalLines([Buffer.from(content).subarray(position)], position))
}

/** How many descriptors of this process name a file of the folder. */
export function countOpen() {
  const names = readdirSync('/proc/self/fd').map((number) => {
    try {
      return readlinkSync(`/proc/self/fd/${number}`)
    } catch {
      // The one by which the list itself was read.
      return ''
    }
  })
  return names.filter((name) => name.startsWith(folder)).length
}

export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Waits until `isSo()`, for as long as a test may take. */
export async function until(isSo) {
  while (!(await isSo())) await sleep(5)
}
