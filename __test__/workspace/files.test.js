/** `stat`, `realpath`, `readdir` and `remove`: "Behaviour worth a test each". */

import { describe, expect, it } from 'vitest'
import { memorySandbox, plainCalls, result } from './support/memory-sandbox.js'
import { rejectionOf } from './support/settle.js'
import { sandboxWorkspaceBackend } from './support/subject.js'

const tree = {
  '/w/file': { file: 'twelve bytes' },
  '/w/empty': { file: '' },
  '/w/dir/inner': { file: 'x' },
  '/w/fifo': 'other',
  '/w/to-file': { link: 'file' },
  '/w/to-dir': { link: './dir/' },
  '/w/to-fifo': { link: 'fifo' },
  '/w/absolute': { link: '/w/to-file' },
  '/w/dangling': { link: 'gone' },
  '/w/dangling-deep': { link: 'dir/gone/deeper' },
  '/w/loop': { link: 'pool' },
  '/w/pool': { link: 'loop' },
  '/other/up': { link: '../w/dir/../file' },
  '/other/dir': { link: '/w/dir' },
  '/other/parent': { link: 'dir/..' },
}

function open(options) {
  const { handle, calls } = memorySandbox(tree, options)
  return { backend: sandboxWorkspaceBackend(handle), calls }
}

const file = (size) => ({ type: 'file', size, mtimeMs: 0 })
const dir = { type: 'dir', size: 0, mtimeMs: 0 }

describe('stat', () => {
  it.each([
    ['/w/file', file(12)],
    ['/w/empty', file(0)],
    ['/w/dir', dir],
    ['/', dir],
    ['/w/gone', undefined],
    ['/w/file/below', undefined],
    ['/w/to-dir/inner', file(1)],
  ])('%s', async (path, expected) => {
    expect(await open().backend.stat(path)).toStrictEqual(expected)
  })

  it.each([
    ['/w/to-file', file(12)],
    ['/w/absolute', file(12)],
    ['/other/up', file(12)],
    ['/w/to-dir', dir],
    ['/other/parent', dir],
  ])('of a link is that of its target, size too: %s', async (path, expected) => {
    expect(await open().backend.stat(path)).toStrictEqual(expected)
  })

  it.each(['/w/fifo', '/w/to-fifo'])('of a fifo or a socket is an empty file: %s', async (path) => {
    expect(await open().backend.stat(path)).toStrictEqual(file(0))
  })

  it.each(['/w/dangling', '/w/dangling-deep'])(
    'of a dangling link is undefined: %s',
    async (path) => {
      expect(await open().backend.stat(path)).toBe(undefined)
    },
  )

  it('of a loop throws', async () => {
    expect((await rejectionOf(open().backend.stat('/w/loop'))).message).toMatch(/^ELOOP/)
  })

  it('never reads the file, and asks for a plain file once, by the path as given', async () => {
    const { backend, calls } = open()
    await backend.stat('/w//./file')
    expect(plainCalls(calls)).toStrictEqual([['fs.lstat', '/w//./file', undefined]])
  })

  it('of a link asks for the link, for each part, and for the target', async () => {
    const { backend, calls } = open()
    await backend.stat('/w/to-file')
    expect(calls.map(({ args }) => args[0])).toEqual([
      '/w/to-file',
      '/w',
      '/w/to-file',
      "readlink -- 'to-file'",
      '/w/file',
      '/w/file',
    ])
  })
})

