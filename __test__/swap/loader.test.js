/** `node --import ai-sandbox-native/register`, in apps with an original that wasn't touched. */

import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { execute, root, writeFiles } from '../packaging/support/app.js'
import { nodeBinary } from '../support/runtime-binaries.js'
import { installLater, makeApp, runProgram, tryProgram } from './support/apps.js'
import {
  ERROR_CLASS,
  LATER_NATIVE,
  LATER_ORIGINAL,
  MIDDLEWARE,
  PROVIDER,
  WHOSE,
  whose,
} from './support/programs.js'

const SETUP_LIMIT_MS = 240_000
const FLAGS = ['--import', 'ai-sandbox-native/register']
const PROVIDER_PACKAGE = '@tanstack/ai-sandbox-local-process'

const nodes = [
  ['this Node', process.execPath],
  ['Node 22', await nodeBinary(22)],
  ['Node 26', await nodeBinary(26)],
].filter(([, node]) => node !== undefined)

let published
let later
beforeAll(async () => {
  published = await makeApp({ original: 'published', packages: [PROVIDER_PACKAGE] })
  later = await makeApp({ original: 'later' })
  cpSync(join(root, 'examples/local-sandbox'), join(later.folder, 'local-sandbox'), {
    recursive: true,
  })
}, SETUP_LIMIT_MS)
afterAll(() => {
  published?.remove()
  later?.remove()
}, SETUP_LIMIT_MS)

describe.each(nodes)('%s', (_, node) => {
  test('0.2.4: the functions of its runner are native, all else is its own', async () => {
    const before = await runProgram(published.folder, WHOSE, { node })
    const after = await runProgram(published.folder, WHOSE, { node, flags: FLAGS })
    expect(before.native).toEqual([])
    expect(after.native).toEqual(['spawnNdjson', 'toLines'])
    expect(after.names).toEqual(before.names)
  })

  test('0.2.4: its provider runs an agent', async () => {
    const printed = await runProgram(published.folder, PROVIDER, { node, flags: FLAGS })
    expect(printed).toEqual({ events: [{ a: 1 }], isInstance: true, isNative: true })
  })

  test('a later version: native is what we have, and what we lack is its own', async () => {
    const before = await runProgram(later.folder, WHOSE, { node })
    const after = await runProgram(later.folder, WHOSE, { node, flags: FLAGS })
    expect(before).toEqual({
      native: [],
      original: [...LATER_NATIVE, ...LATER_ORIGINAL].sort(),
      names: before.names,
    })
    expect(after).toEqual({
      native: LATER_NATIVE,
      original: LATER_ORIGINAL,
      names: before.names,
    })
  })

  test('its own modules read natively', async () => {
    const before = await runProgram(later.folder, MIDDLEWARE, { node })
    const after = await runProgram(later.folder, MIDDLEWARE, { node, flags: FLAGS })
    const read = { run: { lines: ['{"a":"é"}'] }, absent: { reason: 'journal-timeout' } }
    expect(before).toMatchObject({ ...read, ran: expect.arrayContaining(['readJournal']) })
    expect(after).toEqual({ ...read, ran: ['collectRun'] })
  })

  test('an error of native code is of the class that the original exports', async () => {
    const printed = await runProgram(later.folder, ERROR_CLASS, { node, flags: FLAGS })
    expect(printed).toEqual({ isInstance: true, reason: 'journal-stalled' })
  })

  test('a worker and a forked process have it, too', async () => {
    writeFiles(later.folder, {
      'worker.mjs': `import { ran, toLines } from '@tanstack/ai-sandbox'
        import { parentPort } from 'node:worker_threads'
        for await (const line of toLines(['a\\n'])) {
          if (parentPort) parentPort.postMessage([line, ...ran])
          else process.send([line, ...ran])
        }`,
    })
    const printed = await runProgram(
      later.folder,
      `import { fork } from 'node:child_process'
      import { once } from 'node:events'
      import { Worker } from 'node:worker_threads'
      const file = new URL('./worker.mjs', import.meta.url)
      const [worker] = await once(new Worker(file), 'message')
      const [forked] = await once(fork(file), 'message')
      console.log(JSON.stringify({ worker, forked }))`,
      { node, flags: FLAGS },
    )
    expect(printed).toEqual({ worker: ['a'], forked: ['a'] })
  })

  test('a CommonJS program has it through import()', async () => {
    writeFiles(later.folder, {
      'main.cjs': `Promise.all([import('@tanstack/ai-sandbox'), import('ai-sandbox-native/runner')])
        .then(([root, runner]) => console.log(root.toLines === runner.toLines))`,
    })
    const { stdout, stderr } = await execute(node, [...FLAGS, 'main.cjs'], { cwd: later.folder })
    expect({ stdout, stderr }).toEqual({ stdout: 'true\n', stderr: '' })
  })
})

