/** The package's root where the native library doesn't load, and the original it then falls back on. */

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { binding } from '../../js/load.js'
import {
  addonFile,
  appWithPackage,
  execute,
  manifest,
  root,
  temporaryFolder,
  writeFiles,
} from './support/app.js'

const NOWHERE = { AI_SANDBOX_NATIVE_LIBRARY: join(root, 'nowhere.node') }
const FOUND = { AI_SANDBOX_NATIVE_LIBRARY: addonFile }
const LOAD_ERROR = 'ERR_AI_SANDBOX_NATIVE_LOAD'
const urlOf = (path) => pathToFileURL(join(root, path)).href
/** The others stand on the original, or swap modules in it. */
const SUBPATHS = Object.keys(manifest.exports).filter(
  (subpath) =>
    !['.', './package.json', './ngrok', './testkit', './register', './vite'].includes(subpath),
)

/** A package of the original's name that has journals, as later versions have. */
const LATER_ORIGINAL = {
  'node_modules/tanstack-ai-sandbox/package.json': JSON.stringify({
    name: '@tanstack/ai-sandbox',
    version: '0.9.0',
    type: 'module',
    exports: { '.': './index.js' },
  }),
  'node_modules/tanstack-ai-sandbox/index.js': `
    export const journalPaths = () => 'the original'
    export const DEFAULT_MAX_DELETES = 7
    export const version = 'the original'
    export const brandNew = 'brand new'`,
}

describe('no native library', () => {
  test('the root loads, with one warning that has a code and the remedy', async () => {
    const { stdout, stderr } = await runModule(`
      const root = await import('${urlOf('index.js')}')
      const again = await import('${urlOf('index.js')}?again')
      console.log(JSON.stringify(root.version === again.version && root.version))`)
    expect(stdout).toBe(manifest.version)
    expect(
      stderr.match(/^\(node:\d+\) \[AI_SANDBOX_NATIVE_FALLBACK\] NativeFallback/gm),
    ).toHaveLength(1)
    expect(stderr).toContain(NOWHERE.AI_SANDBOX_NATIVE_LIBRARY)
    expect(stderr).toContain('To mend it:')
  })

  test('what the original has is the original, but for what must look for a journal first', async () => {
    const { stdout } = await runModule(`
      const root = await import('${urlOf('index.js')}')
      const original = await import('${import.meta.resolve('tanstack-ai-sandbox')}')
      console.log(JSON.stringify(Object.keys(original).filter((key) => root[key] !== original[key])))`)
    expect(stdout).toEqual(['spawnNdjson'])
  })

  test('an agent with a journal, which the original knows nothing of, is the load error', async () => {
    const { stdout } = await runModule(`
      const { spawnNdjson } = await import('${urlOf('index.js')}')
      const handle = new Proxy({}, { get: () => process.exit(3) })
      let code
      const events = spawnNdjson(handle, 'agent', { journal: { runId: 'r', attach: true } })
      try {
        for await (const _ of events);
      } catch (error) {
        code = error.code
      }
      console.log(JSON.stringify(code))`)
    expect(stdout).toBe(LOAD_ERROR)
  })

  test('an agent runs in the original', async () => {
    const { stdout } = await runModule(`
      import { createLocalSandbox } from '${urlOf('examples/local-sandbox/index.js')}'
      const { spawnNdjson } = await import('${urlOf('index.js')}')
      const handle = await createLocalSandbox()
      const events = []
      for await (const event of spawnNdjson(handle, 'echo {\\\\"a\\\\":1}')) events.push(event)
      await handle.destroy()
      console.log(JSON.stringify(events))`)
    expect(stdout).toEqual([{ a: 1 }])
  })

  test('what the original lacks fails with the load error, a constant is itself', async () => {
    const { stdout } = await runModule(`
      const root = await import('${urlOf('index.js')}')
      const original = await import('${import.meta.resolve('tanstack-ai-sandbox')}')
      const outcome = {}
      for (const [name, value] of Object.entries(root)) {
        if (name in original) continue
        if (typeof value !== 'function') outcome[name] = value
        else
          try {
            const result = name === 'JournalFramer' ? new value() : value('run')
            const isStream = typeof result.next === 'function'
            await (isStream ? result.next() : result).catch(({ code }) => {
              outcome[name] = [isStream ? 'at the first value' : 'by its promise', code]
            })
          } catch (error) {
            outcome[name] = ['at once', error.code]
          }
      }
      console.log(JSON.stringify(outcome))`)
    const entries = Object.entries(stdout)
    const constants = entries.filter(([name]) => /^[A-Z_]+$|^version$/.test(name))
    const functions = entries.filter((entry) => !constants.includes(entry))
    expect(functions.length).toBeGreaterThan(25)
    expect(new Set(functions.map(([, [, code]]) => code))).toEqual(new Set([LOAD_ERROR]))
    const namesOf = (when) => functions.filter(([, [at]]) => at === when).map(([name]) => name)
    expect(namesOf('by its promise').sort()).toEqual([
      'awaitAttachableJournal',
      'pruneJournals',
      'startJournaledAgent',
    ])
    expect(namesOf('at the first value').sort()).toEqual([
      'decodeBase64Stream',
      'encodeUtf8Stream',
      'readJournal',
      'readJournalNdjson',
      'toJournalLineBatches',
      'toJournalLines',
    ])
    const native = await import('../../api/native.js')
    expect(constants.length).toBeGreaterThan(5)
    for (const [name, value] of constants)
      expect({ [name]: value }).toEqual({ [name]: native[name] })
  })

  test('AI_SANDBOX_NATIVE=required makes it the load error', async () => {
    const { stdout, stderr } = await runModule(
      `const error = await import('${urlOf('index.js')}').catch((error) => error)
      console.log(JSON.stringify([error.code, error.message]))`,
      { ...NOWHERE, AI_SANDBOX_NATIVE: 'required' },
    )
    expect(stdout).toEqual([LOAD_ERROR, expect.stringContaining('To mend it:')])
    expect(stderr).toBe('')
  })

  test('the worker threads of a program have the warning of its main thread', async () => {
    const { stdout, stderr } = await runModule(`
      import { once } from 'node:events'
      import { isMainThread, parentPort, Worker } from 'node:worker_threads'
      const root = await import('${urlOf('index.js')}')
      if (isMainThread) {
        const workers = [1, 2, 3].map(() => new Worker(new URL(import.meta.url)))
        const answers = await Promise.all(workers.map((worker) => once(worker, 'message')))
        console.log(JSON.stringify(answers.flat()))
      } else parentPort.postMessage(root.version)`)
    expect(stdout).toEqual([1, 2, 3].map(() => manifest.version))
    expect(stderr.match(/NativeFallbackWarning/g)).toHaveLength(1)
  })

  test('another value of AI_SANDBOX_NATIVE is told to mean nothing', async () => {
    const { stderr } = await runModule(
      `await import('${urlOf('index.js')}')
      console.log('null')`,
      { ...NOWHERE, AI_SANDBOX_NATIVE: 'yes' },
    )
    expect(stderr).toContain('to make this an error (it is "yes", which means nothing).')
  })

  test.each(SUBPATHS)('%s throws the load error', async (subpath) => {
    const { default: path } = manifest.exports[subpath]
    const { stdout, stderr } = await runModule(`
      const error = await import('${urlOf(path)}').catch((error) => error)
      console.log(JSON.stringify(error.code ?? 'no error'))`)
    expect({ stdout, stderr }).toEqual({ stdout: LOAD_ERROR, stderr: '' })
  })

  test('there is an original that has more', async () => {
    const { stdout } = await runInApp(NOWHERE)
    expect(stdout).toEqual(['the original', 7, manifest.version, 'brand new', LOAD_ERROR])
  })
})

