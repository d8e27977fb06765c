/** Case 23: the day on which loading fails, and how long it takes when it doesn't. */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import {
  addonFile,
  appWithLoader,
  execute,
  loaderIn,
  manifest,
  platformPackage,
  root,
  target,
  temporaryFolder,
  writeFiles,
} from './support/app.js'

const child = fileURLToPath(new URL('./support/load-child.js', import.meta.url))
const { version } = manifest
const packageName = `ai-sandbox-native-${target}`
const otherTarget = target === 'darwin-arm64' ? 'win32-x64-msvc' : 'darwin-arm64'
const library = { copy: addonFile }
/** Far above what it takes, far below a network's time-out. */
const LOAD_LIMIT_MS = 2_000

describe('case 23: the load error', () => {
  test('a lockfile made elsewhere: the platform package is missing', async () => {
    const { loader } = appWithLoader(platformPackage(otherTarget, { library: 'x' }))
    const error = await failToLoad(loader)
    expect(error.message).toContain(`${process.platform} ${process.arch}`)
    expect(error.message).toContain(`ai-sandbox-native.${target}.node: not there`)
    expect(error.message).toContain(`the package ${packageName}: not installed`)
    expect(error.message).toContain(
      `Version wanted: ${version}. Found: ai-sandbox-native-${otherTarget}.`,
    )
    expect(error.message).toContain('remove node_modules and package-lock.json')
    expect(error.message).toContain(`--os=${process.platform} --cpu=${process.arch}`)
    expect(error.message).toContain('--include=optional')
    expect(error.cause).toBe('MODULE_NOT_FOUND')
  })

  test('nothing is installed at all', async () => {
    const error = await failToLoad(appWithLoader().loader)
    expect(error.message).toContain('Found: none')
    expect(error.message).toContain('npm install')
  })

  test('in a checkout that was not built', async () => {
    const own = 'node_modules/ai-sandbox-native'
    const { loader } = appWithLoader({ [`${own}/Cargo.toml`]: '' })
    const error = await failToLoad(loader)
    expect(error.message).toMatch(/To mend it:\n {2}npm run build$/)
  })

  test('an older platform package', async () => {
    const { loader } = appWithLoader(platformPackage(target, { version: '0.0.9', library }))
    const error = await failToLoad(loader)
    expect(error.message).toContain(`the package ${packageName}: version 0.0.9`)
    expect(error.message).toContain(`Version wanted: ${version}. Found: 0.0.9.`)
    expect(error.message).toContain(`npm install ai-sandbox-native@${version}`)
  })

  test('an older platform package, where the package stands in for the original', async () => {
    const name = '@tanstack/ai-sandbox'
    const { loader } = appWithLoader(platformPackage(target, { version: '0.0.9', library }), name)
    const error = await failToLoad(loader)
    expect(error.message).toContain(`npm install ${name}@npm:ai-sandbox-native@${version}`)
  })

  test('a platform package whose library is older than its manifest says', async () => {
    const main = 'older.cjs'
    const older = "exports.version = () => '0.0.9'"
    const { loader } = appWithLoader(platformPackage(target, { main, library: older }))
    const error = await failToLoad(loader)
    expect(error.message).toContain(`${join(packageName, main)}: is version 0.0.9`)
    expect(error.message).toContain(`Version wanted: ${version}. Found: 0.0.9.`)
  })

  test('a library that is no library', async () => {
    const { loader } = appWithLoader(platformPackage(target, { library: 'not a library' }))
    const error = await failToLoad(loader)
    expect(error.message).toContain(`ai-sandbox-native.${target}.node`)
    expect(error.message).toContain(`npm install ai-sandbox-native@${version}`)
    expect(error.cause).toBe('ERR_DLOPEN_FAILED')
  })

  test('a platform package without its file', async () => {
    const { loader } = appWithLoader(platformPackage(target))
    const error = await failToLoad(loader)
    expect(error.message).toContain(`ai-sandbox-native.${target}.node`)
    expect(error.cause).toBe('MODULE_NOT_FOUND')
  })

  test('a development build that does not load', async () => {
    const own = 'node_modules/ai-sandbox-native'
    const { loader } = appWithLoader({
      [`${own}/ai-sandbox-native.${target}.node`]: 'not a library',
      // It would load, but then nobody would know which one runs.
      ...platformPackage(target, { library }),
    })
    const error = await failToLoad(loader)
    expect(error.message).toContain('npm run build')
    expect(error.cause).toBe('ERR_DLOPEN_FAILED')
  })

  test('a file named in AI_SANDBOX_NATIVE_LIBRARY that is not there', async () => {
    const { loader } = appWithLoader(platformPackage(target, { library }))
    const missing = join(temporaryFolder(), 'nothing.node')
    const error = await failToLoad(loader, { AI_SANDBOX_NATIVE_LIBRARY: missing })
    expect(error.message).toContain(`${missing} (from AI_SANDBOX_NATIVE_LIBRARY)`)
  })

  test.each([
    ['no library of this package', 'module.exports = {}'],
    ['of another version', "module.exports = { version: () => '0.0.1' }"],
  ])('a file that loads and is %s', async (_name, code) => {
    const folder = temporaryFolder()
    writeFiles(folder, { 'other.cjs': code })
    const { loader } = appWithLoader(platformPackage(target, { library }))
    const file = join(folder, 'other.cjs')
    const error = await failToLoad(loader, { AI_SANDBOX_NATIVE_LIBRARY: file })
    expect(error.message).toContain(`${file} (from AI_SANDBOX_NATIVE_LIBRARY): is version`)
    expect(error.message).toContain(`Version wanted: ${version}`)
  })

  test('bundled into another package', async () => {
    const folder = temporaryFolder()
    writeFiles(folder, {
      'package.json': JSON.stringify({ name: 'app', version: '1.0.0', type: 'module' }),
      ...loaderIn('dist'),
    })
    const bundle = join(folder, 'dist/load.js')
    const error = await failToLoad(bundle)
    expect(error.message).toContain('mark it as external')
    expect(error.message).toContain('serverExternalPackages')
    expect(error.message).toContain(`Version wanted: ${version}`)
    const env = { AI_SANDBOX_NATIVE_LIBRARY: addonFile }
    expect(await load(bundle, env)).toMatchObject({ version })
  })

  test('a platform package that is damaged is not one that is not installed', async () => {
    const { loader } = appWithLoader({ [`node_modules/${packageName}/package.json`]: '{"version' })
    const error = await failToLoad(loader)
    expect(error.message).toContain(`the package ${packageName}: `)
    expect(error.message).not.toContain('not installed')
  })

  test.each([
    ['by a relative path', 'library.node', 'not an absolute path'],
    ['by a name that Node takes for JavaScript', join(root, 'library.so'), 'ends in .node'],
  ])('a library that is named %s', async (_name, file, told) => {
    const { loader } = appWithLoader()
    const error = await failToLoad(loader, { AI_SANDBOX_NATIVE_LIBRARY: file })
    expect(error.message).toContain(told)
  })

  test('a FIFO is not waited for', async () => {
    const fifo = join(temporaryFolder(), 'fifo.node')
    execFileSync('mkfifo', [fifo])
    const error = await failToLoad(appWithLoader().loader, { AI_SANDBOX_NATIVE_LIBRARY: fifo })
    expect(error.message).toContain('not a regular file')
  })

  test('a process that may not load native libraries', async () => {
    const { loader } = appWithLoader(platformPackage(target, { library }))
    const isNamed = process.allowedNodeEnvironmentFlags.has('--permission')
    const flags = [isNamed ? '--permission' : '--experimental-permission', '--allow-fs-read=*']
    const { stdout } = await execute(process.execPath, [...flags, child, loader])
    const error = JSON.parse(stdout)
    expect(error.code).toBe('ERR_AI_SANDBOX_NATIVE_LOAD')
    expect(error.message).toMatch(/To mend it:\n {2}.*--allow-addons/)
  })
})