describe('NODE_OPTIONS registers it, too, by the URL of its file', () => {
  const options = () => {
    const file = join(later.folder, 'node_modules/ai-sandbox-native/api/register.js')
    return { env: { NODE_OPTIONS: `--import=${pathToFileURL(file)}` } }
  }

  test('in the program', async () => {
    const printed = await runProgram(later.folder, WHOSE, options())
    expect(printed).toMatchObject({ native: LATER_NATIVE })
  })

  test('and leaves alone the programs of Node that it starts elsewhere', async () => {
    const program = `
      import { execFileSync } from 'node:child_process'
      import { tmpdir } from 'node:os'
      const options = { cwd: tmpdir(), encoding: 'utf8' }
      console.log(execFileSync(process.execPath, ['-p', '"agent".length'], options))`
    expect(await runProgram(later.folder, program, options())).toBe(5)
  })
})

describe('where the original lies', () => {
  test('under another name, in a store', async () => {
    await installLater(later.folder, { as: 'sandbox', store: true })
    const printed = await runProgram(later.folder, whose('sandbox'), { flags: FLAGS })
    expect(printed).toMatchObject({ native: LATER_NATIVE, original: LATER_ORIGINAL })
  })

  test("this package's own dependency, without a cycle", async () => {
    const printed = await runProgram(
      published.folder,
      `import * as root from 'ai-sandbox-native'
      import { toLines } from 'ai-sandbox-native/runner'
      import * as original from 'tanstack-ai-sandbox'
      console.log(JSON.stringify([root.toLines === toLines, original.toLines === toLines]))`,
      { flags: FLAGS },
    )
    expect(printed).toEqual([true, true])
  })

  test('a file of that name elsewhere is left alone', async () => {
    const elsewhere = {
      'dist/esm/runner.js': `export function toLines() { return 'mine' }`,
      'node_modules/@tanstack/ai-sandbox/lib/dist/esm/runner.js': `export const toLines = () => 'lib'`,
      'node_modules/other/package.json': `{ "name": "other", "type": "module" }`,
      'node_modules/other/dist/esm/runner.js': `export function toLines() { return 'other' }`,
    }
    writeFiles(later.folder, elsewhere)
    const imports = Object.keys(elsewhere).filter((path) => path.endsWith('.js'))
    const printed = await runProgram(
      later.folder,
      `const found = []
      for (const path of ${JSON.stringify(imports)}) found.push((await import('./' + path)).toLines())
      console.log(JSON.stringify(found))`,
      { flags: FLAGS },
    )
    expect(printed).toEqual(['mine', 'lib', 'other'])
  })
})

describe('AI_SANDBOX_NATIVE_LOG=1', () => {
  const options = { flags: FLAGS, env: { AI_SANDBOX_NATIVE_LOG: '1' } }

  test('0.2.4: tells what was swapped, and what it lacks', async () => {
    const { stderr } = await tryProgram(published.folder, WHOSE, options)
    const absent = `not in @tanstack/ai-sandbox 0.2.4 in ${published.original}/`
    expect(stderr.trimEnd().split('\n')).toEqual([
      ...[
        'journal-bytes',
        'journal',
        'journal-reader',
        'attach-preflight',
        'journal-sweep',
        'workspace-backend',
      ].map((name) => `ai-sandbox-native: left alone ${name}: ${absent}`),
      `ai-sandbox-native: swapped ${published.original}/dist/esm/runner.js: ` +
        `native spawnNdjson, toLines; the original's: none`,
    ])
  })

  test('a later version: tells whose each export is', async () => {
    const { stderr } = await tryProgram(later.folder, WHOSE, options)
    const lines = stderr.trimEnd().split('\n')
    expect(lines).toHaveLength(7)
    expect(lines).toContain(
      `ai-sandbox-native: swapped ${later.original}/dist/esm/runner.js: ` +
        `native toLines, spawnNdjson; the original's: describeAgent`,
    )
  })

  test('a module that has nothing of ours is left alone, and told', async () => {
    const odd = await installLater(later.folder, { as: 'odd' })
    writeFiles(odd, { 'dist/esm/runner.js': 'export function describeAgent() {}' })
    const { stderr } = await tryProgram(later.folder, `import 'odd'`, options)
    expect(stderr).toContain(
      `ai-sandbox-native: left alone ${odd}/dist/esm/runner.js: exports nothing that is native`,
    )
  })
})

describe('without a native library', () => {
  const missing = { AI_SANDBOX_NATIVE_LIBRARY: '/not/there.node' }
  const source = `import { ran, toLines } from '@tanstack/ai-sandbox'
    for await (const _ of toLines(['a\\n']));
    console.log(JSON.stringify(ran))`

  test('the original stays as it is, with one warning', async () => {
    const { code, stdout, stderr } = await tryProgram(later.folder, source, {
      flags: FLAGS,
      env: missing,
    })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '["toLines"]\n' })
    expect(stderr.match(/AI_SANDBOX_NATIVE_FALLBACK/g)).toHaveLength(1)
    expect(stderr).toContain('cannot load the native library')
  })

  test('AI_SANDBOX_NATIVE=required makes it an error', async () => {
    const env = { ...missing, AI_SANDBOX_NATIVE: 'required' }
    const { code, stdout, stderr } = await tryProgram(later.folder, source, { flags: FLAGS, env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('ERR_AI_SANDBOX_NATIVE_LOAD')
  })
})