describe('with the native library', () => {
  test('native wins over an original that has the name, which gives the rest', async () => {
    const { stdout, stderr } = await runInApp(FOUND)
    const { runId: _none, ...paths } = binding.journalPaths('run', binding.DEFAULT_JOURNAL_DIR)
    expect(stdout).toEqual([
      expect.objectContaining(paths),
      200,
      manifest.version,
      'brand new',
      null,
    ])
    expect(stderr).toBe('')
  })

  test('AI_SANDBOX_NATIVE_LOG=1 tells that it runs, and which file it is', async () => {
    const { stderr } = await runInApp({ ...FOUND, AI_SANDBOX_NATIVE_LOG: '1' })
    expect(stderr).toBe(
      `ai-sandbox-native: native code of version ${manifest.version}: ${addonFile}\n`,
    )
  })

  test('the native entry point, the modules and the tool load nothing of the original', async () => {
    const app = appWithPackage({
      'node_modules/commander': { copy: join(root, 'node_modules/commander') },
      'node_modules/picocolors': { copy: join(root, 'node_modules/picocolors') },
      'main.mjs': 'for (const name of process.argv.slice(2)) await import(name)',
      'journal.ndjson': '{}\n',
    })
    const runIn = (...args) => execute(process.execPath, args, { cwd: app, env: FOUND })
    const names = SUBPATHS.map((subpath) => `ai-sandbox-native/${subpath.slice(2)}`)
    expect(await runIn('main.mjs', ...names)).toEqual({ code: 0, stdout: '', stderr: '' })
    const tool = 'node_modules/ai-sandbox-native/bin/ai-sandbox-native.js'
    for (const args of [['stats'], ['tail'], ['bench', '--help']]) {
      const { code, stderr } = await runIn(tool, ...args, 'journal.ndjson')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    }
    // The same app shows that the root would.
    const { stderr } = await runIn('main.mjs', 'ai-sandbox-native')
    expect(stderr).toContain("Cannot find package 'tanstack-ai-sandbox'")
  })
})

function runInApp(env) {
  const app = appWithPackage({ ...LATER_ORIGINAL })
  return runModule(
    `import * as root from 'ai-sandbox-native'
    let code = null
    try { await root.toJournalLines([], 0).next() } catch (error) { code = error.code }
    const { journalPaths, DEFAULT_MAX_DELETES, version, brandNew } = root
    console.log(JSON.stringify([journalPaths('run'), DEFAULT_MAX_DELETES, version, brandNew, code]))`,
    env,
    app,
  )
}

/** Runs a module that prints JSON. */
async function runModule(source, env = NOWHERE, folder = temporaryFolder()) {
  writeFiles(folder, { 'main.mjs': source })
  const { code, stdout, stderr } = await execute(process.execPath, ['main.mjs'], {
    cwd: folder,
    env,
  })
  if (code !== 0) throw new Error(stderr)
  return { stdout: JSON.parse(stdout), stderr }
}
