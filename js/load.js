/**
 * Loads the native library of this platform, or says what is missing and how to mend it. It doesn't
 * throw: the package's root works without the library, and who needs it imports `required.js`.
 *
 * 1. No child process, no network, no name lookup: a few small files are read, on Linux the head of
 *    the running executable among them, to tell glibc from musl.
 * 2. What was asked for by name (the environment variable, a development build) is loaded or is an
 *    error. Falling back to another file would hide which one runs.
 * 3. A library from a package must have this package's version: the two halves share an interface
 *    that is private to them.
 *
 * @module
 */

import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NAME = 'ai-sandbox-native'
const LIBRARY_VARIABLE = 'AI_SANDBOX_NATIVE_LIBRARY'
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
 * The exports of the native library; `failure` is the error that says why there are none.
 *
 * @type {{ binding: any, failure?: Error & { code: string }, version: string }}
 */
export const { binding, failure, version } = tryToLoad()

function tryToLoad() {
  try {
    const binding = load()
    return { binding, version: binding.version() }
  } catch (failure) {
    return { binding: NO_BINDING, failure, version: versionOfPackage() }
  }
}

function load() {
  const host = describeHost()
  const self = describeSelf(host)
  const { require, root } = self

  const named = process.env[LIBRARY_VARIABLE]
  if (named) return loadNamed(named, self, host)

  const developmentFile = join(root, `${NAME}.${host.target}.node`)
  if (existsSync(developmentFile)) return loadDevelopmentBuild(developmentFile, self, host)

  const packageName = `${NAME}-${host.target}`
  const places = [`${developmentFile}: not there`]
  const manifest = tryRequire(require, `${packageName}/package.json`)
  if (!manifest.value) {
    places.push(`the package ${packageName}: not installed`)
    throw missing(places, manifest.error, self, host)
  }
  return loadPackage(packageName, manifest.value, places, self, host)
}

function loadNamed(file, self, host) {
  const library = requireLibrary(file, self)
  if (library.value) return library.value
  throw loadError({
    host,
    wanted: self.version,
    places: [`${file} (from ${LIBRARY_VARIABLE}): ${reasonOf(library.error)}`],
    remedy: [
      `set ${LIBRARY_VARIABLE} to the absolute path of a library for this platform`,
      'or unset it',
    ],
    cause: library.error,
  })
}

function loadDevelopmentBuild(file, self, host) {
  const library = requireLibrary(file, self)
  if (library.value) return library.value
  throw loadError({
    host,
    wanted: self.version,
    places: [`${file}: ${reasonOf(library.error)}`],
    remedy: ['npm run build'],
    cause: library.error,
  })
}

/** A file that loads may still be another library, or this one of another version. */
function requireLibrary(file, { require, version }) {
  const library = tryRequire(require, file)
  if (!library.value) return library
  const found = versionOf(library.value)
  if (found === version) return library
  return { error: new Error(`is version ${found}, not ${version}`) }
}

function loadPackage(packageName, manifest, earlierPlaces, self, host) {
  const { require, version } = self
  const reinstall = [
    `npm install ${specifierOf(self)}`,
    `or, when that changes nothing: remove node_modules and package-lock.json, then npm install`,
  ]
  const fail = (place, found, cause) =>
    loadError({
      host,
      wanted: version,
      found,
      places: [...earlierPlaces, place],
      remedy: reinstall,
      cause,
    })

  if (manifest.version !== version) {
    throw fail(`the package ${packageName}: version ${manifest.version}`, manifest.version)
  }
  const library = tryRequire(require, packageName)
  if (!library.value) {
    const file = join(packageName, manifest.main ?? '')
    throw fail(`${file}: ${reasonOf(library.error)}`, manifest.version, library.error)
  }
  const found = versionOf(library.value)
  if (found !== version) {
    throw fail(`the package ${packageName}: its library is version ${found}`, found)
  }
  return library.value
}

