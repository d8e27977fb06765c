/**
 * The plugin for Vite and Vitest: what Vite has transformed of the original, built or as TypeScript,
 * becomes a stand-in.
 *
 * 1. It works on code that runs in Node. For a browser or an edge runtime the original stays.
 * 2. Vite runs the original and what reaches it; Node runs this package, never Vite: a native library
 *    can't go through a bundler, and there must be one copy of the classes of its errors.
 * 3. It may be there twice, as in Vitest's root and in a project that extends it.
 *
 * @module
 */

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { isNativeThere } from '../fallback.js'
import {
  installedFor,
  isFileOfThisPackage,
  OWN_FOLDER,
  OWN_NAME,
  packageName,
} from './dependents.js'
import { logLeftAlone, logMissing, logNoOriginal, logNotOptimized, logSwapped } from './log.js'
import { MODULE_NAMES, nativeModule, originalModule, pickModules } from './modules.js'
import { keepFromOptimizer } from './optimizer.js'
import { isMarkedOriginal, markOriginal, standIn } from './stand-in.js'

/** The names of packages, whatever an alias may have called this one, and no paths. */
const BARE_IMPORT = /^[^./\\\0]/
const QUERY = /\?.*$/
const ORIGINAL_FILE = /\/(dist\/esm\/[^/?]+\.js|src\/[^/?]+\.ts)($|\?)/
/** What a stand-in in a build imports: where the original lies, our name needn't be known. */
const NATIVE_IMPORT = `${OWN_NAME}:`
/**
 * Before the `data:` URL of a module of Node's, in the id of one that passes it on: to the development
 * server such a URL is Node's where it is written in an import, and not where a plugin resolves to it.
 */
const PASSES_ON = `\0${OWN_NAME}:`
/** Conditions of runtimes that can't load a native library. */
const OTHER_RUNTIMES = ['browser', 'workerd', 'edge-light']

/**
 * @param {{ modules?: readonly string[] }} [options]
 * @returns {import('vite').Plugin}
 */
export function aiSandboxNative(options = {}) {
  const picked = pickModules(modulesOf(options))
  let isBuild = false
  let isThere = true
  let isForWebworker = false
  /** @type {import('./dependents.js').Installed} */
  let installed

  return {
    name: OWN_NAME,

    config({ root = '', ssr, test }) {
      installed = installedFor(root)
      if (!installed.hasOriginal) logNoOriginal(resolve(root))
      isForWebworker = ssr?.target === 'webworker'
      const external = [below(OWN_FOLDER)]
      const inline = installed.folders.map(below)
      return {
        test: { server: { deps: { external, inline: orAll(test?.server?.deps?.inline, inline) } } },
      }
    },

    configEnvironment(name, { consumer, resolve }) {
      if (name === 'client' || consumer === 'client') return undefined
      if (name === 'ssr' && isForWebworker) return undefined
      if (!areForNode(resolve?.conditions ?? [])) return undefined
      const { names, ownNames } = installed
      // By one name in two packages the project may have both; `resolveId` tells them apart.
      const own = ownNames.filter((name) => !names.includes(name))
      return { resolve: { external: orAll(resolve?.external, own), noExternal: names } }
    },

    configResolved({ command, environments }) {
      if (!environments) throw new Error('ai-sandbox-native/vite needs Vite 6 or later')
      isBuild = command === 'build'
      // A build is for another machine, maybe.
      if (!isBuild) isThere = isNativeThere('@tanstack/ai-sandbox runs in JavaScript, unchanged.')
      const { names, ownNames } = installed
      for (const [name, { optimizeDeps, resolve }] of Object.entries(environments)) {
        if (!areForNode(resolve.conditions)) continue
        logNotOptimized(name, keepFromOptimizer(optimizeDeps, [...names, ...ownNames]))
      }
    },

    resolveId: {
      // Before Vite's own, which would look into the package.
      order: 'pre',
      filter: { id: BARE_IMPORT },
      async handler(source, importer, options) {
        if (!runsInNode(this.environment)) return undefined
        if (source.startsWith(NATIVE_IMPORT)) return externalNative(source, installed)
        if (!isOwnImport(source, installed)) return undefined
        const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
        return leaveToNode(source, resolved, isBuild)
      },
    },

    load: {
      filter: { id: new RegExp(`^${PASSES_ON}`) },
      handler(id) {
        if (!id.startsWith(PASSES_ON)) return undefined
        return `export * from ${JSON.stringify(id.slice(PASSES_ON.length))}`
      },
    },

    transform: {
      filter: { id: ORIGINAL_FILE },
      handler(code, id) {
        if (!isThere || isMarkedOriginal(id) || !ORIGINAL_FILE.test(id)) return undefined
        const module = originalModule(pathToFileURL(id.replace(QUERY, '')).href)
        if (module === undefined) return undefined
        logMissing(module)
        if (!MODULE_NAMES.includes(module.name)) return undefined
        const reason = reasonToLeaveAlone(module, picked, this.environment)
        if (reason) {
          logLeftAlone(module, reason)
          return undefined
        }
        return swap(module, code, isBuild)
      },
    },
  }
}