describe.runIf(process.platform === 'linux')('a library that is damaged', () => {
  const whole = readFileSync(addonFile)

  // Loaded, it would kill the process.
  test.each([64, 4096, 100_000, 500_000, whole.length - 5000, whole.length - 1])(
    'cut off behind %i bytes',
    async (length) => {
      const message = await failToLoadFrom(whole.subarray(0, length))
      expect(message).toContain(`cut off, ${whole.length - length} bytes are missing`)
    },
  )

  test.each([64, 4096, 600_000, whole.length - 2000])('zeros behind %i bytes', async (length) => {
    const message = await failToLoadFrom(Buffer.from(whole).fill(0, length))
    expect(message).toContain('damaged, its end is not what it was')
  })

  async function failToLoadFrom(bytes) {
    const file = join(temporaryFolder(), 'damaged.node')
    writeFileSync(file, bytes)
    const { loader } = appWithLoader(platformPackage(target, { library: { copy: file } }))
    const { message } = await failToLoad(loader)
    expect(message).toContain(`npm install ai-sandbox-native@${version}`)
    return message
  }
})

describe.runIf(process.platform === 'linux')('case 23: another libc', () => {
  test('a library of the other libc under the name of this one', async () => {
    const other = target.endsWith('musl') ? 'libc.so.6' : 'libc.musl-x86_64.so.1'
    const { loader } = appWithLoader(
      platformPackage(target, { library: { copy: libraryThatNeeds(other) } }),
    )
    const error = await failToLoad(loader)
    expect(error.message).toContain(other)
    expect(error.message).toContain(target.endsWith('musl') ? 'musl' : 'glibc')
    expect(error.cause).toBe('ERR_DLOPEN_FAILED')
  })

  test('the package of the other libc alone is installed', async () => {
    const other = target.endsWith('musl')
      ? target.replace('musl', 'gnu')
      : target.replace('gnu', 'musl')
    const { loader } = appWithLoader(platformPackage(other, { library }))
    const error = await failToLoad(loader)
    expect(error.message).toContain(`Found: ai-sandbox-native-${other}.`)
    expect(error.message).toContain(`--libc=${target.endsWith('musl') ? 'musl' : 'glibc'}`)
  })
})