describe('stat without lstat', () => {
  const open2 = () => open({ lstat: false })

  it.each([
    ['/w/file', file(12), ['fs.exists', 'fs.readBytes']],
    ['/w/to-file', file(12), ['fs.exists', 'fs.readBytes']],
    ['/w/empty', file(0), ['fs.exists', 'fs.readBytes']],
    ['/w/gone', undefined, ['fs.exists']],
    ['/w/dangling', undefined, ['fs.exists']],
  ])('exists, then readBytes: %s', async (path, expected, methods) => {
    const { backend, calls } = open2()
    expect(await backend.stat(path)).toStrictEqual(expected)
    expect(calls.map(({ method }) => method)).toEqual(methods)
  })

  it.each(['/w/dir', '/w/to-dir', '/w/fifo'])('unreadable means folder: %s', async (path) => {
    expect(await open2().backend.stat(path)).toStrictEqual(dir)
  })

  it('readBytes that throws synchronously, or gives nothing, means folder', async () => {
    const { handle } = memorySandbox(tree, { lstat: false })
    const backend = sandboxWorkspaceBackend(handle)
    handle.fs.readBytes = () => {
      throw new Error('EISDIR')
    }
    expect(await backend.stat('/w/file')).toStrictEqual(dir)
    handle.fs.readBytes = async () => undefined
    expect(await backend.stat('/w/file')).toStrictEqual(dir)
  })

  it('the size of bytes is in bytes, whatever view they are', async () => {
    const { handle } = memorySandbox(tree, { lstat: false })
    const backend = sandboxWorkspaceBackend(handle)
    for (const bytes of [Buffer.alloc(100).subarray(10, 13), new Uint8Array(3)]) {
      handle.fs.readBytes = async () => bytes
      expect(await backend.stat('/w/file')).toStrictEqual(file(3))
    }
  })

  it('readdir tells links by the type of their target, in one call', async () => {
    const { backend, calls } = open2()
    expect((await backend.readdir('/w')).every(({ type }) => type !== 'link')).toBe(true)
    expect(calls.length).toBe(1)
  })

  it('remove works by reading', async () => {
    const { backend, calls } = open2()
    await backend.remove('/w/to-file')
    expect(calls.map(({ method }) => method)).toEqual(['fs.exists', 'fs.readBytes', 'fs.remove'])
  })
})

describe('realpath', () => {
  it.each([
    ['/', '/'],
    ['', '/'],
    ['.', '/'],
    ['../..', '/'],
    ['/w/file', '/w/file'],
    ['w/file', '/w/file'],
    ['//w///./dir/../file/', '/w/file'],
    ['/w/to-file', '/w/file'],
    ['/w/to-dir', '/w/dir'],
    ['/w/to-dir/inner', '/w/dir/inner'],
    ['/w/gone/../file', '/w/file'],
  ])('%j is %j', async (path, real) => {
    expect(await open().backend.realpath(path)).toBe(real)
  })

  it(".. after a link goes to the parent of the link's target", async () => {
    expect(await open().backend.realpath('/other/parent')).toBe('/w')
    expect(await open().backend.realpath('/other/parent/file')).toBe('/w/file')
  })

  it('.. in the path itself is taken before links are', async () => {
    expect(await open().backend.realpath('/other/dir/../up')).toBe('/w/file')
  })

  it('absolute targets restart at /', async () => {
    expect(await open().backend.realpath('/w/absolute')).toBe('/w/file')
    expect(await open().backend.realpath('/other/dir/inner')).toBe('/w/dir/inner')
  })

  it.each(['/w/gone', '/gone', '/w/dir/gone/x', '/w/to-dir/gone', '/w/file/x'])(
    'a missing part of the path itself is undefined: %s',
    async (path) => {
      expect(await open().backend.realpath(path)).toBe(undefined)
    },
  )

  it.each(['/w/dangling', '/w/dangling/x', '/w/dangling-deep'])(
    'a missing part that came from a link is "target": %s',
    async (path) => {
      expect((await rejectionOf(open().backend.realpath(path))).message).toBe(
        `ENOENT: ${path} is a link to a target that is not there.`,
      )
    },
  )

  it('a part of a link that is behind another link of its target is "target" too', async () => {
    const { handle } = memorySandbox({
      '/a': { link: 'b/gone' },
      '/b': { link: 'c' },
      '/c': 'dir',
    })
    const error = await rejectionOf(sandboxWorkspaceBackend(handle).realpath('/a/x'))
    expect(error.message).toMatch(/^ENOENT: \/a\/x is a link/)
  })

  it('null for nothing is nothing', async () => {
    const { handle } = memorySandbox()
    handle.fs.lstat = async () => null
    const backend = sandboxWorkspaceBackend(handle)
    expect(await backend.realpath('/a')).toBe(undefined)
    expect(await backend.stat('/a')).toBe(undefined)
  })

  it.each(['a\nb', "it's", '"', 'with space', '-n', 'größe', '日本', '😀', '$HOME', '\\', '*'])(
    'names: %j',
    async (name) => {
      const { handle } = memorySandbox({
        [`/w/${name}`]: { file: '' },
        [`/w/d/${name}`]: { link: `../${name}` },
        '/l': { link: `w/d/${name}` },
      })
      expect(await sandboxWorkspaceBackend(handle).realpath('/l')).toBe(`/w/${name}`)
    },
  )

  it('a target with a trailing newline in its name loses one newline only', async () => {
    const { handle } = memorySandbox({ '/l': { link: 'a\n' }, '/a\n': { file: '' } })
    expect(await sandboxWorkspaceBackend(handle).realpath('/l')).toBe('/a\n')
  })

  it('a target whose newline the sandbox has cut off already', async () => {
    const { handle } = memorySandbox(
      { '/l': { link: 'a' }, '/a': { file: '' } },
      { exec: () => result('a') },
    )
    expect(await sandboxWorkspaceBackend(handle).realpath('/l')).toBe('/a')
  })

  it('a target that is / alone', async () => {
    const { handle } = memorySandbox({ '/w/l': { link: '//' }, '/x': { file: '' } })
    expect(await sandboxWorkspaceBackend(handle).realpath('/w/l')).toBe('/')
    expect(await sandboxWorkspaceBackend(handle).realpath('/w/l/x')).toBe('/x')
  })
})

