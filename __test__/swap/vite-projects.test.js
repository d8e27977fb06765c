/** `ai-sandbox-native/vite` where what counts isn't in the package.json of the root. */

import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeFolder, removeFolder, writeFiles } from '../packaging/support/app.js'
import { installLater, installPackage, link, linkPackages } from './support/apps.js'
import { LATER_NATIVE, LATER_ORIGINAL, whose } from './support/programs.js'
import { build, config, develop, runInVitest, vite } from './support/vite.js'

const SETUP_LIMIT_MS = 240_000
const PLUGIN = 'aiSandboxNative()'
const ALL = 'ssr: { noExternal: true }'
const ORIGINAL = '@tanstack/ai-sandbox'
const INLINE = 'test: { server: { deps: { inline: true } } }'
const IS_DEPENDENCY = /^(commander|es-module-lexer|picocolors)$/
const SWAPPED = { native: LATER_NATIVE, original: LATER_ORIGINAL }

const folders = []
afterAll(() => folders.forEach(removeFolder), SETUP_LIMIT_MS)

describe('the root of a workspace, whose own package has no dependencies', () => {
  const program = whose('./packages/lib/index.js')
  const MANIFEST = { private: true, type: 'module' }
  let folder
  beforeAll(async () => {
    folder = await makeProject({
      'package.json': JSON.stringify({ ...MANIFEST, workspaces: ['packages/*'] }),
      'vite.config.js': config(PLUGIN),
      'packages/lib/index.js': `export * from '${ORIGINAL}'`,
      'packages/lib/package.json': manifestOf('lib', { [ORIGINAL]: '*' }),
    })
    await installLater(join(folder, 'packages/lib'))
  }, SETUP_LIMIT_MS)

  test('a build for the server', async () => {
    expect(await build(folder, program)).toMatchObject(SWAPPED)
  })

  test('a development server', async () => {
    expect(await develop(folder, program)).toMatchObject(SWAPPED)
  })

  test('Vitest', async () => {
    expect(await runInVitest(folder, program, 'forks')).toMatchObject(SWAPPED)
  })

  test('from a package of it that has no dependencies either', async () => {
    const app = join(folder, 'packages/app')
    writeFiles(app, { 'package.json': manifestOf('app', {}), 'vite.config.js': config(PLUGIN) })
    linkPackages(['vite', 'vitest'], app)
    const fromApp = whose('../lib/index.js')
    expect(await develop(app, fromApp)).toMatchObject(SWAPPED)
    expect(await runInVitest(app, fromApp, 'forks')).toMatchObject(SWAPPED)
  })

  test('of pnpm', async () => {
    writeFiles(folder, {
      'package.json': JSON.stringify(MANIFEST),
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
    })
    expect(await develop(folder, program)).toMatchObject(SWAPPED)
  })
})

describe('a root below the package that has the dependencies', () => {
  let folder
  beforeAll(async () => {
    folder = await makeProject({
      'package.json': manifestOf('app', { [ORIGINAL]: '*', 'ai-sandbox-native': '*' }),
      'vite.config.js': config(PLUGIN, `root: 'server'`),
      'server/package.json': '{ "type": "module" }',
    })
    await installLater(folder)
  }, SETUP_LIMIT_MS)

  test('a development server', async () => {
    const program = whose(ORIGINAL)
    writeFiles(folder, { 'server/entry.js': program })
    expect(await develop(folder, program)).toMatchObject(SWAPPED)
  })
})

test('the log says that nothing reaches the original', async () => {
  const folder = await makeProject({
    'package.json': manifestOf('app', { 'ai-sandbox-native': '*' }),
    'vite.config.js': config(PLUGIN),
    'entry.js': 'export const one = 1',
  })
  const variables = { AI_SANDBOX_NATIVE_LOG: '1' }
  const { stderr } = await vite(folder, ['build', '--ssr', 'entry.js'], variables)
  expect(stderr).toBe(
    `ai-sandbox-native: nothing to swap: no package that is installed for ${folder} ` +
      'reaches @tanstack/ai-sandbox\n',
  )
})