describe('case 23: loading', () => {
  test('the platform package, in a moment and without the network', async () => {
    const { loader } = appWithLoader(platformPackage(target, { library }))
    const loaded = await load(loader)
    expect(loaded).toMatchObject({ version })
    console.log(`load time: ${loaded.ms.toFixed(1)} ms`)
    expect(loaded.ms).toBeLessThan(LOAD_LIMIT_MS)
    const network = loaded.kinds.filter((kind) =>
      /TCP|UDP|PIPE|ADDRINFO|NAMEINFO|QUERY|DNS/.test(kind),
    )
    expect(network).toEqual([])
    expect(loaded.kinds).not.toContain('PROCESSWRAP')
  })

  test('the development build of this checkout', async () => {
    expect(await load(join(root, 'js/load.js'))).toMatchObject({ version })
  })

  test('the file that AI_SANDBOX_NATIVE_LIBRARY names', async () => {
    const { loader } = appWithLoader()
    const env = { AI_SANDBOX_NATIVE_LIBRARY: addonFile }
    expect(await load(loader, env)).toMatchObject({ version })
  })
})

async function failToLoad(loader, env) {
  const error = await load(loader, env)
  expect(error).toMatchObject({ isError: true, code: 'ERR_AI_SANDBOX_NATIVE_LOAD' })
  expect(error.message).toMatch(/\n\nTo mend it:\n {2}\S/)
  return error
}

async function load(loader, env) {
  const { stdout, stderr } = await execute(process.execPath, [child, loader], { env })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

/** A real shared library that asks the dynamic loader for one that isn't here. */
function libraryThatNeeds(name) {
  const folder = temporaryFolder()
  const compile = (...args) =>
    execFileSync('cc', ['-shared', '-nostdlib', ...args], { cwd: folder })
  writeFiles(folder, {
    'needed.c': 'int needed(void) { return 1; }',
    'addon.c': 'int needed(void);\nint addon(void) { return needed(); }',
  })
  compile('-fPIC', `-Wl,-soname,${name}`, '-o', 'libneeded.so', 'needed.c')
  compile('-fPIC', '-o', 'addon.node', 'addon.c', '-L.', '-lneeded')
  return join(folder, 'addon.node')
}
