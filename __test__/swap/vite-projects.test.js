/** `ai-sandbox-native/vite` where what counts isn't in the package.json of the root. */

import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeFolder, removeFolder, writeFiles } from '../packaging/support/app.js'
import { installLater, installPackage, linkPackages } from './support/apps.js'
import { LATER_NATIVE, LATER_ORIGINAL, whose } from './support/programs.js'
import { build, config, develop, runInVitest, vite } from './support/vite.js'

const SETUP_LIMIT_MS = 240_000
const PLUGIN = 'aiSandboxNative()'
const ORIGINAL = '@tanstack/ai-sandbox'
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