describe('readdir', () => {
  it('tells links from what they link to', async () => {
    const { backend, calls } = open()
    expect(await backend.readdir('/w')).toStrictEqual([
      { name: 'file', type: 'file' },
      { name: 'empty', type: 'file' },
      { name: 'dir', type: 'dir' },
      { name: 'fifo', type: 'file' },
      { name: 'to-file', type: 'link' },
      { name: 'to-dir', type: 'link' },
      { name: 'to-fifo', type: 'link' },
      { name: 'absolute', type: 'link' },
      { name: 'dangling', type: 'link' },
      { name: 'dangling-deep', type: 'link' },
      { name: 'loop', type: 'link' },
      { name: 'pool', type: 'link' },
    ])
    expect(calls.length).toBe(13)
  })

  it('an empty folder', async () => {
    const { handle } = memorySandbox({ '/w': 'dir' })
    expect(await sandboxWorkspaceBackend(handle).readdir('/w')).toStrictEqual([])
  })

  it('an entry that has gone meanwhile keeps its type', async () => {
    const { handle } = memorySandbox(tree)
    handle.fs.lstat = async () => undefined
    expect((await sandboxWorkspaceBackend(handle).readdir('/w'))[2]).toEqual({
      name: 'dir',
      type: 'dir',
    })
  })
})

describe('remove', () => {
  it('removes a file', async () => {
    const { handle, nodes } = memorySandbox(tree)
    expect(await sandboxWorkspaceBackend(handle).remove('/w/file')).toBe(undefined)
    expect(nodes.has('/w/file')).toBe(false)
  })

  it('of a link to a file removes the link', async () => {
    const { handle, nodes } = memorySandbox(tree)
    await sandboxWorkspaceBackend(handle).remove('/w/to-file')
    expect(nodes.has('/w/to-file')).toBe(false)
    expect(nodes.has('/w/file')).toBe(true)
  })
})
