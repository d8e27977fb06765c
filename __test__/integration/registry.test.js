/**
 * The package as a release publishes it, from a registry: in the original's place by an alias of npm,
 * pnpm and yarn, without its optional dependencies, and with lockfiles of other platforms.
 */

import { cpSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { npmCommand } from '../../scripts/lib/run.js'
import {
  execute,
  manifest,
  root,
  target,
  temporaryFolder,
  writeFiles,
} from '../packaging/support/app.js'
import { startRegistry } from '../packaging/support/registry.js'
import { TOOL_LIMIT_MS, toolFolder } from '../packaging/support/tools.js'

/** The section of the README that says what to write; the tests write just that. */
const [, SECTION] = /^## Swap it in\n(.*?)^## /ms.exec(
  readFileSync(join(root, 'README.md'), 'utf8'),
)
const [FOR_NPM, FOR_YARN, FROM_TARBALLS] = blocksOf('json').map((text) => JSON.parse(text))
const [FOR_PNPM] = blocksOf('yaml')
const DEPENDENCIES = {
  ...FOR_NPM.dependencies,
  '@tanstack/ai': '^0.42.0',
  '@tanstack/ai-sandbox-local-process': '0.2.0',
}
const PLATFORM_PACKAGE = `${manifest.name}-${target}`
const [OTHER_OS, OTHER_CPU] = target === 'darwin-arm64' ? ['win32', 'x64'] : ['darwin', 'arm64']
const LOAD_ERROR = 'ERR_AI_SANDBOX_NATIVE_LOAD'
/** Installs through a registry that has to fetch most of what it gives. */
const INSTALL_LIMIT_MS = 300_000

/** A program of the original's, and its provider's; it asks for no native function by name. */
const PROGRAM = `
import * as sandbox from '@tanstack/ai-sandbox'
import { localProcessSandbox } from '@tanstack/ai-sandbox-local-process'

const handle = await localProcessSandbox({}).create({})
const events = []
for await (const event of sandbox.spawnNdjson(handle, \`echo '{"a":1}'\`)) events.push(event)
// The provider's module throws a class of the sandbox's.
handle.capabilities.fork = false
let error
try { await handle.fork() } catch (thrown) { error = thrown }
await handle.destroy()

process.report.excludeNetwork = true
const { sharedObjects } = process.report.getReport()
console.log(JSON.stringify({
  events,
  sameModule: error instanceof sandbox.UnsupportedCapabilityError,
  libraries: sharedObjects.filter((file) => file.endsWith('.node')).length,
  readJournal: typeof sandbox.readJournal,
}))`
const TYPED_PROGRAM = `
import { type SandboxHandle, type SandboxProvider, spawnNdjson } from '@tanstack/ai-sandbox'
import { localProcessSandbox } from '@tanstack/ai-sandbox-local-process'

const provider: SandboxProvider = localProcessSandbox({})
const handle: SandboxHandle = await provider.create({})
export const events: AsyncIterable<unknown> = spawnNdjson(handle, 'agent', { input: 'prompt' })`
const NATIVE = { events: [{ a: 1 }], sameModule: true, libraries: 1, readJournal: 'function' }
const FALLBACK = { ...NATIVE, libraries: 0 }

let registry
let lockfile

beforeAll(async () => {
  registry = await startRegistry()
  return () => registry.stop()
}, TOOL_LIMIT_MS)

describe('npm, by an alias and an override', { timeout: INSTALL_LIMIT_MS }, () => {
  test('an app and its provider get the native library', async () => {
    const app = makeApp({ overrides: FOR_NPM.overrides })
    await npm(app, 'install')
    expect(await runProgram(app)).toEqual({ printed: NATIVE, stderr: '' })
    expect(await npm(app, 'ls', '--all')).toContain(`npm:${manifest.name}@${manifest.version}`)
    await runToolOf(app)
    await compileIn(app)
    lockfile = readFileSync(join(app, 'package-lock.json'), 'utf8')
  })

  test('tarballs of a checkout, by their paths', async () => {
    const named = JSON.stringify(FROM_TARBALLS).replaceAll('linux-x64-gnu', target)
    const { dependencies, overrides } = JSON.parse(named)
    const app = makeApp({ dependencies: { ...DEPENDENCIES, ...dependencies }, overrides })
    for (const tarball of registry.tarballs) cpSync(tarball, join(app, basename(tarball)))
    await npm(app, 'install')
    expect(await runProgram(app)).toEqual({ printed: NATIVE, stderr: '' })
  })

  test('without the override npm refuses the peer of the provider', async () => {
    const app = makeApp({})
    const { code, stderr } = await execute(...npmCommand(['install']), settings(app))
    expect(code).not.toBe(0)
    expect(stderr).toContain('ERESOLVE')
  })

  test('--omit=optional: the original with a warning, and the remedy it tells', async () => {
    const app = makeApp({ overrides: FOR_NPM.overrides, lockfile })
    await npm(app, 'ci', '--omit=optional')
    await expectFallback(app, 'npm install --include=optional')
    await npm(app, 'install', '--include=optional')
    expect(await runProgram(app)).toEqual({ printed: NATIVE, stderr: '' })
  })

  test('a lockfile that was made for another platform works here', async () => {
    const app = makeApp({ overrides: FOR_NPM.overrides })
    await npm(app, 'install', '--package-lock-only', `--os=${OTHER_OS}`, `--cpu=${OTHER_CPU}`)
    await npm(app, 'ci')
    expect(await runProgram(app)).toEqual({ printed: NATIVE, stderr: '' })
  })

  test('a lockfile that lacks this platform: npm ci names it, npm install adds it', async () => {
    const lock = JSON.parse(lockfile)
    delete lock.packages[`node_modules/${PLATFORM_PACKAGE}`]
    const app = makeApp({ overrides: FOR_NPM.overrides, lockfile: JSON.stringify(lock) })
    const { code, stderr } = await execute(...npmCommand(['ci']), settings(app))
    expect(code).not.toBe(0)
    expect(stderr).toContain(`Missing: ${PLATFORM_PACKAGE}@${manifest.version}`)
    await npm(app, 'install')
    expect(await runProgram(app)).toEqual({ printed: NATIVE, stderr: '' })
  })
})

