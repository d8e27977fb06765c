/** "Exact strings": each row of the contract's table is a part of the interface. */

import { describe, expect, it } from 'vitest'
import { memorySandbox, plainCalls, result } from './support/memory-sandbox.js'
import { rejectionOf } from './support/settle.js'
import { sandboxWorkspaceBackend } from './support/subject.js'

const AWK =
  'NR >= e { more = 1; exit } NR >= o { print; n += length($0) + 1; if (n > max) e = NR + 1 } ' +
  'END { if (more) print "more"; else print "total " NR }'

/** A backend on a sandbox whose `exec` gives `answer`, and what it was called with. */
function withExec(answer, tree = {}) {
  const { handle, calls } = memorySandbox(tree, { exec: answer })
  const commands = () =>
    plainCalls(calls)
      .filter(([method]) => method === 'process.exec')
      .map(([, ...args]) => args)
  return { backend: sandboxWorkspaceBackend(handle), commands }
}

async function messageOf(promise) {
  const error = await rejectionOf(promise)
  expect(error.constructor).toBe(Error)
  return error.message
}

describe('readlink', () => {
  it.each([
    ['/a/link', '/a', "readlink -- 'link'"],
    ["/a/it's", '/a', "readlink -- 'it'\\''s'"],
    ["/a/''", '/a', "readlink -- ''\\'''\\'''"],
    ['/a/b c\nd', '/a', "readlink -- 'b c\nd'"],
    ['/-n', '/', "readlink -- '-n'"],
    ['/a b/$(x)`y`"\\', '/a b', "readlink -- '$(x)`y`\"\\'"],
    ['/ä/😀', '/ä', "readlink -- '😀'"],
  ])('%j', async (path, cwd, command) => {
    const { backend, commands } = withExec(undefined, { [path]: { link: '/' } })
    const { signal } = new AbortController()
    expect(await backend.realpath(path, { signal })).toBe('/')
    expect(commands()).toStrictEqual([[command, { cwd, signal }]])
    expect(commands()[0][1].signal).toBe(signal)
  })

  it('has the key signal also where there is none', async () => {
    const { backend, commands } = withExec(undefined, { '/l': { link: '/' } })
    await backend.stat('/l')
    await backend.stat('/l', {})
    const call = ["readlink -- 'l'", { cwd: '/', signal: undefined }]
    expect(commands()).toStrictEqual([call, call])
  })
})

describe('readlink failed', () => {
  it.each([
    [' it broke \n', 'it broke'],
    ['', ''],
    ['\ufeff\u00a0\u2028a\u0085\u3000\n', 'a\u0085'],
    ['two\nlines\n\n', 'two\nlines'],
  ])('%j', async (stderr, text) => {
    const { backend } = withExec(() => result('/x\n', 1, stderr), { '/a/l': { link: 'x' } })
    expect(await messageOf(backend.realpath('/a/./l/b'))).toBe(`Cannot read the link /a/l: ${text}`)
    expect(await messageOf(backend.stat('/a/l'))).toBe(`Cannot read the link /a/l: ${text}`)
  })
})

describe('too many links', () => {
  it('names the path of the caller', async () => {
    const { backend } = withExec(undefined, { '/a': { link: 'b' }, '/b': { link: 'a' } })
    expect(await messageOf(backend.realpath('a/../b/x'))).toBe('ELOOP: too many links in a/../b/x.')
    expect(await messageOf(backend.stat('/a'))).toBe('ELOOP: too many links in /a.')
  })
})

describe('realpath without lstat', () => {
  it('is refused, with no call of the sandbox', async () => {
    const { handle, calls } = memorySandbox({ '/a': { file: '' } }, { lstat: false })
    const backend = sandboxWorkspaceBackend(handle)
    expect(await messageOf(backend.realpath('/a'))).toBe(
      'This sandbox has no lstat, so links in /a cannot be checked.',
    )
    expect(calls).toEqual([])
  })
})

describe('realpath, dangling', () => {
  it('names the path of the caller', async () => {
    const { backend } = withExec(undefined, { '/a/l': { link: 'gone' } })
    expect(await messageOf(backend.realpath('/a//l'))).toBe(
      'ENOENT: /a//l is a link to a target that is not there.',
    )
  })
})

describe('remove, not a file', () => {
  it.each(['/dir', '/gone', '/dangling', '/to-dir'])('%s', async (path) => {
    const { handle, calls } = memorySandbox({
      '/dir': 'dir',
      '/dangling': { link: 'gone' },
      '/to-dir': { link: 'dir' },
    })
    expect(await messageOf(sandboxWorkspaceBackend(handle).remove(path))).toBe(
      `Cannot remove ${path}: no such file.`,
    )
    expect(calls.filter(({ method }) => method === 'fs.remove')).toEqual([])
  })
})

