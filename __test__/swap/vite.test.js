/** `ai-sandbox-native/vite`: real runs of Vite and Vitest, with one line in their config. */

import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeFolder, removeFolder, writeFiles } from '../packaging/support/app.js'
import {
  copyLater,
  installLater,
  installPackage,
  link,
  linkPackages,
  makeApp,
} from './support/apps.js'
import { LATER_NATIVE, LATER_ORIGINAL, PROVIDER, WHOSE } from './support/programs.js'
import {
  build,
  config,
  develop,
  POOLS,
  runInVitest,
  runLikeBrowser,
  vite,
  vitest,
} from './support/vite.js'

const SETUP_LIMIT_MS = 240_000
const CONFIG = config('aiSandboxNative()')

let published
let later
beforeAll(async () => {
  published = await makeApp({
    original: 'published',
    packages: ['@tanstack/ai-sandbox-local-process'],
  })
  later = await makeApp({ original: 'later' })
  for (const { folder } of [published, later]) {
    linkPackages(['vite', 'vitest'], folder)
    writeFiles(folder, { 'vite.config.js': CONFIG })
  }
}, SETUP_LIMIT_MS)
afterAll(() => {
  published?.remove()
  later?.remove()
}, SETUP_LIMIT_MS)

describe('the built package, in 0.2.4, and its provider', () => {
  const expected = { events: [{ a: 1 }], isInstance: true, isNative: true }

  test('a build for the server', async () => {
    expect(await build(published.folder, PROVIDER)).toEqual(expected)
  })

  test('a development server', async () => {
    expect(await develop(published.folder, PROVIDER)).toEqual(expected)
  })

  test.each(POOLS)('Vitest with %s', async (pool) => {
    expect(await runInVitest(published.folder, PROVIDER, pool)).toEqual(expected)
  })
})

describe('the built package, in a later version', () => {
  const expected = { native: LATER_NATIVE, original: LATER_ORIGINAL }

  test('a build for the server', async () => {
    expect(await build(later.folder, WHOSE)).toMatchObject(expected)
  })

  test('a development server', async () => {
    expect(await develop(later.folder, WHOSE)).toMatchObject(expected)
  })

  test.each(POOLS)('Vitest with %s', async (pool) => {
    expect(await runInVitest(later.folder, WHOSE, pool)).toMatchObject(expected)
  })

  test.each([
    ['ssr: { noExternal: true }', ['--config', 'all.config.js']],
    ['ssr: { external: true }', ['--config', 'all.config.js']],
  ])('a build with %s', async (settings, args) => {
    writeFiles(later.folder, { 'all.config.js': config('aiSandboxNative()', settings) })
    expect(await build(later.folder, WHOSE, args)).toMatchObject(expected)
  })

  test("Vitest with an environment like a browser's", async () => {
    expect(await runLikeBrowser(later.folder, WHOSE, 'forks')).toMatchObject(expected)
  })

  test('Vitest that inlines all', async () => {
    const settings = 'test: { server: { deps: { inline: true } } }'
    writeFiles(later.folder, {
      'vitest.config.js': config('aiSandboxNative()', settings),
    })
    // All but this package.
    expect(await runInVitest(later.folder, WHOSE, 'forks')).toMatchObject(expected)
  })

  test('a build for the browser has nothing of it', async () => {
    const source = `import { toLines } from '@tanstack/ai-sandbox'\nconsole.log(toLines)`
    writeFiles(later.folder, {
      'client.js': source,
      'index.html': '<script type="module" src="/client.js"></script>',
    })
    const { stderr } = await vite(later.folder, ['build', '--outDir', 'client'], {
      AI_SANDBOX_NATIVE_LOG: '1',
    })
    expect(stderr).toContain(
      `left alone ${later.original}/dist/esm/runner.js: the environment client isn't for Node`,
    )
    expect(stderr).not.toContain('swapped')
  })

  test('a build for an edge runtime has nothing of it', async () => {
    writeFiles(later.folder, {
      'edge.config.js': config(
        'aiSandboxNative()',
        `ssr: { resolve: { conditions: ['workerd'] } }`,
      ),
    })
    const printed = await build(later.folder, WHOSE, ['--config', 'edge.config.js'])
    expect(printed).toMatchObject({ native: [] })
  })
})

