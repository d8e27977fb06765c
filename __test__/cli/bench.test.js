/** `bench`: answers first, then figures for a terminal and for a page. */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { hasShell, makeFolder, runShell, runTool } from './support/tool.js'

const LIMIT_MS = 120_000
const CONTENDERS = [
  "JavaScript, the original's way",
  'JavaScript, linear',
  'native, lines',
  'native, batches of lines',
]
const SHAPES = [
  'base64 in one string: a poll',
  'text in chunks of 64 KiB: catching up',
  'text, a line a chunk: following live',
  'bytes, a line a chunk',
]
const VOID_TAGS = new Set(['meta', 'rect', 'path'])

const folder = makeFolder()
afterAll(() => folder.remove())

describe('on a journal of the user', () => {
  // With all that contenders could take differently: marks, ill-formed bytes, empty lines, a rest.
  const parts = [
    '{"type":"a","text":"é🙂"}\n',
    '\ufeffmark\n',
    '\n',
    '\0\r\n',
    '{"type":"b"}\n'.repeat(3000),
  ]
  const bytes = [...parts.map((part) => Buffer.from(part)), Buffer.from([0xe2, 0x82, 0x0a, 0x78])]
  const path = folder.write(`<b>&'".ndjson`, Buffer.concat(bytes))
  // Without the rest, one byte.
  const kilobytes = ((Buffer.concat(bytes).length - 1) / 1000).toFixed(1)
  const page = join(folder.path, 'page\x1b[31m.html')

  test(
    'it prints a table and writes a page',
    async () => {
      const { code, stdout, stderr } = await runTool(['bench', path, '--html', page])
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: `Wrote ${page.replace('\x1b', '\\u001b')}\n`,
      })
      expect(stdout).toContain(`${path}: 3,005 lines, ${kilobytes} kB\n`)
      expect(stdout).toContain(`Node ${process.version}`)
      for (const name of CONTENDERS) expect(stdout.split(name)).toHaveLength(SHAPES.length + 1)

      const html = readFileSync(page, 'utf8')
      expectWellFormed(html)
      // Nothing that a browser would fetch, and no script.
      expect(html).not.toMatch(/https?:|\/\/|url\(|@import|<script|<link|<img|\bsrc=|\bhref=/i)
      expect(html).toContain('&lt;b&gt;&amp;&#39;&quot;.ndjson')
      expect(html).not.toContain('<b>')
      for (const shape of SHAPES) expect(html).toContain(`>${shape}</h2>`)
      for (const figure of figuresOf(stdout)) expect(html).toContain(`<td>${figure}</td>`)
    },
    LIMIT_MS,
  )

  test('a page that cannot be written is an error, before anything is measured', async () => {
    const { code, stdout, stderr } = await runTool(['bench', path, '--html', '/no/such/page.html'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe('ai-sandbox-native: /no/such/page.html: no such folder\n')
  })

  test.runIf(hasShell).each([
    ['by its name', 'own'],
    ['by a link', 'link'],
    ['by another name', 'hard'],
  ])('a page is not written over the journal: %s', async (_how, name) => {
    const content = readFileSync(path)
    const own = folder.write('own', content)
    await runShell('ln -sf own link; ln -f own hard', { cwd: folder.path })
    const { code, stdout, stderr } = await runTool(['bench', own, '--html', name], {
      cwd: folder.path,
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(`ai-sandbox-native: ${name}: is the journal that is measured\n`)
    expect(readFileSync(own).equals(content)).toBe(true)
  })

  test('an empty name of a page is wrong usage', async () => {
    const { code, stdout, stderr } = await runTool(['bench', path, '--html', ''])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe('ai-sandbox-native: the name of the page is empty\n')
  })

  test('a page that would be a folder is an error, too', async () => {
    const { code, stderr } = await runTool(['bench', path, '--html', folder.path])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `ai-sandbox-native: ${folder.path}: is a folder\n`,
    })
  })
})

test(
  'without a file it measures a sample, and says so',
  async () => {
    const { code, stdout, stderr } = await runTool(['bench'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^a sample: 6,861 lines, 2\.0 MB$/m)
  },
  LIMIT_MS,
)

test.each([
  ['an empty file', ''],
  ['a file without a newline', '{"type":"a"}'],
])('%s has nothing to measure', async (_what, content) => {
  const path = folder.write('nothing', content)
  const { code, stdout, stderr } = await runTool(['bench', path])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toBe(
    `ai-sandbox-native: ${path}: there is no complete line, so nothing to measure\n`,
  )
})

test.runIf(hasShell)('a FIFO is refused, not waited for', async () => {
  const { stdout, stderr } = await runShell('mkfifo fifo; $TOOL bench fifo; echo $?', {
    cwd: folder.path,
  })
  expect({ stdout, stderr }).toEqual({
    stdout: '1\n',
    stderr: 'ai-sandbox-native: fifo: is not a plain file\n',
  })
  expect(existsSync(join(folder.path, 'fifo'))).toBe(true)
})

/** MB/s, their spread and ns a line of each row. */
function figuresOf(stdout) {
  const rows = stdout.split('\n').filter((row) => CONTENDERS.some((name) => row.startsWith(name)))
  expect(rows).toHaveLength(CONTENDERS.length * SHAPES.length)
  return rows.flatMap((row) => row.trim().split(/ {2,}/).slice(1))
}

/** Each tag that opens is closed, in order. */
function expectWellFormed(html) {
  const open = []
  for (const [, slash, name, rest] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)([^>]*)>/g)) {
    if (slash !== '') expect(open.pop()).toBe(name)
    else if (!VOID_TAGS.has(name) && !rest.endsWith('/')) open.push(name)
  }
  expect(open).toEqual([])
}
