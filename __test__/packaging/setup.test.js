/** The setup of a checkout: what it says when a tool is missing, and that two at once take turns. */

import { existsSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { minimumVersion } from '../../scripts/lib/rust.js'
import { execute, root, temporaryFolder, writeFiles } from './support/app.js'

const lockChild = fileURLToPath(new URL('./support/lock-child.js', import.meta.url))
const PROCESSES = 6
const LONG_AGO_MS = 10 * 60_000

describe.runIf(process.platform !== 'win32')('a tool is missing', () => {
  test('no cargo: says what to install', async () => {
    const message = await messageWith({ cc: 'exit 0' })
    expect(message).toContain(`Rust ${minimumVersion()} or later`)
    expect(message).toContain('Install it with rustup')
  })

  test('a rustc that is too old: names both versions', async () => {
    const message = await messageWith({
      cc: 'exit 0',
      cargo: 'echo cargo 1.60.0',
      rustc: 'echo rustc 1.60.0',
    })
    expect(message).toContain(`Rust ${minimumVersion()} or later`)
    expect(message).toContain('rustc here is 1.60.0')
    expect(message).toContain('rustup update')
  })

  test('no linker: says what to install', async () => {
    const message = await messageWith({
      cargo: 'echo cargo 99.0.0',
      rustc: 'echo rustc 99.0.0-nightly',
    })
    expect(message).toContain('there is no cc on the PATH')
  })
})

describe('several at once', () => {
  test('take turns', async () => {
    const folder = temporaryFolder()
    expect(await turnsIn(folder)).toBe(PROCESSES)
  })

  test('take turns behind a lock whose process is gone', async () => {
    const folder = temporaryFolder()
    const { stdout } = await execute(process.execPath, ['-p', 'process.pid'])
    writeFileSync(join(folder, 'lock'), `${stdout.trim()} ${hostname()} token`)
    expect(await turnsIn(folder)).toBe(PROCESSES)
  })

  test('take turns behind a lock of another host that nobody touches', async () => {
    const folder = temporaryFolder()
    const lock = join(folder, 'lock')
    writeFileSync(lock, '1 another-host token')
    const longAgo = new Date(Date.now() - LONG_AGO_MS)
    utimesSync(lock, longAgo, longAgo)
    expect(await turnsIn(folder)).toBe(PROCESSES)
  })
})

/** What the check of the toolchain says where the PATH has these commands alone. */
async function messageWith(commands) {
  const folder = temporaryFolder()
  const scripts = Object.entries(commands).map(([name, body]) => [name, `#!/bin/sh\n${body}\n`])
  writeFiles(folder, Object.fromEntries(scripts), { mode: 0o755 })
  symlinkSync(process.execPath, join(folder, 'node'))
  const module = pathToFileURL(join(root, 'scripts/lib/rust.js'))
  const source = `import { requireRust } from '${module}'
    try { requireRust() } catch (error) { console.log(error.message) }`
  const { stdout, stderr } = await execute('node', ['--input-type=module', '-e', source], {
    env: { PATH: folder, CARGO_HOME: folder },
  })
  expect(stderr).toBe('')
  return stdout
}

/** Runs several processes on one lock, and counts the turns; none may begin within another. */
async function turnsIn(folder) {
  const [lock, log] = [join(folder, 'lock'), join(folder, 'log')]
  const runs = Array.from({ length: PROCESSES }, () =>
    execute(process.execPath, [lockChild, lock, log]),
  )
  for (const { code, stderr } of await Promise.all(runs)) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
  expect(existsSync(lock)).toBe(false)
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  const turns = Array.from({ length: lines.length / 2 }, (_, turn) =>
    lines.slice(turn * 2, turn * 2 + 2).map((line) => line.split(' ')),
  )
  for (const [[first, entry], [second, exit]] of turns) {
    expect([first, entry, exit]).toEqual([second, 'in', 'out'])
  }
  return turns.length
}
