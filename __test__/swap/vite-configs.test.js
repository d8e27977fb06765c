/** `ai-sandbox-native/vite` in configs that have more to say than its line. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeFiles } from '../packaging/support/app.js'
import { linkPackages, makeApp, runProgram } from './support/apps.js'
import { LATER_NATIVE, LATER_ORIGINAL, WHOSE } from './support/programs.js'
import {
  build,
  config,
  develop,
  runInVitest,
  runLikeBrowser,
  vite,
  vitest,
} from './support/vite.js'

const SETUP_LIMIT_MS = 240_000
const PLUGIN = 'aiSandboxNative()'
const SWAPPED = { native: LATER_NATIVE, original: LATER_ORIGINAL }
const LOG = { AI_SANDBOX_NATIVE_LOG: '1' }

let app
beforeAll(async () => {
  app = await makeApp({ original: 'later' })
  linkPackages(['vite', 'vitest'], app.folder)
}, SETUP_LIMIT_MS)
afterAll(() => app?.remove(), SETUP_LIMIT_MS)

describe('the plugin twice', () => {
  test('in a project of Vitest that extends the root', async () => {
    configure(PLUGIN, `test: { projects: [{ extends: true, plugins: [${PLUGIN}] }] }`)
    expect(await runInVitest(app.folder, WHOSE, 'forks')).toMatchObject(SWAPPED)
  })

  test('a development server', async () => {
    configure(`${PLUGIN}, ${PLUGIN}`)
    expect(await develop(app.folder, WHOSE)).toMatchObject(SWAPPED)
  })

  test.each(['', 'ssr: { noExternal: true }'])('a build, %s', async (settings) => {
    configure(`${PLUGIN}, ${PLUGIN}`, settings)
    expect(await build(app.folder, WHOSE)).toMatchObject(SWAPPED)
  })

  test('each with modules of its own', async () => {
    configure(`aiSandboxNative({ modules: ['journal'] }), aiSandboxNative({ modules: ['runner'] })`)
    const { native } = await develop(app.folder, WHOSE)
    expect(native).toEqual(expect.arrayContaining(['journalPaths', 'toLines']))
    expect(native).not.toContain('readJournal')
  })
})

describe('another plugin resolves this package', () => {
  test('as external', async () => {
    const api = pathToFileURL(join(app.folder, 'node_modules/ai-sandbox-native/api/'))
    const other = `{
      name: 'other',
      enforce: 'pre',
      resolveId: (id) => {
        if (!id.startsWith('ai-sandbox-native/')) return
        const file = id.replace('ai-sandbox-native/', '${api}') + '.js'
        return { id: file, external: true }
      },
    }`
    configure(`${PLUGIN}, ${other}`)
    expect(await runInVitest(app.folder, WHOSE, 'forks')).toMatchObject(SWAPPED)
  })

  test('to a module of its own', async () => {
    const other = `{
      name: 'other',
      enforce: 'pre',
      resolveId: (id) => (id === 'ai-sandbox-native/runner' ? '\\0other' : undefined),
      load: (id) => (id === '\\0other' ? 'export const toLines = 1' : undefined),
    }`
    configure(`${PLUGIN}, ${other}`)
    const source = `import { toLines } from 'ai-sandbox-native/runner'
      console.log(JSON.stringify({ toLines }))`
    expect(await runInVitest(app.folder, source, 'forks')).toEqual({ toLines: 1 })
    expect(await build(app.folder, source)).toEqual({ toLines: 1 })
  })

  test('a query asks for something else than the module', async () => {
    configure(PLUGIN)
    const source = `import text from 'ai-sandbox-native/native?raw'
      console.log(JSON.stringify(text.includes('required.js')))`
    expect(await develop(app.folder, source)).toBe(true)
    expect(await build(app.folder, source)).toBe(true)
  })
})

describe("Vite's optimizer", () => {
  const original = `'@tanstack/ai-sandbox'`
  // The second keeps the optimizer at work.
  const includes = [`[${original}]`, `[${original}, 'picocolors', 'ai-sandbox-native/native']`]

  test.each(includes)('of Vitest includes %s', async (include) => {
    optimizeInVitest('ssr', include)
    expect(await runInVitest(app.folder, WHOSE, 'forks')).toMatchObject(SWAPPED)
  })

  test("of Vitest, for an environment like a browser's", async () => {
    optimizeInVitest('client', includes[1])
    expect(await runLikeBrowser(app.folder, WHOSE, 'forks')).toMatchObject(SWAPPED)
  })

  test.each(includes)('of a development server includes %s', async (include) => {
    configure(PLUGIN, `ssr: { optimizeDeps: { noDiscovery: false, include: ${include} } }`)
    expect(await develop(app.folder, WHOSE)).toMatchObject(SWAPPED)
  })

  test('of a development server discovers what there is', async () => {
    configure(PLUGIN, `ssr: { optimizeDeps: { noDiscovery: false } }`)
    const source = `import picocolors from 'picocolors'\n${WHOSE}`
    expect(await develop(app.folder, source)).toMatchObject(SWAPPED)
  })

  test('the log says what was kept from it', async () => {
    optimizeInVitest('ssr', `['near > @tanstack/ai-sandbox', 'picocolors']`)
    writeFiles(app.folder, {
      'program.test.js': `import { test } from 'vitest'\ntest('it ran', () => {})`,
    })
    const { stderr } = await vitest(app.folder, ['run'], LOG)
    expect(stderr).toContain(
      'kept from the optimizer of the environment ssr: near > @tanstack/ai-sandbox\n',
    )
  })

  function optimizeInVitest(environment, include) {
    const optimizer = `{ ${environment}: { enabled: true, include: ${include} } }`
    configure(PLUGIN, `test: { deps: { optimizer: ${optimizer} } }`)
  }
})

describe('environments that are none of Node', () => {
  test('a build for an edge runtime that bundles all bundles the original for this package', async () => {
    configure(PLUGIN, `ssr: { noExternal: true, resolve: { conditions: ['workerd'] } }`)
    const source = `import { toLines } from 'ai-sandbox-native'
      console.log(JSON.stringify(typeof toLines))`
    expect(await build(app.folder, source)).toBe('function')
    const built = readFileSync(join(app.folder, 'dist/entry.js'), 'utf8')
    expect(built).not.toMatch(/from ["']ai-sandbox-native/)
  })

  test('a build of a client has no environment more than without the plugin', async () => {
    const environments = `{
      name: 'environments',
      configResolved({ environments }) {
        console.log(JSON.stringify(Object.keys(environments)))
      },
    }`
    configure(`${PLUGIN}, ${environments}`)
    writeFiles(app.folder, { 'index.html': '' })
    const { stdout } = await vite(app.folder, ['build', '--outDir', 'client'])
    expect(stdout).toContain('["client"]')
  })
})

describe("conditions of the user's, which take the place of Vite's", () => {
  const CONDITIONS = `resolve: { conditions: ['source'] }`

  test('a build for the browser has nothing of it', async () => {
    configure(PLUGIN, CONDITIONS)
    writeFiles(app.folder, {
      'client.js': `import { toLines } from '@tanstack/ai-sandbox'\nconsole.log(toLines)`,
      'index.html': '<script type="module" src="/client.js"></script>',
    })
    const { stderr } = await vite(app.folder, ['build', '--outDir', 'client'], LOG)
    expect(stderr).toContain("the environment client isn't for Node")
    expect(stderr).not.toContain('swapped')
  })

  test('a build for a web worker has nothing of it', async () => {
    configure(PLUGIN, `ssr: { target: 'webworker', noExternal: true, ${CONDITIONS} }`)
    writeFiles(app.folder, { 'worker.js': `export { toLines } from '@tanstack/ai-sandbox'` })
    const { stderr } = await vite(app.folder, ['build', '--ssr', 'worker.js'], LOG)
    expect(stderr).toContain("the environment ssr isn't for Node")
    expect(stderr).not.toContain('swapped')
  })

  test('a build for Node has it', async () => {
    configure(PLUGIN, `ssr: { ${CONDITIONS} }`)
    expect(await build(app.folder, WHOSE)).toMatchObject(SWAPPED)
  })

  test.each([
    ['Vitest', runInVitest],
    ["Vitest with an environment like a browser's", runLikeBrowser],
  ])('%s has it', async (_name, run) => {
    configure(PLUGIN, CONDITIONS)
    expect(await run(app.folder, WHOSE, 'forks')).toMatchObject(SWAPPED)
  })
})

describe('the package.json of this package is data, not code', () => {
  const source = `import manifest from 'ai-sandbox-native/package.json'
    console.log(JSON.stringify(manifest.name))`

  test.each([
    ['a development server', develop],
    ['a build', build],
  ])('in %s', async (_name, run) => {
    configure(PLUGIN)
    expect(await run(app.folder, source)).toBe('ai-sandbox-native')
  })
})

test('one plugin for a development server and a build beside it', async () => {
  writeFiles(app.folder, { 'empty.js': '' })
  const common = `plugins: [plugin], configFile: false, logLevel: 'warn'`
  const printed = await develop(app.folder, WHOSE, {
    setup: `import { build } from 'vite'
      import { aiSandboxNative } from 'ai-sandbox-native/vite'
      const plugin = aiSandboxNative()`,
    options: common,
    beside: `await build({ ${common}, build: { ssr: 'empty.js', outDir: 'beside' } })`,
  })
  expect(printed).toMatchObject(SWAPPED)
})

test('a package.json with a byte order mark', async () => {
  const file = join(app.folder, 'package.json')
  const text = readFileSync(file, 'utf8')
  try {
    writeFiles(app.folder, { 'package.json': `\ufeff${text}` })
    configure(PLUGIN)
    expect(await runInVitest(app.folder, WHOSE, 'forks')).toMatchObject(SWAPPED)
  } finally {
    writeFiles(app.folder, { 'package.json': text })
  }
})

describe('options that are none', () => {
  test('of another type', async () => {
    const errors = await runProgram(
      app.folder,
      `import { aiSandboxNative } from 'ai-sandbox-native/vite'
      const thrownBy = (options) => {
        try { aiSandboxNative(options) } catch (error) { return [error.name, error.message] }
      }
      const modules = ['journal', null, 1, {}, new Set(['journal'])]
      console.log(JSON.stringify([
        modules.map((modules) => thrownBy({ modules })),
        [null, 'journal', ['journal']].map(thrownBy),
      ]))`,
    )
    const modules = ["'journal'", 'null', '1', '{}', "Set(1) { 'journal' }"]
    const options = ['null', "'journal'", "[ 'journal' ]"]
    expect(errors).toEqual([
      modules.map((given) => [
        'TypeError',
        expect.stringContaining(`the option modules must be a list of names, not ${given}. The `),
      ]),
      options.map((given) => [
        'TypeError',
        expect.stringContaining(`must be an object, as { modules: ['journal'] }, not ${given}`),
      ]),
    ])
  })

  test('of another name', async () => {
    const message = await runProgram(
      app.folder,
      `import { aiSandboxNative } from 'ai-sandbox-native/vite'
      let message
      try { aiSandboxNative({ module: ['runner'] }) } catch (error) { message = error.message }
      console.log(JSON.stringify(message))`,
    )
    expect(message).toBe('ai-sandbox-native: there is no option module, only modules')
  })

  test('an empty list swaps nothing', async () => {
    configure('aiSandboxNative({ modules: [] })')
    expect(await build(app.folder, WHOSE)).toMatchObject({ native: [] })
  })
})

function configure(plugins, settings) {
  writeFiles(app.folder, { 'vite.config.js': config(plugins, settings) })
}