describe('the built package, in a store', () => {
  let folder
  beforeAll(async () => {
    folder = await makeStoreApp()
  }, SETUP_LIMIT_MS)
  afterAll(() => removeFolder(folder), SETUP_LIMIT_MS)

  /** A package that passes the original on, and one that passes that on, are of one piece with it. */
  const source = `
    import * as root from 'sandbox'
    import * as far from 'far'
    import { toLines } from 'ai-sandbox-native/runner'
    console.log(JSON.stringify([root.toLines === toLines, far.ran === root.ran]))`

  test('a build for the server', async () => {
    expect(await build(folder, source)).toEqual([true, true])
  })

  test('a development server', async () => {
    expect(await develop(folder, source)).toEqual([true, true])
  })

  test('Vitest', async () => {
    expect(await runInVitest(folder, source, 'forks')).toEqual([true, true])
  })
})

describe("the original's sources", () => {
  let folder
  beforeAll(async () => {
    folder = realpathSync(makeFolder())
    copyLater(folder)
    await installPackage(folder)
    linkPackages(['vite', 'vitest'], folder)
  }, SETUP_LIMIT_MS)
  afterAll(() => removeFolder(folder), SETUP_LIMIT_MS)

  test('its own tests pass without the plugin', async () => {
    const ran = await runSuite(folder, 'export default {}')
    expect(ran).toEqual(expect.arrayContaining(['readJournal', 'journalPaths', 'toJournalLines']))
  })

  // The last is called by one that we lack, within the module.
  test.each(POOLS)('its own tests run on native code, with %s', async (pool) => {
    const ran = await runSuite(folder, CONFIG, ['--pool', pool])
    expect(ran).toEqual(['collectRun', 'countJournalLines', 'toJournalLines'])
  })

  test('an option picks the modules', async () => {
    const ran = await runSuite(folder, config(`aiSandboxNative({ modules: ['journal-reader'] })`))
    expect(ran).toContain('journalPaths')
    expect(ran).not.toContain('readJournal')
    // The reader's error class is of that module.
    expect(ran).not.toContain('awaitAttachableJournal')
  })

  test('a module that there is none of is an error', async () => {
    writeFiles(folder, {
      'vitest.config.js': config(`aiSandboxNative({ modules: ['journals'] })`),
    })
    const { code, stderr } = await vitest(folder, ['run'])
    expect(code).toBe(1)
    expect(stderr).toContain('no such module: journals. The modules: journal-bytes, journal,')
  })

  test('without a native library they run in JavaScript, with one warning', async () => {
    writeFiles(folder, { 'vitest.config.js': CONFIG })
    const missing = { AI_SANDBOX_NATIVE_LIBRARY: '/not/there.node' }
    const { code, stdout, stderr } = await vitest(folder, ['run'], missing)
    expect(code).toBe(0)
    expect(stdout).toContain('readJournal')
    expect(stderr.match(/AI_SANDBOX_NATIVE_FALLBACK/g)).toHaveLength(1)
    const required = { ...missing, AI_SANDBOX_NATIVE: 'required' }
    expect(await vitest(folder, ['run'], required)).toMatchObject({ code: 1 })
  })
})

/** Runs the later original's own tests, and gives the functions of it that ran. */
async function runSuite(folder, config, args = []) {
  writeFiles(folder, { 'vitest.config.js': config })
  const { code, stdout, stderr } = await vitest(folder, ['run', ...args])
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/7 passed/)
  return /ran in JavaScript: (.*)/.exec(stdout)[1].split(' ')
}

/** The original under another name in a store, and a package that reaches it through another. */
async function makeStoreApp() {
  const folder = realpathSync(makeFolder())
  const modules = join(folder, 'node_modules')
  await installPackage(folder)
  linkPackages(['vite', 'vitest'], folder)
  const sandbox = await installLater(folder, { as: 'sandbox', store: true })
  const near = join(modules, '.pnpm/near@1.0.0/node_modules')
  const far = join(modules, '.pnpm/far@1.0.0/node_modules')
  writeFiles(near, packageThatPassesOn('near', 'sandbox'))
  writeFiles(far, packageThatPassesOn('far', 'near'))
  link(sandbox, join(near, 'sandbox'))
  link(join(near, 'near'), join(far, 'near'))
  link(join(far, 'far'), join(modules, 'far'))
  const dependencies = { sandbox: '*', far: '*', 'ai-sandbox-native': '*' }
  writeFiles(folder, {
    'package.json': JSON.stringify({ name: 'app', private: true, type: 'module', dependencies }),
    'vite.config.js': CONFIG,
  })
  return folder
}

function packageThatPassesOn(name, from) {
  const manifest = { name, version: '1.0.0', type: 'module', exports: './index.js' }
  return {
    [`${name}/package.json`]: JSON.stringify({ ...manifest, peerDependencies: { [from]: '*' } }),
    [`${name}/index.js`]: `export * from '${from}'`,
  }
}
