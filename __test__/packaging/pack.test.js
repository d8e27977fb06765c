/** The package as a user gets it: packed, unpacked in an empty folder, and used. */

import { cpSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  execute,
  installTarballs,
  makeFolder,
  manifest,
  npm,
  removeFolder,
  root,
  target,
  temporaryFolder,
  writeFiles,
} from './support/app.js'

/** npm starts twice, and takes its time on a machine at work. */
const PACK_LIMIT_MS = 180_000
const NAMES = ['decodeBase64Stream', 'encodeUtf8Stream', 'toJournalLines']
/** What each subpath exports: the names of the original's module. */
const MODULES = {
  'journal-bytes': NAMES,
  journal: [
    'DEFAULT_JOURNAL_DIR',
    'EXIT_SENTINEL_KEY',
    'EXIT_SENTINEL_NONCE_KEY',
    'decodeJournalRunId',
    'encodeRunId',
    'exitSentinelLine',
    'journalCleanupCommand',
    'journalExistsCommand',
    'journalExitProbeCommand',
    'journalFollowCommand',
    'journalListCommand',
    'journalMtimeListCommand',
    'journalPaths',
    'journalReadCommand',
    'journalStderrReadCommand',
    'journaledCommand',
    'parseExitSentinel',
    'parseJournalExit',
    'parseJournalMtimeListing',
    'shellQuote',
  ],
  'journal-reader': ['DEFAULT_JOURNAL_POLL_MS', 'journalReadStrategy', 'readJournal'],
  'attach-preflight': [
    'DEFAULT_ATTACH_JOURNAL_WAIT_MS',
    'DEFAULT_ATTACH_PROBE_INTERVAL_MS',
    'JournalAttachUnavailableError',
    'awaitAttachableJournal',
  ],
  runner: ['readJournalNdjson', 'spawnNdjson', 'startJournaledAgent', 'toLines'],
  'journal-sweep': ['DEFAULT_MAX_DELETES', 'DEFAULT_ORPHAN_TTL_MS', 'pruneJournals'],
  'workspace-backend': ['sandboxWorkspaceBackend'],
  harness: ['sandboxWorkspaceBackend'],
  'journal-file': ['JournalFile'],
}
const NATIVE_NAMES = [
  ...new Set(Object.values(MODULES).flat()),
  'JournalFramer',
  'toJournalLineBatches',
  'version',
]
/** Subpaths that swap modules: `__test__/swap/` tests them. */
const SWAPS = ['register', 'vite']
/** Subpaths that pass on what the original has. */
const PASSED_ON = ['ngrok', 'testkit']
const LINES = [
  { line: '{"a":1}', endPosition: 8 },
  { line: '{"b":2}', endPosition: 16 },
]
const READ = `
const chunks = ['eyJhIjoxfQp7ImIiOjJ9Cg==']
const lines = []
for await (const line of api.toJournalLines(api.decodeBase64Stream(chunks), 0)) lines.push(line)
`

test('the tarball holds what is published, and nothing else', async () => {
  const [packed] = JSON.parse(await npm(['pack', '--dry-run', '--json'], root))
  const filesIn = (folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name).slice(root.length).replaceAll('\\', '/'),
      )
  const expected = [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'package.json',
    'index.d.ts',
    'index.js',
    ...filesIn('api'),
    ...filesIn('bin'),
    ...filesIn('js'),
  ]
  const paths = packed.files.map(({ path }) => path)
  expect(paths.sort()).toEqual(expected.sort())
  const inFolders = paths.filter((path) => path.includes('/'))
  expect(inFolders.filter((path) => !/^(api|bin|js)\/[a-z/-]+(\.d\.ts|\.js)$/.test(path))).toEqual(
    [],
  )
  console.log(`the package: ${packed.size} bytes packed, ${packed.unpackedSize} unpacked`)
})

test('the package of a platform holds its library, and nothing else', async () => {
  const folder = temporaryFolder()
  cpSync(join(root, 'npm', target), folder, { recursive: true })
  const library = `ai-sandbox-native.${target}.node`
  writeFiles(folder, { [library]: '', LICENSE: '', 'other.node': '' })
  const [{ files }] = JSON.parse(await npm(['pack', '--dry-run', '--json'], folder))
  expect(files.map(({ path }) => path).sort()).toEqual(
    ['LICENSE', 'README.md', library, 'package.json'].sort(),
  )
})

