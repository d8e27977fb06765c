/**
 * Loads the native library of this platform, or says what is missing and how to mend it. It doesn't
 * throw: the package's root works without the library, and who needs it imports `required.js`.
 *
 * 1. No child process, no network, no name lookup: a few small files are read, on Linux the head of
 *    the running executable among them, to tell glibc from musl.
 * 2. What was asked for by name (the environment variable, a development build) is loaded or is an
 *    error. Falling back to another file would hide which one runs.
 * 3. A library must have this package's version: the two halves share an interface that is private
 *    to them.
 * 4. A library whose end is damaged is told before it is loaded: it would kill the process.
 *
 * @module
 */

import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { damageOfElf, elfInterpreter } from './elf.js'
import { environmentVariable } from './environment.js'
import { VERSION } from './version.js'

const NAME = 'ai-sandbox-native'
const LIBRARY_VARIABLE = 'AI_SANDBOX_NATIVE_LIBRARY'
const ERROR_CODE = 'ERR_AI_SANDBOX_NATIVE_LOAD'
const TARGETS = [
  'linux-x64-gnu',
  'linux-arm64-gnu',
  'linux-x64-musl',
  'linux-arm64-musl',
  'darwin-x64',
  'darwin-arm64',
  'win32-x64-msvc',
  'win32-arm64-msvc',
]

/** What modules read of the library while they load, for when there is none. */
const NO_BINDING = {
  DEFAULT_JOURNAL_DIR: '/tmp/tanstack-runs',
  EXIT_SENTINEL_KEY: '__exit',
  EXIT_SENTINEL_NONCE_KEY: '__nonce',
  journalEnds: new Int32Array(2),
}

/**
 * The exports of the native library, and the file that it is. `failure` is the error that says why
 * there is none.
 *
 * @type {{ binding: any, file?: string, failure?: Error & { code: string } }}
 */
export const { binding, file, failure } = tryToLoad()

function tryToLoad() {
  try {
    return load()
  } catch (error) {
    return { binding: NO_BINDING, failure: error.code === ERROR_CODE ? error : unforeseen(error) }
  }
}

/** What the system or the runtime refuses before any library is looked for. */
function unforeseen(cause) {
  const { platform, arch } = process
  return loadError({
    host: { platform, arch },
    places: [`nothing yet: ${reasonOf(cause)}`],
    remedy: remedyFor(cause) ?? [`set ${LIBRARY_VARIABLE} to the absolute path of the library`],
    cause,
  })
}

function load() {
  const host = describeHost()
  const named = environmentVariable(LIBRARY_VARIABLE)
  if (named) return loadNamed(named, host)

  const self = describeSelf(host)
  const developmentFile = join(self.root, `${NAME}.${host.target}.node`)
  if (existsSync(developmentFile)) return loadDevelopmentBuild(developmentFile, self, host)

  const packageName = `${NAME}-${host.target}`
  const places = [`${developmentFile}: not there`]
  const manifest = attempt(() => self.require(`${packageName}/package.json`))
  if (!manifest.value) {
    const isInstalled = manifest.error.code !== 'MODULE_NOT_FOUND'
    const reason = isInstalled ? reasonOf(manifest.error) : 'not installed'
    places.push(`the package ${packageName}: ${reason}`)
    throw missing(packageName, places, manifest.error, self, host)
  }
  return loadPackage(packageName, manifest.value, places, self, host)
}

function loadNamed(file, host) {
  const library = isAbsolute(file)
    ? tryLibrary(createRequire(file), file)
    : { error: new Error('not an absolute path') }
  if (library.value) return library.value
  throw loadError({
    host,
    found: library.found,
    places: [`${file} (from ${LIBRARY_VARIABLE}): ${reasonOf(library.error)}`],
    remedy: [
      `set ${LIBRARY_VARIABLE} to the absolute path of a library for this platform` +
        (file.endsWith('.node') ? '' : ', by a name that ends in .node'),
      'or unset it',
    ],
    cause: library.error,
  })
}

function loadDevelopmentBuild(file, { require }, host) {
  const library = tryLibrary(require, file)
  if (library.value) return library.value
  throw loadError({
    host,
    found: library.found,
    places: [`${file}: ${reasonOf(library.error)}`],
    remedy: remedyFor(library.error) ?? ['npm run build'],
    cause: library.error,
  })
}

function loadPackage(packageName, manifest, earlierPlaces, self, host) {
  const fail = (place, found, cause) =>
    loadError({
      host,
      found,
      places: [...earlierPlaces, place],
      remedy: remedyFor(cause) ?? [
        `npm install ${specifierOf(self)}`,
        'or, when that changes nothing: remove node_modules and package-lock.json, then npm install',
      ],
      cause,
    })

  if (manifest.version !== VERSION) {
    throw fail(`the package ${packageName}: version ${manifest.version}`, manifest.version)
  }
  const library = tryLibrary(self.require, packageName)
  if (library.value) return library.value
  const place = `${join(packageName, `${manifest.main ?? ''}`)}: ${reasonOf(library.error)}`
  throw fail(place, library.found ?? manifest.version, library.error)
}

/**
 * Loads a library. A file that loads may still be another library, or this one of another version.
 *
 * @param {NodeJS.Require} require
 * @param {string} id - A file or a package.
 * @returns {{ value?: { binding: any, file: string }, error?: unknown, found?: string }}
 */
