/** What is different where a person looks: colour, width, progress, escapes. */

import { afterAll, describe, expect, test } from 'vitest'
import { hasShell, makeFolder, runOnTerminal, runShell } from './support/tool.js'

const ESCAPE = '\x1b'
const folder = makeFolder()
afterAll(() => folder.remove())

const path = folder.write('events', `{"type":"assistant","message":{"content":"hi"}}\n`)

describe.runIf(hasShell)('on a terminal', () => {
  test('there is colour', async () => {
    const { stdout } = await runOnTerminal(`$TOOL tail ${path}`)
    expect(stdout).toBe(`${ESCAPE}[36massistant ${ESCAPE}[39m  hi\r\n`)
  })

  test.each([
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }],
    ['a terminal that has none', { TERM: 'dumb' }],
  ])('there is none with %s', async (_what, env) => {
    const { stdout } = await runOnTerminal(`$TOOL tail ${path}`, { env })
    expect(stdout).toBe('assistant   hi\r\n')
  })

  test('an event fits the width', async () => {
    const long = folder.write('long', `{"type":"a","text":"${'word '.repeat(100)}"}\n`)
    const { stdout } = await runOnTerminal(`$TOOL tail ${long}`, { env: { NO_COLOR: '1' } })
    expect(stdout).toMatch(/^a {11}word .*…\r\n$/)
    expect(stdout.trimEnd().length).toBeLessThan(80)
    expect(stdout.trimEnd().length).toBeGreaterThan(70)
  })

  test('--json escapes what could steer the terminal', async () => {
    const evil = folder.write('evil', `{"a":"\x1b]0;title\x07\x9b"}\r\n`)
    const { stdout } = await runOnTerminal(`$TOOL tail ${evil} --json`)
    expect(stdout).toBe('{"a":"\\u001b]0;title\\u0007\\u009b"}\\u000d\r\n')
  })

  test('a reading that takes longer than a second has a progress bar, removed at the end', async () => {
    // A reader that sleeps makes it slow, however fast the machine is.
    const big = folder.write('big', `{"a":"${'x'.repeat(90)}"}\n`.repeat(50_000))
    const { stdout } = await runOnTerminal(`$TOOL tail ${big} --json | (sleep 2; cat) > /dev/null`)
    expect(stdout).toMatch(/[█░]{24} {2}\d+ % {2}[\d.]+ [kM]?B of 5\.0 MB/)
    expect(stdout.endsWith(`\r${ESCAPE}[K`)).toBe(true)
  })

  test('a reading that takes a moment has none', async () => {
    const { stdout } = await runOnTerminal(`$TOOL tail ${path} --json | cat`)
    expect(stdout).toBe('{"type":"assistant","message":{"content":"hi"}}\r\n')
  })
})

describe.runIf(hasShell)('in a pipe', () => {
  test('there is no colour, also in CI', async () => {
    const { stdout } = await runShell(`$TOOL tail ${path}`, { env: { CI: 'true' } })
    expect(stdout).toBe('assistant   hi\n')
  })

  test('there is colour with FORCE_COLOR', async () => {
    const { stdout } = await runShell(`$TOOL tail ${path}`, { env: { FORCE_COLOR: '1' } })
    expect(stdout).toContain(`${ESCAPE}[36m`)
  })

  test('a slow reading has no progress bar', async () => {
    const big = folder.write('slow', `{"a":"${'x'.repeat(90)}"}\n`.repeat(50_000))
    const { stderr } = await runShell(`$TOOL tail ${big} --json | (sleep 2; cat) > /dev/null`)
    expect(stderr).toBe('')
  })
})