describe("in the original's place", () => {
  const ALIAS = 'npm:ai-sandbox-native@*'
  const BESIDE = 'tanstack-ai-sandbox'
  const PROGRAM = `
    import * as root from '${ORIGINAL}'
    import { toLines } from '${ORIGINAL}/native'
    console.log(JSON.stringify([root.toLines === toLines]))`
  const WITH_ORIGINAL = `
    import * as root from '${ORIGINAL}'
    import { readJournal, toLines } from '${ORIGINAL}/native'
    import * as original from '${BESIDE}'
    console.log(JSON.stringify([root.toLines === toLines, original.readJournal === readJournal]))`

  describe.each([
    ['the original beside it', {}],
    ['in a store', { store: true }],
  ])('%s', (_, options) => {
    let folder
    beforeAll(async () => {
      folder = await makeProject({
        'package.json': manifestOf('app', { [ORIGINAL]: ALIAS, [BESIDE]: '*' }),
      })
      await putInPlace(folder, options)
    }, SETUP_LIMIT_MS)

    test.each(['', ALL])('a build for the server, %s', async (settings) => {
      configure(folder, settings)
      expect(await build(folder, WITH_ORIGINAL)).toEqual([true, true])
    })

    test.each(['', ALL])('a development server, %s', async (settings) => {
      configure(folder, settings)
      expect(await develop(folder, WITH_ORIGINAL)).toEqual([true, true])
    })

    test.each(['', INLINE])('Vitest, %s', async (settings) => {
      configure(folder, settings)
      expect(await runInVitest(folder, WITH_ORIGINAL, 'forks')).toEqual([true, true])
    })
  })

  test('the original nested', async () => {
    const folder = await makeProject({ 'package.json': manifestOf('app', { [ORIGINAL]: ALIAS }) })
    await putInPlace(folder)
    const modules = join(folder, 'node_modules')
    mkdirSync(join(modules, ORIGINAL, 'node_modules'))
    renameSync(join(modules, BESIDE), join(modules, ORIGINAL, 'node_modules', BESIDE))
    configure(folder, ALL)
    expect(await build(folder, PROGRAM)).toEqual([true])
    expect(await develop(folder, PROGRAM)).toEqual([true])
    configure(folder, INLINE)
    expect(await runInVitest(folder, PROGRAM, 'forks')).toEqual([true])
  })

  test('and a package of the workspace has the original under that name', async () => {
    const folder = await makeProject({
      'package.json': JSON.stringify({
        type: 'module',
        workspaces: ['packages/*'],
        dependencies: { [ORIGINAL]: ALIAS },
      }),
      'packages/old/package.json': manifestOf('old', { [ORIGINAL]: '*' }),
      'packages/old/index.js': `export * from '${ORIGINAL}'`,
    })
    await putInPlace(folder)
    await installLater(join(folder, 'packages/old'))
    const program = WITH_ORIGINAL.replace(`'${BESIDE}'`, `'./packages/old/index.js'`)
    for (const settings of ['', ALL]) {
      configure(folder, settings)
      expect(await build(folder, program)).toEqual([true, true])
      expect(await develop(folder, program)).toEqual([true, true])
    }
    expect(await runInVitest(folder, program, 'forks')).toEqual([true, true])
  })

  function configure(folder, settings) {
    const line = config(PLUGIN, settings).replace('ai-sandbox-native/vite', `${ORIGINAL}/vite`)
    writeFiles(folder, { 'vite.config.js': line })
  }

  /** Moves this package there, and has the later original for what it depends on. */
  async function putInPlace(folder, { store = false } = {}) {
    const modules = join(folder, 'node_modules')
    const within = store ? join(modules, '.pnpm/ai-sandbox-native@0.0.0/node_modules') : modules
    const place = join(within, store ? 'ai-sandbox-native' : ORIGINAL)
    rmSync(join(modules, BESIDE), { recursive: true })
    const original = await installLater(folder, { as: BESIDE, store })
    mkdirSync(dirname(place), { recursive: true })
    renameSync(join(modules, 'ai-sandbox-native'), place)
    if (!store) return
    link(place, join(modules, ORIGINAL))
    link(original, join(within, BESIDE))
    for (const name of readdirSync(modules)) {
      if (name.startsWith('ai-sandbox-native-') || IS_DEPENDENCY.test(name)) {
        renameSync(join(modules, name), join(within, name))
      }
    }
  }
})

/** An empty folder with this package, Vite and Vitest, and what else the test says. */
async function makeProject(files) {
  const folder = realpathSync(makeFolder())
  folders.push(folder)
  await installPackage(folder)
  linkPackages(['vite', 'vitest'], folder)
  writeFiles(folder, files)
  return folder
}

function manifestOf(name, dependencies) {
  return JSON.stringify({ name, private: true, type: 'module', dependencies })
}