function modulesOf(options) {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(
      `ai-sandbox-native: the options must be an object, as { modules: ['journal'] }, ` +
        `not ${inspect(options)}`,
    )
  }
  return options.modules
}

/** @param {string} source @param {import('./dependents.js').Installed} installed */
function externalNative(source, { ownName }) {
  return { id: `${ownName}/${source.slice(NATIVE_IMPORT.length)}`, external: true }
}

/** With a query it asks Vite for something else than the module, as for its text. */
function isOwnImport(source, { ownNames }) {
  return ownNames.includes(packageName(source)) && !source.includes('?')
}

/**
 * Hands on what is no file of this package: another plugin has it, or has left it to Node already, or
 * the name is that of another package there.
 *
 * @param {string} source
 * @param {{ id: string } | null} resolved - Its id may have a query, of Vite's optimizer.
 * @param {boolean} isBuild
 */
function leaveToNode(source, resolved, isBuild) {
  const file = resolved?.id.replace(QUERY, '')
  if (resolved && !isFileOfThisPackage(file)) return resolved
  if (isBuild) return { id: source, external: true }
  return resolved && PASSES_ON + importedByNode(pathToFileURL(file).href)
}

function reasonToLeaveAlone({ name }, picked, environment) {
  if (!picked.has(name)) return 'not picked'
  if (!runsInNode(environment)) return `the environment ${environment.name} isn't for Node`
  return undefined
}

/** @param {import('./modules.js').OriginalModule} module @param {string} code */
function swap(module, code, isBuild) {
  const { url, names } = nativeModule(module.name)
  const made = standIn(code, {
    names,
    native: isBuild ? `${NATIVE_IMPORT}${module.name}` : importedByNode(url),
    original: markOriginal(`./${module.url.slice(module.url.lastIndexOf('/') + 1)}`),
  })
  if (made === undefined) {
    logLeftAlone(module, 'exports nothing that is native, or is swapped already')
    return undefined
  }
  logSwapped(module, made)
  return { code: made.code, map: { mappings: '' } }
}

/**
 * A module that Vite's development server leaves to Node, wherever it lies: unlike a path, which it
 * would transform, and unlike a package's name, which needn't be known where the original lies. In
 * base64, for Bun takes other data of this type for plain text.
 */
function importedByNode(url) {
  const code = `export * from ${JSON.stringify(url)}`
  return `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
}

/** @param {import('vite').Environment} environment */
function runsInNode({ config }) {
  return areForNode(config.resolve.conditions)
}

/** @param {string[]} conditions - Those that an environment resolves imports with. */
function areForNode(conditions) {
  return !OTHER_RUNTIMES.some((runtime) => conditions.includes(runtime))
}

/** A list for an option that may be set to all already; the two don't mix in every version. */
function orAll(existing, list) {
  return existing === true ? true : list
}

/** A pattern for the ids of what lies in a folder. */
function below(folder) {
  const path = folder.replaceAll('\\', '/')
  return new RegExp(`^(/@fs/)?${path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}/`)
}