/** How an app names this package and version; it may have another name there, by an alias. */
function specifierOf({ root, version }) {
  const [, name] = root.match(/[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)$/) ?? []
  const own = `${NAME}@${version}`
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

/** The program interpreter of a 64-bit little-endian ELF file, if it is one. */
function elfInterpreter(file) {
  const PT_INTERP = 3
  let descriptor
  try {
    descriptor = openSync(file, 'r')
    const header = readAt(descriptor, 0, 64)
    if (header.toString('latin1', 0, 6) !== '\x7fELF\x02\x01') return undefined
    const entrySize = header.readUInt16LE(54)
    const entries = readAt(
      descriptor,
      Number(header.readBigUInt64LE(32)),
      entrySize * header.readUInt16LE(56),
    )
    for (let at = 0; at < entries.length; at += entrySize) {
      if (entries.readUInt32LE(at) !== PT_INTERP) continue
      const offset = Number(entries.readBigUInt64LE(at + 8))
      const size = Number(entries.readBigUInt64LE(at + 32))
      return readAt(descriptor, offset, Math.min(size, 4096)).toString('latin1')
    }
  } catch {
    // Unreadable, or no ELF file that we know: the caller has another way.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
  return undefined
}

function readAt(descriptor, position, length) {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position))
}

/** Where this package lies. Bundled into another file it has lost its place, and says so. */
function describeSelf(host) {
  let cause
  try {
    const root = dirname(dirname(fileURLToPath(import.meta.url)))
    const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    if (name === NAME) return { root, version, require: createRequire(import.meta.url) }
  } catch (error) {
    cause = error
  }
  throw loadError({
    host,
    places: [`${import.meta.url ?? 'a bundle'}: not in the folder of ${NAME}`],
    remedy: [
      `keep ${NAME} out of the bundle: mark it as external (esbuild, Vite, Rollup, webpack: external;`,
      `Next.js: serverExternalPackages), and install it where the bundle runs`,
    ],
    cause,
  })
}

function versionOfPackage() {
  try {
    return describeSelf(describeHost()).version
  } catch {
    return 'unknown'
  }
}

function tryRequire(require, id) {
  try {
    return { value: require(id) }
  } catch (error) {
    return { error }
  }
}

function versionOf(library) {
  return typeof library?.version === 'function' ? library.version() : 'unknown'
}

function reasonOf(error) {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n', 1)[0]
}

function missing(places, cause, self, host) {
  const others = TARGETS.filter(
    (target) => tryRequire(self.require, `${NAME}-${target}/package.json`).value,
  )
  const found = others.map((target) => `${NAME}-${target}`).join(', ')
  const details = { host, wanted: self.version, found: found || undefined, places, cause }
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
  return loadError({ ...details, remedy: remedyForMissingPackage(host) })
}

/**
 * npm leaves out the packages of other platforms when it writes a lockfile over an installed
 * node_modules, and then obeys that lockfile everywhere.
 */
function remedyForMissingPackage({ platform, arch, libc }) {
  const flags = `--os=${platform} --cpu=${arch}${libc ? ` --libc=${libc}` : ''}`
  return [
    `when the lockfile was made on another platform: remove node_modules and package-lock.json,`,
    `then npm install`,
    `when node_modules was made on another platform: npm install ${flags}`,
    `when optional dependencies were left out: npm install --include=optional`,
  ]
}

function loadError({ host, wanted, found, places, remedy, cause }) {
  const libc = host.libc ? `, ${host.libc}` : ''
  const versions = wanted ? `\nVersion wanted: ${wanted}. Found: ${found ?? 'none'}.\n` : ''
  const message =
    `${NAME}: cannot load the native library for ${host.platform} ${host.arch}${libc}.\n` +
    `\nLooked for:\n${places.map((place) => `  ${place}\n`).join('')}` +
    versions +
    `\nTo mend it:\n${remedy.map((line) => `  ${line}\n`).join('')}`
  const error = new Error(message.trimEnd(), { cause })
  error.code = 'ERR_AI_SANDBOX_NATIVE_LOAD'
  return error
}
