/** Lines whose bytes are read a second time, since their text does not tell them. */

import { afterAll, describe, expect, test } from 'vitest'
import { hasShell, makeFolder, runShell } from './support/tool.js'

const folder = makeFolder()
afterAll(() => folder.remove())

const plain = '{"type":"old"}\n'
const illFormed = Buffer.from('\xff\n', 'latin1')

describe.runIf(hasShell)('a file whose path names something else by then', () => {
  // More than fits the pipe: the last line isn't asked for before the path has changed.
  const content = Buffer.concat([Buffer.from(plain.repeat(100_000)), illFormed])

  test.each([
    ['another file', 'mv new file'],
    ['a FIFO', 'rm file; mkfifo file'],
    ['nothing', 'rm file'],
  ])('%s: no byte of that is printed for it', async (_what, change) => {
    folder.write('file', content)
    folder.write('new', 'n'.repeat(content.length - 2).concat('N\n'))
    const reader = `{ head -c 1; ${change}; cat; } | tail -c 30`
    const { stdout, stderr } = await runShell(
      `set -o pipefail; $TOOL tail file --json | ${reader}; echo $?; rm -f file new`,
      { cwd: folder.path },
    )
    expect(stdout).toBe(`${plain.repeat(2)}1\n`)
    expect(stderr).toMatch(/^ai-sandbox-native: file: [^\n]*\n$/)
  })
})

describe.runIf(hasShell)('many ill-formed lines', () => {
  const line = (length) => Buffer.alloc(length, 0xff).fill('\n', length - 1)
  const lines = [1, 2, 3, 300_000, 1, 262_143, 2, 262_144, 262_145, 7].map(line)
  const path = folder.write('many', Buffer.concat([...lines, line(100_000), illFormed]))

  test('are printed as they are', async () => {
    const { stdout } = await runShell(`$TOOL tail ${path} --json | cmp - ${path} && echo same`)
    expect(stdout).toBe('same\n')
  })

  test('are counted', async () => {
    const { stdout } = await runShell(`$TOOL stats ${path}`)
    expect(stdout).toMatch(/^not UTF-8 +10, the first at byte 1$/m)
  })
})