describe('readLines', () => {
  const page = () => result('0\n@lines\ntotal 0\n')

  it.each([
    ['/a/file.txt', 1, 10, '/a', "'./file.txt'", 1, 11],
    ["/a/it's", 5, 1, '/a', "'./it'\\''s'", 5, 6],
    ['-n', 1, 0, '.', "'./-n'", 1, 1],
    ['/v=1.txt', 0, 2, '/', "'./v=1.txt'", 1, 3],
    ['/a/b/', -3.5, 2.9, '/a', "'./b'", 1, 3],
    ['/a\nb', 2.9, -1, '/', "'./a\nb'", 2, 2],
    ['/', 1, 1, '/', "'./'", 1, 2],
    ['', 1, 1, '.', "'./'", 1, 2],
    ['/a', 1e15, 1e15, '/', "'./a'", '1000000000000000', '2000000000000000'],
  ])('%j from %d, %d lines', async (path, offset, limit, cwd, name, first, end) => {
    const { backend, commands } = withExec(page)
    const { signal } = new AbortController()
    await backend.readLines(path, { offset, limit, signal })
    const command =
      `wc -c < ${name} && od -An -v -tx1 -N 8192 ${name} && echo @lines && ` +
      `awk -v o=${first} -v e=${end} -v max=65536 '${AWK}' ${name}`
    expect(commands()).toStrictEqual([[command, { cwd, signal }]])
  })

  it('failed', async () => {
    const { backend } = withExec(() => result('', 2, 'sh: cannot open x\n'))
    expect(await messageOf(backend.readLines('/a/x', { offset: 1, limit: 1 }))).toBe(
      'Cannot read /a/x: sh: cannot open x',
    )
  })

  it.each([
    '',
    '\n',
    '5\n',
    '5\n@lines\n',
    '5\n@lines\nline\n',
    '@lines\ntotal 1\n',
    'total 1\n',
    '5\n@lines\nmore \n',
    '5\n@lines\ntotal x\n',
    '5\n@lines\ntotal 1\n\n',
    '5\n@lines\ntotal \u0661\n',
    '5\n@lines\nMORE\n',
  ])('garbled: %j', async (stdout) => {
    const { backend } = withExec(() => result(stdout))
    expect(await messageOf(backend.readLines('/a', { offset: 1, limit: 1 }))).toBe(
      'readLines: the output of the sandbox is not a page.',
    )
  })
})

describe('process start', () => {
  it('is asked of ps, with no options', async () => {
    const { handle, calls } = memorySandbox(
      {},
      {
        exec: () => result(' Mon Jan  1 00:00:00 2024 \n'),
        spawn: () => ({ pid: 77, stdout: [], stderr: [], wait: async () => 0 }),
      },
    )
    const job = sandboxWorkspaceBackend(handle).spawn('x')
    expect(await job.jobId).toBe('77:Mon Jan  1 00:00:00 2024')
    expect(plainCalls(calls).slice(1)).toStrictEqual([
      ['process.exec', 'LC_ALL=C ps -o lstart= -p 77'],
    ])
  })
})

describe('alive', () => {
  it('is asked of kill where ps tells nothing', async () => {
    const { backend, commands } = withExec(() => result('', 1))
    expect(await backend.killJob('77:x')).toBe(false)
    expect(commands()).toStrictEqual([['LC_ALL=C ps -o lstart= -p 77'], ['kill -0 77']])
  })
})

describe('kill', () => {
  it('of the group, then of the process', async () => {
    const { backend, commands } = withExec(() => result('start\n'))
    expect(await backend.killJob('77:start')).toBe(true)
    expect(commands()).toStrictEqual([
      ['LC_ALL=C ps -o lstart= -p 77'],
      ['kill -9 -- -77 2>/dev/null || kill -9 -77 2>/dev/null || kill -9 77'],
    ])
  })
})

describe('unverifiable job', () => {
  it.each(['77', '77:start'])('%s', async (jobId) => {
    const { backend, commands } = withExec((command) =>
      result('', command === 'kill -0 77' ? 0 : 1),
    )
    expect(await messageOf(backend.killJob(jobId))).toBe(
      'Cannot check that process 77 in the sandbox is the job: no start time from ps.',
    )
    expect(commands()).toStrictEqual([['LC_ALL=C ps -o lstart= -p 77'], ['kill -0 77']])
  })
})
