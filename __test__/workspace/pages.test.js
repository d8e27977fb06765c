/** "The reading of a page", from outputs as a sandbox gives them. Real tools are in `real/`. */

import { describe, expect, it } from 'vitest'
import { memorySandbox, result } from './support/memory-sandbox.js'
import { rejectionOf } from './support/settle.js'
import { sandboxWorkspaceBackend } from './support/subject.js'

function read(stdout, { offset = 1, limit = 100 } = {}) {
  const { handle } = memorySandbox({}, { exec: () => result(stdout) })
  return sandboxWorkspaceBackend(handle).readLines('/a', { offset, limit })
}

const bytes = (...values) => Uint8Array.from(values)

describe('a page', () => {
  it('has size, head, lines and total', async () => {
    const page = await read('4\n 61 0a 62 0a\n@lines\na\nb\ntotal 2\n')
    expect(page).toStrictEqual({
      size: 4,
      head: bytes(0x61, 0x0a, 0x62, 0x0a),
      lines: ['a', 'b'],
      total: 2,
    })
    expect(Object.keys(page)).toEqual(['head', 'size', 'lines', 'total'])
  })

  it('more gives total: undefined', async () => {
    const page = await read('4\n 61 0a\n@lines\na\nmore\n')
    expect(page).toStrictEqual({ size: 4, head: bytes(0x61, 0x0a), lines: ['a'], total: undefined })
    expect('total' in page).toBe(true)
  })

  it('the head is bytes: a Uint8Array with memory of its own', async () => {
    const { head } = await read('300\n 00 ff\n 80  7f\n@lines\nmore\n')
    expect(Object.getPrototypeOf(head)).toBe(Uint8Array.prototype)
    expect([...head]).toEqual([0, 255, 128, 127])
    expect(head.buffer.byteLength).toBe(4)
  })

  it('a head of 8 KiB, in the rows of od', async () => {
    const expected = Uint8Array.from({ length: 8192 }, (_, index) => (index * 7) % 256)
    const rows = Array.from({ length: 512 }, (_, row) =>
      [...expected.subarray(row * 16, row * 16 + 16)]
        .map((byte) => ` ${byte.toString(16).padStart(2, '0')}`)
        .join(''),
    )
    const { head } = await read(`9000\n${rows.join('\n')}\n@lines\nmore\n`)
    expect(Buffer.compare(head, expected)).toBe(0)
  })

  it.each([
    ['from the first line', 1, ['']],
    ['from a later line', 2, []],
    ['from before the file', -5, ['']],
    ['from NaN', Number.NaN, ['']],
  ])('an empty file has one empty line: %s', async (_name, offset, lines) => {
    const expected = { size: 0, head: bytes(), lines, total: 1 }
    expect(await read('0\n@lines\ntotal 0\n', { offset })).toStrictEqual(expected)
    expect(await read('       0\n\n@lines\ntotal 0\n', { offset })).toStrictEqual(expected)
  })

  it('a line that looks like a part of the page is a line', async () => {
    const lines = ['@lines', 'total 5', 'more', '', 'total 1']
    const page = await read(`40\n 40\n@lines\n${lines.join('\n')}\ntotal 5\n`)
    expect(page.lines).toEqual(lines)
    expect(page.total).toBe(5)
  })

  it('lines are as they are: CR, NUL, marks, lone surrogates, separators', async () => {
    const lines = ['a\r', '\u0000', '\ufeffb', '\ud800', '\u2028', '\u0085', '\t ', '漢😀']
    const page = await read(`40\n 61\n@lines\n${lines.join('\n')}\ntotal 8\n`)
    expect(page.lines).toEqual(lines)
  })

  it('a very long line, and many lines', async () => {
    const long = 'x'.repeat(5_000_000)
    const many = Array.from({ length: 100_000 }, (_, index) => `${index}`)
    const page = await read(`9\n 61\n@lines\n${long}\n${many.join('\n')}\nmore\n`)
    expect(page.lines.length).toBe(100_001)
    expect(page.lines[0] === long).toBe(true)
    expect(page.lines.at(-1)).toBe('99999')
  })

  it.each([
    ['total 0 without lines', '5\n@lines\ntotal 0\n', 0],
    ['many digits', '5\n@lines\ntotal 12345678901\n', 12_345_678_901],
    ['leading zeros', '5\n@lines\ntotal 007\n', 7],
  ])('%s', async (_name, stdout, total) => {
    expect(await read(stdout)).toStrictEqual({ size: 5, head: bytes(), lines: [], total })
  })

  it('a size above 4 GiB', async () => {
    expect((await read('5000000000\n 61\n@lines\nmore\n')).size).toBe(5_000_000_000)
  })
})

describe('case 15: page outputs of a stubbed exec', () => {
  const notAPage = new Error('readLines: the output of the sandbox is not a page.')

  it('a padded wc works, with size and head right', async () => {
    for (const padded of ['       3', '\t3 ', '3\r', '\u00a03\u2028']) {
      expect(await read(`${padded}\n   61 62   0a \n@lines\nab\ntotal 1\n`)).toStrictEqual({
        size: 3,
        head: bytes(0x61, 0x62, 0x0a),
        lines: ['ab'],
        total: 1,
      })
    }
  })

  it('CRLF line ends are not a page', async () => {
    expect(await rejectionOf(read('3\r\n 61\r\n@lines\r\nab\r\ntotal 1\r\n'))).toEqual(notAPage)
  })

  it('a warning line after "total 1" is not a page', async () => {
    const stdout = '3\n 61\n@lines\nab\ntotal 1\nwarning: locale not supported\n'
    expect(await rejectionOf(read(stdout))).toEqual(notAPage)
  })

  it('no last newline works', async () => {
    expect((await read('3\n 61\n@lines\nab\ntotal 1')).lines).toEqual(['ab'])
    expect((await read('3\n 61\n@lines\nab\nmore')).total).toBe(undefined)
  })
})