describe('unpacked from tarballs', () => {
  let app

  beforeAll(async () => {
    app = makeFolder()
    await installTarballs(app)
    // registry.test.js installs from a registry, with what it then gives.
    for (const name of Object.keys(manifest.dependencies)) {
      const place = join(app, 'node_modules', name)
      symlinkSync(join(root, 'node_modules', name), place, 'junction')
    }
    writeFiles(app, { 'package.json': '{ "name": "app", "private": true }' })
    return () => removeFolder(app)
  }, PACK_LIMIT_MS)

  test('the native entry point reads a journal', async () => {
    const printed = await runModule(`import * as api from 'ai-sandbox-native/native'
      ${READ}
      console.log(JSON.stringify({ lines, names: Object.keys(api), version: api.version }))`)
    expect(printed.lines).toEqual(LINES)
    expect(printed.names.sort()).toEqual(NATIVE_NAMES.toSorted())
    expect(printed.version).toBe(manifest.version)
  })

  test('the root has all of the original, with native in the place of its own', async () => {
    const { names, native, original, differing } =
      await runModule(`import * as root from 'ai-sandbox-native'
      import * as native from 'ai-sandbox-native/native'
      import * as original from 'tanstack-ai-sandbox'
      const differing = (api) => Object.keys(api).filter((name) => root[name] !== api[name])
      console.log(JSON.stringify({
        names: Object.keys(root),
        original: Object.keys(original),
        native: differing(native),
        differing: differing(original),
      }))`)
    expect(names.sort()).toEqual([...new Set([...original, ...NATIVE_NAMES])].sort())
    expect(native).toEqual([])
    expect(differing.sort()).toEqual(['spawnNdjson', 'toLines'])
  })

  test('ngrok is passed on, and testkit where the original has it', async () => {
    const printed = await runModule(`import * as ours from 'ai-sandbox-native/ngrok'
      import * as original from 'tanstack-ai-sandbox/ngrok'
      const same = Object.keys(original).filter((name) => ours[name] === original[name])
      const error = await import('ai-sandbox-native/testkit').catch((error) => error)
      console.log(JSON.stringify({ same, message: error.message }))`)
    expect(printed.same).toContain('withNgrokBridge')
    expect(printed.message).toContain("Package subpath './testkit' is not defined")
  })

  test.each(Object.entries(MODULES))('%s has the names of its module', async (name, names) => {
    const printed = await runModule(`import * as api from 'ai-sandbox-native/${name}'
      console.log(JSON.stringify(Object.keys(api)))`)
    expect(printed.sort()).toEqual(names.toSorted())
  })

  test('every subpath is a module of the list', () => {
    const subpaths = Object.keys(manifest.exports).map((subpath) => subpath.slice(2))
    const expected = ['', 'native', 'package.json', ...SWAPS, ...PASSED_ON, ...Object.keys(MODULES)]
    expect(subpaths.toSorted()).toEqual(expected.toSorted())
  })

  test('a worker reads a journal', async () => {
    writeFiles(app, {
      'worker.mjs': `import { parentPort } from 'node:worker_threads'
        import * as api from 'ai-sandbox-native'
        ${READ}
        parentPort.postMessage(lines)`,
    })
    const printed = await runModule(`import { Worker } from 'node:worker_threads'
      const worker = new Worker(new URL('./worker.mjs', import.meta.url))
      worker.once('message', (lines) => console.log(JSON.stringify(lines)))`)
    expect(printed).toEqual(LINES)
  })

  test('package.json can be asked for', async () => {
    const printed = await runModule(`import { createRequire } from 'node:module'
      const { version } = createRequire(import.meta.url)('ai-sandbox-native/package.json')
      console.log(JSON.stringify(version))`)
    expect(printed).toBe(manifest.version)
  })

  test('the command line tool counts a journal', async () => {
    writeFiles(app, { 'journal.ndjson': '{"type":"a"}\n{"type":"a"}\n' })
    const tool = join('node_modules/ai-sandbox-native', manifest.bin[manifest.name])
    const args = [tool, 'stats', 'journal.ndjson']
    const { stdout, stderr, code } = await execute(process.execPath, args, { cwd: app })
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout).toMatch(/^lines {9}2$/m)
  })

  async function runModule(source) {
    writeFiles(app, { 'main.mjs': source })
    const { stdout, stderr, code } = await execute(process.execPath, ['main.mjs'], { cwd: app })
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    return JSON.parse(stdout)
  }
})

/** The folder in `npm/` with the library that was built, as a release publishes it. */