function tryLibrary(require, id) {
  let found
  const { value, error } = attempt(() => {
    const file = require.resolve(id)
    // To open a FIFO would wait for who writes to it.
    if (!statSync(file).isFile()) throw new Error('not a regular file')
    const damage = damageOfElf(file)
    if (damage) throw new Error(damage)
    const binding = require(file)
    found = typeof binding?.version === 'function' ? `${binding.version()}` : 'unknown'
    if (found !== VERSION) throw new Error(`is version ${found}, not ${VERSION}`)
    return { binding, file }
  })
  return { value, error, found }
}

/** What to do about an error that installing again doesn't mend. */
function remedyFor(error) {
  if (error?.code === 'ERR_DLOPEN_DISABLED') {
    return ['allow native libraries: --allow-addons beside --permission, and no --no-addons']
  }
  if (error?.name === 'NotCapable') {
    return ['allow native libraries: deno run --allow-ffi --allow-read --allow-env --allow-sys']
  }
  return undefined
}

/** How an app names this package and version; it may have another name there, by an alias. */
function specifierOf({ root }) {
  const [, name] = root.match(/[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)$/) ?? []
  const own = `${NAME}@${VERSION}`
  return name === undefined || name === NAME ? own : `${name.replace('\\', '/')}@npm:${own}`
}

/** @returns {{ platform: string, arch: string, libc?: string, target: string }} */
function describeHost() {
  const { platform, arch } = process
  if (platform === 'win32') return { platform, arch, target: `win32-${arch}-msvc` }
  if (platform !== 'linux') return { platform, arch, target: `${platform}-${arch}` }
  const libc = linuxLibc()
  return { platform, arch, libc, target: `linux-${arch}-${libc === 'musl' ? 'musl' : 'gnu'}` }
}

/**
 * Which C library this process runs on. The executable names its dynamic loader, and that is the
 * one fact that counts: a machine may have files of both libraries.
 */
function linuxLibc() {
  const interpreter = elfInterpreter(process.execPath)
  if (interpreter?.includes('/ld-musl-')) return 'musl'
  if (interpreter?.includes('/ld-linux-')) return 'glibc'
  // Without this flag the report looks up the names of network peers, which can take seconds.
  const before = process.report.excludeNetwork
  process.report.excludeNetwork = true
  const { header } = process.report.getReport()
  process.report.excludeNetwork = before
  return header.glibcVersionRuntime ? 'glibc' : 'musl'
}

/** Where this package lies. Bundled into another file it has lost its place, and says so. */
function describeSelf(host) {
  let cause
  try {
    const root = dirname(dirname(fileURLToPath(import.meta.url)))
    const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    if (name === NAME) return { root, require: createRequire(import.meta.url) }
  } catch (error) {
    cause = error
  }
  throw loadError({
    host,
    places: [`${import.meta.url ?? 'a bundle'}: not in the folder of ${NAME}`],
    remedy: [
      `keep ${NAME} out of the bundle: mark it as external, by the name that you import it by`,
      '(esbuild, Vite, Rollup, webpack: external; Next.js: serverExternalPackages), and install it',
      `where the bundle runs; or set ${LIBRARY_VARIABLE} to the absolute path of the library`,
    ],
    cause,
  })
}

function attempt(task) {
  try {
    return { value: task() }
  } catch (error) {
    return { error }
  }
}

function reasonOf(error) {
  const message = error instanceof Error ? error.message : String(error)
  // The system quotes what it finds in a file, whatever that is.
  return (
    message
      .split('\n', 1)[0]
      .replace(/\p{Cc}+/gu, ' ')
      .trim() || 'for no reason that is told'
  )
}

function missing(packageName, places, cause, self, host) {
  const others = TARGETS.filter(
    (target) => attempt(() => self.require(`${NAME}-${target}/package.json`)).value,
  )
  const found = others.map((target) => `${NAME}-${target}`).join(', ')
  const details = { host, found: found || undefined, places, cause }
  if (existsSync(join(self.root, 'Cargo.toml'))) {
    return loadError({ ...details, remedy: ['npm run build'] })
  }
  if (!TARGETS.includes(host.target)) {
    return loadError({
      ...details,
      remedy: [
        `there is no ready library for ${host.target}: run npm run build in a checkout of ${NAME}`,
        `(it needs Rust), then set ${LIBRARY_VARIABLE} to the file that it makes`,
      ],
    })
  }
  return loadError({ ...details, remedy: remedyForMissingPackage(packageName, host) })
}

/**
 * npm leaves out the packages of other platforms when it writes a lockfile over an installed
 * node_modules, and then obeys that lockfile everywhere.
 */
function remedyForMissingPackage(packageName, { platform, arch, libc }) {
  const flags = `--os=${platform} --cpu=${arch}${libc ? ` --libc=${libc}` : ''}`
  return [
    `when the lockfile was made on another platform: remove node_modules and package-lock.json,`,
    `then npm install`,
    `when node_modules was made on another platform: npm install ${flags}`,
    `when optional dependencies were left out: npm install --include=optional`,
    `when this package was installed from a file: install ${packageName}@${VERSION} beside it`,
  ]
}

function loadError({ host, found = 'none', places, remedy, cause }) {
  const libc = host.libc ? `, ${host.libc}` : ''
  const message =
    `${NAME}: cannot load the native library for ${host.platform} ${host.arch}${libc}.\n` +
    `\nLooked for:\n${places.map((place) => `  ${place}\n`).join('')}` +
    `\nVersion wanted: ${VERSION}. Found: ${found}.\n` +
    `\nTo mend it:\n${remedy.map((line) => `  ${line}\n`).join('')}`
  const error = new Error(message.trimEnd(), { cause })
  error.code = ERROR_CODE
  return error
}