describe('pnpm and yarn', { timeout: INSTALL_LIMIT_MS }, () => {
  test('pnpm, by an alias and an override of the workspace', async () => {
    const app = makeApp({})
    const store = `storeDir: ${JSON.stringify(join(app, 'store'))}\n`
    writeFiles(app, { 'pnpm-workspace.yaml': FOR_PNPM + store })
    const pnpm = join(await toolFolder('pnpm'), 'bin/pnpm.mjs')
    await succeed(app, [pnpm, 'install'])
    expect(await runProgram(app)).toEqual({ printed: NATIVE, stderr: '' })
    const peers = await succeed(app, [pnpm, 'peers', 'check'])
    expect(peers).toContain('No peer dependency issues found')
  })

  test('yarn 1, by an alias and a resolution', async () => {
    const app = makeApp(FOR_YARN)
    await succeed(app, [join(await toolFolder('yarn'), 'bin/yarn.js'), 'install'])
    expect(await runProgram(app)).toEqual({ printed: NATIVE, stderr: '' })
  })

  test.each(['node-modules', 'pnp'])('yarn 4 with the linker %s', async (linker) => {
    const app = makeApp(FOR_YARN)
    writeFiles(app, {
      'yarn.lock': '',
      '.yarnrc.yml': `nodeLinker: ${linker}\nenableImmutableInstalls: false\n`,
    })
    const yarn = join(await toolFolder('@yarnpkg/cli-dist'), 'bin/yarn.js')
    await succeed(app, [yarn, 'install'])
    const stdout = await succeed(app, [yarn, 'node', 'main.mjs'])
    expect(JSON.parse(stdout)).toEqual(NATIVE)
  })
})

/** The code blocks in a language. */
function blocksOf(language) {
  const blocks = SECTION.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))
  return [...blocks].map(([, text]) => text)
}

/** An empty folder with the program, and the dependencies that make it a user's. */
function makeApp({ lockfile, ...fields }) {
  const app = temporaryFolder()
  const packageJson = { name: 'app', private: true, type: 'module', dependencies: DEPENDENCIES }
  writeFiles(app, {
    'package.json': JSON.stringify({ ...packageJson, ...fields }),
    // pnpm and yarn 1 read it here.
    '.npmrc': `registry=${registry.url}`,
    'main.mjs': PROGRAM,
    ...(lockfile && { 'package-lock.json': lockfile }),
  })
  return app
}

function settings(app) {
  return { cwd: app, env: registry.env, limitMs: INSTALL_LIMIT_MS }
}

async function npm(app, ...args) {
  return succeedWith(app, ...npmCommand(args))
}

function succeed(app, args) {
  return succeedWith(app, process.execPath, args)
}

async function succeedWith(app, command, args) {
  const { code, stdout, stderr } = await execute(command, args, settings(app))
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

async function runProgram(app, env) {
  const { stdout, stderr } = await execute(process.execPath, ['main.mjs'], { cwd: app, env })
  return { printed: stdout && JSON.parse(stdout), stderr }
}

async function expectFallback(app, remedy) {
  const { printed, stderr } = await runProgram(app)
  expect(printed).toEqual(FALLBACK)
  expect(stderr.match(/AI_SANDBOX_NATIVE_FALLBACK/g)).toHaveLength(1)
  expect(stderr).toContain(`the package ${PLATFORM_PACKAGE}: not installed`)
  expect(stderr).toContain(remedy)
  const required = await runProgram(app, { AI_SANDBOX_NATIVE: 'required' })
  expect(required.printed).toBe('')
  expect(required.stderr).toContain(LOAD_ERROR)
  writeFiles(app, { 'native.mjs': `import '@tanstack/ai-sandbox/native'` })
  const native = await execute(process.execPath, ['native.mjs'], { cwd: app })
  expect(native.code).toBe(1)
  expect(native.stderr).toContain(LOAD_ERROR)
}

async function runToolOf(app) {
  writeFiles(app, { 'journal.ndjson': '{}\n' })
  const stdout = await npm(app, 'exec', '--', manifest.name, 'stats', 'journal.ndjson')
  expect(stdout).toMatch(/^lines {9}1$/m)
}

async function compileIn(app) {
  writeFiles(app, { 'typed.ts': TYPED_PROGRAM })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022']
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  expect(await succeed(app, [tsc, ...options, ...types, 'typed.ts'])).toBe('')
}
