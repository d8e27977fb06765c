/** Pages and links through real shells and real tools. */

import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { environments, openReal } from '../support/environments.js'
import { rejectionOf } from '../support/settle.js'

/** Case 14, and what else a name may hold. */
const NAMES = [
  "it's",
  'a\nb',
  '-n',
  'v=1.txt',
  'with space',
  '😀',
  'größe',
  '$HOME',
  '`id`',
  '"quoted"',
  '*',
  '\\',
  '\\n',
  '~',
  '--',
  '#',
  'ends in newline\n',
]
const ALL = { offset: 1, limit: Number.POSITIVE_INFINITY }

describe.each(environments)('$name', (environment) => {
  let real
  beforeAll(async () => {
    real = await openReal(environment)
    await mkdir(join(real.folder, 'links'))
  })
  afterAll(() => real?.close())

  const path = (name) => `/workspace/${name}`
  const put = async (name, content) => {
    await real.backend.writeFile(path(name), content)
    return path(name)
  }

  it.concurrent.each(NAMES)('case 14: a file named %j, by page and through links', async (name) => {
    const at = await put(name, `of ${name.length}\nsecond`)
    const target = `../${name}`
    await symlink(target, join(real.folder, 'links', name))
    const expected = [`of ${name.length}`, 'second']
    expect((await real.backend.readLines(at, ALL)).lines).toEqual(expected)
    const link = `/workspace/links/${name}`
    expect(await real.backend.realpath(link)).toBe(at)
    expect((await real.backend.readLines(link, ALL)).lines).toEqual(expected)
    expect(await real.backend.stat(link)).toEqual({
      type: 'file',
      size: Buffer.byteLength(expected.join('\n')),
      mtimeMs: 0,
    })
    await real.backend.remove(at)
    expect(await real.backend.stat(link)).toBe(undefined)
    expect((await rejectionOf(real.backend.realpath(link))).message).toMatch(/^ENOENT: /)
  })

  it('an absolute target is one of the sandbox', async () => {
    await put('deep/er/file', 'x')
    await symlink('/workspace/deep', join(real.folder, 'absolute'))
    await symlink('/workspace/absolute/er/../er', join(real.folder, 'absolute2'))
    expect(await real.backend.realpath('/workspace/absolute2/file')).toBe('/workspace/deep/er/file')
    expect(await real.backend.stat('/workspace/absolute2')).toEqual({
      type: 'dir',
      size: 0,
      mtimeMs: 0,
    })
  })

  describe('pages', () => {
    const numbers = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`)

    it.each([
      ['the first', { offset: 1, limit: 3 }, numbers.slice(0, 3), undefined],
      ['one in the middle', { offset: 20, limit: 2 }, numbers.slice(19, 21), undefined],
      ['the last, just so', { offset: 49, limit: 2 }, numbers.slice(48), 50],
      ['beyond the end', { offset: 49, limit: 100 }, numbers.slice(48), 50],
      ['behind the end', { offset: 51, limit: 10 }, [], 50],
      ['all', ALL, numbers, 50],
      ['all, by a large number', { offset: 1, limit: Number.MAX_SAFE_INTEGER }, numbers, 50],
      ['none', { offset: 5, limit: 0 }, [], undefined],
      ['from NaN', { offset: Number.NaN, limit: 1 }, numbers.slice(0, 1), undefined],
      ['from before the start', { offset: -7, limit: 1.9 }, numbers.slice(0, 1), undefined],
    ])('%s', async (_name, range, lines, total) => {
      for (const end of ['', '\n']) {
        const text = numbers.join('\n') + end
        const at = await put('numbers.txt', text)
        expect(await real.backend.readLines(at, range)).toStrictEqual({
          head: Uint8Array.from(Buffer.from(text)),
          size: text.length,
          lines,
          total,
        })
      }
    })

    it('an empty file has one empty line', async () => {
      const at = await put('empty', '')
      const expected = { head: new Uint8Array(), size: 0, total: 1 }
      expect(await real.backend.readLines(at, ALL)).toStrictEqual({ ...expected, lines: [''] })
      expect(await real.backend.readLines(at, { offset: 2, limit: 5 })).toStrictEqual({
        ...expected,
        lines: [],
      })
    })

    it.each([
      ['one newline', '\n', [''], 1],
      ['empty lines', '\n\n\na\n\n', ['', '', '', 'a', ''], 5],
      ['CRLF', 'a\r\nb\r\n', ['a\r', 'b\r'], 2],
      ['white space', ' a \n\t\n', [' a ', '\t'], 2],
      ['backslashes', 'a\\nb\n\\\n%s %d\n', ['a\\nb', '\\', '%s %d'], 3],
      ['non-ASCII', 'größe\n日本😀\n', ['größe', '日本😀'], 2],
      ['what looks like a page', '@lines\ntotal 1\nmore\n', ['@lines', 'total 1', 'more'], 3],
    ])('%s', async (_name, text, lines, total) => {
      const page = await real.backend.readLines(await put('text', text), ALL)
      expect({ lines: page.lines, total: page.total, size: page.size }).toEqual({
        lines,
        total,
        size: Buffer.byteLength(text),
      })
    })

    it('stops behind 64 KiB, and goes on from there', async () => {
      const line = 'x'.repeat(999)
      const at = await put('big', `${line}\n`.repeat(2000))
      const first = await real.backend.readLines(at, ALL)
      // The line that goes over the limit is the last one.
      expect(first.lines.length).toBe(66)
      expect(first.total).toBe(undefined)
      const lastOffset = 2000 - 65 + 1
      const last = await real.backend.readLines(at, { ...ALL, offset: lastOffset })
      expect(last.lines.length).toBe(65)
      expect(last.total).toBe(2000)
    })

    it('a very long line comes whole', async () => {
      const long = 'ab'.repeat(500_000)
      const at = await put('long', `${long}\nnext\n`)
      const page = await real.backend.readLines(at, ALL)
      expect(page.lines.length).toBe(1)
      expect(page.lines[0] === long).toBe(true)
      expect(page.total).toBe(undefined)
      expect(page.size).toBe(1_000_006)
      expect(page.head.length).toBe(8192)
    })

    it('a binary file: the head tells what it is', async () => {
      const content = Uint8Array.from({ length: 20_000 }, (_, index) => (index * 31) % 256)
      const at = await put('binary', content)
      const page = await real.backend.readLines(at, { offset: 1, limit: 5 })
      expect(Buffer.compare(page.head, content.subarray(0, 8192))).toBe(0)
      expect(page.size).toBe(20_000)
    })

    it('a file that is not there, and a folder', async () => {
      const missing = await rejectionOf(real.backend.readLines('/workspace/gone', ALL))
      expect(missing.message).toMatch(/^Cannot read \/workspace\/gone: .*\S$/s)
      const folder = await rejectionOf(real.backend.readLines('/workspace/links', ALL))
      expect(folder.message).toMatch(/^Cannot read \/workspace\/links: /)
    })
  })

  it('readdir, with links of every kind', async () => {
    const folder = join(real.folder, 'kinds')
    await mkdir(join(folder, 'dir'), { recursive: true })
    await writeFile(join(folder, 'file'), '')
    await symlink('dir', join(folder, 'to-dir'))
    await symlink('file', join(folder, 'to-file'))
    await symlink('gone', join(folder, 'to-gone'))
    const entries = await real.backend.readdir('/workspace/kinds')
    expect(Object.fromEntries(entries.map(({ name, type }) => [name, type]))).toEqual({
      dir: 'dir',
      file: 'file',
      'to-dir': 'link',
      'to-file': 'link',
      'to-gone': 'link',
    })
  })
})
