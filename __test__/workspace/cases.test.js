/**
 * Cases 19 and 22 of the field: providers and callers that give what nobody expects. Cases 13, 14,
 * 16, 17 and 18 are in `real/`, 15 in `pages.test.js`, 16 also in `kill-job.test.js`, 20 and 21 in
 * `lifetime.test.js`.
 */

import { describe, expect, it } from 'vitest'
import { fakeProcess } from './support/fake-process.js'
import { memorySandbox, result } from './support/memory-sandbox.js'
import { outcomeOf, turn } from './support/settle.js'
import { sandboxWorkspaceBackend } from './support/subject.js'

/** Words of the libraries behind the package, which are no help to a caller. */
const BINDING_WORDS =
  /napi|serde|unwrap|panick|StringExpected|NumberExpected|ObjectExpected|failed to convert|rust|External|GenericFailure|expected `/i

/** Either `value` came through, or an Error says that `who` gave `what`. */
function expectPassedOnOrNamed(outcome, value, who, what) {
  if (!('error' in outcome)) {
    expect(outcome.value).toEqual(value)
    return
  }
  expect(outcome.error).toBeInstanceOf(Error)
  expect(outcome.error.message).not.toMatch(BINDING_WORDS)
  expect(outcome.error.message).toContain(who)
  expect(outcome.error.message).toContain(what)
}

describe('case 19: results that are no results', () => {
  const odd = [
    ['undefined', undefined],
    ['null', null],
    ['7', 7],
    ['text', 'text'],
    ['exitCode: null', { stdout: 'out', stderr: 'err', exitCode: null }],
    ['exitCode', { stdout: 'out', stderr: 'err' }],
    ["exitCode: '0'", { stdout: 'out', stderr: 'err', exitCode: '0' }],
    ['stdout', { exitCode: 0, stderr: '' }],
    ['stdout: null', { exitCode: 0, stdout: null, stderr: '' }],
    ['stderr', { exitCode: 1, stdout: '' }],
    ['stdout: [Uint8Array]', { exitCode: 0, stdout: new Uint8Array([97, 10]), stderr: '' }],
  ]

  it.each(odd)('exec passes it on: %s', async (_name, value) => {
    const { handle } = memorySandbox()
    handle.process.exec = async () => value
    expect(await sandboxWorkspaceBackend(handle).exec('x')).toBe(value)
  })

  it.each(odd)(
    'exec for readlink and readLines: an error that names it: %s',
    async (_name, value) => {
      const { handle } = memorySandbox({ '/a/l': { link: 'x' } })
      handle.process.exec = async () => value
      const backend = sandboxWorkspaceBackend(handle)
      const range = { offset: 1, limit: 1 }
      for (const [path, promise] of [
        ['/a/l', backend.realpath('/a/l')],
        ['/a/l', backend.stat('/a/l')],
        ['/a/b', backend.readLines('/a/b', range)],
      ]) {
        const { error } = await outcomeOf(promise)
        expect(error).toBeInstanceOf(Error)
        expect(error.message).not.toMatch(BINDING_WORDS)
        expect(error.message).toContain(path)
        // Without an exit code the command has failed, and its stderr says how.
        expect(error.message).toMatch(value?.stderr === 'err' ? /: err$/ : /exec/)
      }
    },
  )

  it.each(odd)('exec for killJob: no kill, and no crash: %s', async (_name, value) => {
    const { handle } = memorySandbox()
    const commands = []
    handle.process.exec = async (command) => {
      commands.push(command)
      return value
    }
    const outcome = await outcomeOf(sandboxWorkspaceBackend(handle).killJob('77:start'))
    expect(commands.some((command) => command.startsWith('kill -9'))).toBe(false)
    if ('error' in outcome) {
      expect(outcome.error).toBeInstanceOf(Error)
      expect(outcome.error.message).not.toMatch(BINDING_WORDS)
    } else {
      expect(outcome.value).toBe(false)
    }
  })

  it.each([
    ["'weird'", { type: 'weird' }],
    ['undefined', {}],
    ['null', { type: null }],
    ['7', { type: 7 }],
    ['[Function', { type: () => 0 }],
    ["'File'", { type: 'File', size: 5 }],
  ])('lstat with an unknown type (%s): stat says so', async (what, info) => {
    const { handle } = memorySandbox()
    handle.fs.lstat = async () => info
    const { error } = await outcomeOf(sandboxWorkspaceBackend(handle).stat('/a'))
    expect(error).toBeInstanceOf(Error)
    expect(error.message).not.toMatch(BINDING_WORDS)
    expect(error.message).toMatch(/^lstat of the sandbox gave an unknown type for \/a: /)
    if (typeof info.type === 'string') expect(error.message).toContain(what.slice(1, -1))
  })

  it.each([true, 7, 'text', [], () => 0])('lstat that gives %j: no crash', async (info) => {
    const { handle } = memorySandbox({ '/a': { file: '' } })
    handle.fs.lstat = async () => info
    const backend = sandboxWorkspaceBackend(handle)
    for (const promise of [backend.stat('/a'), backend.realpath('/a'), backend.readdir('/')]) {
      const outcome = await outcomeOf(promise)
      if ('error' in outcome) expect(outcome.error.message).not.toMatch(BINDING_WORDS)
    }
  })

  it('an unknown type is no link', async () => {
    const { handle } = memorySandbox({ '/a': { file: '' } })
    handle.fs.lstat = async () => ({ type: 'weird' })
    const backend = sandboxWorkspaceBackend(handle)
    expect(await backend.realpath('/a')).toBe('/a')
    expect(await backend.readdir('/')).toEqual([{ name: 'a', type: 'file' }])
  })

  it.each([
    ["'12'", '12'],
    ['null', null],
    ['undefined', undefined],
    ['12n', 12n],
    ['NaN', Number.NaN],
    ['-1', -1],
    ['1.5', 1.5],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['1e+300', 1e300],
    ['5000000000', 5_000_000_000],
  ])('lstat with the size %s: passed on, or an error that names it', async (text, size) => {
    const { handle } = memorySandbox()
    handle.fs.lstat = async () => ({ type: 'file', mode: 0, size })
    const outcome = await outcomeOf(sandboxWorkspaceBackend(handle).stat('/a'))
    expectPassedOnOrNamed(outcome, { type: 'file', size, mtimeMs: 0 }, 'lstat', text.slice(1, -1))
    // Any number is a size as far as the backend knows.
    if (typeof size === 'number') expect('value' in outcome).toBe(true)
  })

  it('getters that throw: what they throw', async () => {
    const error = new Error('of a getter')
    const withGetter = (key) =>
      Object.defineProperty({ type: 'file', exitCode: 0, stdout: '', stderr: '' }, key, {
        get: () => {
          throw error
        },
      })
    const { handle } = memorySandbox({ '/l': { link: 'x' } })
    const backend = sandboxWorkspaceBackend(handle)
    handle.process.exec = async () => withGetter('stdout')
    expect(await outcomeOf(backend.realpath('/l'))).toEqual({ error })
    handle.fs.lstat = async () => withGetter('type')
    expect(await outcomeOf(backend.stat('/l'))).toEqual({ error })
    expect(await outcomeOf(backend.realpath('/l'))).toEqual({ error })
    handle.fs.lstat = async () => withGetter('size')
    expect(await outcomeOf(backend.stat('/l'))).toEqual({ error })
    handle.fs.list = async () => [withGetter('name')]
    handle.fs.lstat = undefined
    expect(await outcomeOf(backend.readdir('/'))).toEqual({ error })
    Object.defineProperty(handle.process, 'exec', {
      get: () => {
        throw error
      },
    })
    expect(await outcomeOf(backend.readLines('/l', { offset: 1, limit: 1 }))).toEqual({ error })
  })

  it.each([undefined, null, 7, {}, 'text'])('list that gives %j: no crash', async (value) => {
    const { handle } = memorySandbox()
    handle.fs.list = async () => value
    const outcome = await outcomeOf(sandboxWorkspaceBackend(handle).readdir('/'))
    if ('error' in outcome) {
      expect(outcome.error).toBeInstanceOf(Error)
      expect(outcome.error.message).not.toMatch(BINDING_WORDS)
    } else {
      expect(outcome.value).toEqual([])
    }
  })

  it('proxies all the way down', async () => {
    const { handle } = memorySandbox({ '/w/f': { file: 'abc' }, '/w/l': { link: 'f' } })
    const wrap = (value) =>
      typeof value === 'object' && value !== null && !(value instanceof Promise)
        ? new Proxy(value, { get: (target, key) => wrap(Reflect.get(target, key, target)) })
        : value
    const backend = sandboxWorkspaceBackend(wrap(handle))
    expect(await backend.stat('/w/l')).toEqual({ type: 'file', size: 3, mtimeMs: 0 })
    expect(await backend.readdir('/w')).toEqual([
      { name: 'f', type: 'file' },
      { name: 'l', type: 'link' },
    ])
  })
})

describe('case 22: arguments that are none', () => {
  const odd = [
    undefined,
    null,
    7,
    -1,
    Number.NaN,
    5n,
    true,
    Symbol('s'),
    {},
    [],
    () => 0,
    new Date(0),
  ]

  it.each(odd)(
    'a path that is %s gives a JavaScript error or the original’s result',
    async (path) => {
      const { handle } = memorySandbox({}, { exec: () => result('0\n@lines\ntotal 0\n') })
      const backend = sandboxWorkspaceBackend(handle)
      const range = { offset: 1, limit: 1 }
      const attempts = [
        () => backend.stat(path),
        () => backend.realpath(path),
        () => backend.readdir(path),
        () => backend.remove(path),
        () => backend.readFile(path),
        () => backend.writeFile(path, path),
        () => backend.readLines(path, range),
        () => backend.exec(path),
        () => backend.killJob(path),
        () => backend.spawn(path).wait(),
      ]
      for (const attempt of attempts) {
        // Thrown or rejected.
        const outcome = await outcomeOf((async () => attempt())())
        if (!('error' in outcome)) continue
        expect(outcome.error).toBeInstanceOf(Error)
        expect(outcome.error.message).not.toMatch(BINDING_WORDS)
      }
    },
  )

  it.each(odd)('options that are %s', async (options) => {
    const { handle } = memorySandbox({ '/l': { link: 'x' } }, { spawn: () => fakeProcess(5) })
    const backend = sandboxWorkspaceBackend(handle)
    const attempts = [
      () => backend.stat('/l', options),
      () => backend.realpath('/l', options),
      () => backend.readLines('/l', options),
      () => backend.exec('x', options),
      () => backend.close(options),
      () => sandboxWorkspaceBackend(handle, options),
      () => sandboxWorkspaceBackend(options),
      () => backend.exec('x', { signal: options }),
      () => backend.readLines('/l', { offset: options, limit: options }),
    ]
    for (const attempt of attempts) {
      const outcome = await outcomeOf((async () => attempt())())
      if (!('error' in outcome)) continue
      expect(outcome.error).toBeInstanceOf(Error)
      expect(outcome.error.message).not.toMatch(BINDING_WORDS)
    }
    const job = backend.spawn('x', { onOutput: options })
    await turn()
    job.kill()
  })

  it('the methods may be called with new, or with a foreign this', async () => {
    const { handle } = memorySandbox({ '/a': { file: 'abc' } })
    const backend = sandboxWorkspaceBackend(handle)
    const other = { stat: backend.stat }
    expect((await other.stat('/a')).size).toBe(3)
    expect((await backend.stat.call(null, '/a')).size).toBe(3)
  })

  it('offsets and limits beyond 32 bits are not wrapped', async () => {
    const commands = []
    const { handle } = memorySandbox(
      {},
      { exec: (command) => commands.push(command) && result('0\n@lines\ntotal 0\n') },
    )
    const backend = sandboxWorkspaceBackend(handle)
    await backend.readLines('/a', { offset: 2 ** 32 + 5, limit: 2 ** 33 })
    expect(commands[0]).toContain('-v o=4294967301 -v e=12884901893 ')
  })
})
