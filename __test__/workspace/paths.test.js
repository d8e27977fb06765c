/** Path arithmetic is `path.posix` for every input, seen through what the sandbox is asked for. */

import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memorySandbox, result } from './support/memory-sandbox.js'
import { outcomeOf } from './support/settle.js'
import { sandboxWorkspaceBackend } from './support/subject.js'

const PAGE = result('0\n@lines\ntotal 0\n')
const RUNS = 5000

/** Paths that are mostly separators and dots. */
const oddPath = fc
  .array(
    fc.constantFrom(
      '/',
      '/',
      '//',
      '.',
      '..',
      '...',
      'a',
      'bc',
      '.a',
      'a.',
      ' ',
      "'",
      '\\',
      'é',
      '😀',
      '\n',
      '-',
      '~',
      'C:',
      '\u0000',
      '\u2028',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const anyPath = fc.oneof(oddPath, oddPath, oddPath, fc.string({ unit: 'binary' }))

async function readLinesCall(path) {
  const { handle, calls } = memorySandbox({}, { exec: () => PAGE })
  await sandboxWorkspaceBackend(handle).readLines(path, { offset: 1, limit: 1 })
  const [command, { cwd }] = calls[0].args
  return { cwd, name: /^wc -c < (.*?) && od -An/s.exec(command)[1] }
}

/** The paths that `realpath` asks for, where everything is a folder. */
async function lstatPaths(path) {
  const { handle, calls } = memorySandbox()
  handle.fs.lstat = async (...args) => {
    calls.push({ args })
    return { type: 'dir', mode: 0 }
  }
  const real = await sandboxWorkspaceBackend(handle).realpath(path)
  return { real, asked: calls.map(({ args }) => args[0]) }
}

/** The paths that `realpath` asks for behind a link at `at`. */
async function pathsBehind(at, target) {
  const { handle } = memorySandbox({}, { exec: () => result(`${target}\n`) })
  const asked = []
  handle.fs.lstat = async (path) => {
    asked.push(path)
    return { type: path === at && asked.length === depthOf(at) ? 'symlink' : 'dir', mode: 0 }
  }
  const outcome = await outcomeOf(sandboxWorkspaceBackend(handle).realpath(at))
  return { outcome, asked: asked.slice(depthOf(at)) }
}

function depthOf(path) {
  return path.split('/').filter(Boolean).length
}

describe('dirname and basename', () => {
  it(`as posix has them, for ${RUNS} odd paths`, async () => {
    await fc.assert(
      fc.asyncProperty(anyPath, async (path) => {
        const quoted = `./${posix.basename(path)}`.replaceAll("'", "'\\''")
        expect(await readLinesCall(path)).toEqual({ cwd: posix.dirname(path), name: `'${quoted}'` })
      }),
      { numRuns: RUNS },
    )
  })

  it.each([
    '',
    '/',
    '//',
    '///',
    '.',
    './',
    '..',
    '../',
    'a',
    'a/',
    'a//',
    '/a',
    '/a/',
    '//a',
    '//a//b//',
    '/.',
    '/..',
    'a/.',
    'a/..',
    '/a/b/.',
  ])('%j', async (path) => {
    const { cwd, name } = await readLinesCall(path)
    expect(cwd).toBe(posix.dirname(path))
    expect(name).toBe(`'./${posix.basename(path)}'`)
  })
})

describe('resolve and join', () => {
  it(`as posix has them, for ${RUNS} odd paths`, async () => {
    await fc.assert(
      fc.asyncProperty(anyPath, async (path) => {
        const real = posix.resolve('/', path)
        const parts = real.split('/').filter(Boolean)
        const asked = parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
        expect(await lstatPaths(path)).toEqual({ real, asked })
      }),
      { numRuns: RUNS },
    )
  })

  it('.. at the root stays at the root', async () => {
    expect(await lstatPaths('/../../../a/../../b')).toEqual({ real: '/b', asked: ['/b'] })
  })
})

describe('the target of a link', () => {
  it('part by part: . is nothing, .. the parent, // one separator', async () => {
    const target = oddPath.filter((path) => path !== '')
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('/l', '/d/l', '/d/e/l'), target, async (at, text) => {
        let real = text.startsWith('/') ? '/' : posix.dirname(at)
        const asked = []
        for (const part of text.split('/').filter(Boolean)) {
          if (part === '.') continue
          real = posix.join(real, part)
          if (part !== '..') asked.push(real)
        }
        expect(await pathsBehind(at, text)).toEqual({ outcome: { value: real }, asked })
      }),
      { numRuns: RUNS / 2 },
    )
  })
})
