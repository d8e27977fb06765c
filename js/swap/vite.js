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
import { areForNode, runsInNode } from './environments.js'
import { logLeftAlone, logMissing, logNoOriginal, logNotOptimized, logSwapped } from './log.js'
import { MODULE_NAMES, nativeModule, originalModule, pickModules } from './modules.js'
import { keepFromOptimizer } from './optimizer.js'
import { isMarkedOriginal, markOriginal, standIn } from './stand-in.js'

/** The names of packages, whatever an alias may have called this one, and no paths. */
const BARE_IMPORT = /^[^./\\\0]/
const QUERY = /\?.*$/
const IS_CODE = /\.js$/
const ORIGINAL_FILE = /\/(dist\/esm\/[^/?]+\.js|src\/[^/?]+\.ts)($|\?)/
/** What a stand-in in a build imports: where the original lies, our name needn't be known. */
const NATIVE_IMPORT = `${OWN_NAME}:`
/**
 * Before the `data:` URL of a module of Node's, in the id of one that passes it on: to the development
 * server such a URL is Node's where it is written in an import, and not where a plugin resolves to it.
 */
const PASSES_ON = `\0${OWN_NAME}:`

/**
 * What the plugin knows of a server or a build. Its object may be that of several.
 *
 * @typedef {object} State
 * @property {import('./dependents.js').Installed} installed
 * @property {boolean} isBuild
 * @property {boolean} isThere - Whether the native library is, or will be where the build runs.
 * @property {string[]} forNode - The names of the environments that are for Node.
 */

/**
 * @param {{ modules?: readonly string[] }} [options]
 * @returns {import('vite').Plugin}
 */
export function aiSandboxNative(options = {}) {
  const picked = pickModules(modulesOf(options))
  /** @type {import('./dependents.js').Installed} */
  let installed
  /** @type {WeakMap<object, State>} */
  const states = new WeakMap()
  /** @returns {State | undefined} Nothing in an environment that isn't for Node. */
  const stateIn = (environment) => {
    const state = states.get(environment.getTopLevelConfig())
    return state.forNode.includes(environment.name) ? state : undefined
  }

  return {
    name: OWN_NAME,

    config({ root = '', test }) {
      installed = installedFor(root)
      if (!installed.hasOriginal) logNoOriginal(resolve(root))
      const external = [below(OWN_FOLDER, '.*\\.js($|\\?)')]
      const inline = installed.folders.map((folder) => below(folder))
      return {
        test: { server: { deps: { external, inline: orAll(test?.server?.deps?.inline, inline) } } },
      }
    },

    configEnvironment(name, { consumer, resolve }, { isSsrTargetWebworker }) {
      if (name === 'client' || consumer === 'client') return undefined
      if (name === 'ssr' && isSsrTargetWebworker) return undefined
      if (!areForNode(resolve?.conditions)) return undefined
      const { names, ownNames } = installed
      // By one name in two packages the project may have both; `resolveId` tells them apart.
      const own = ownNames.filter((name) => !names.includes(name))
      return { resolve: { external: orAll(resolve?.external, own), noExternal: names } }
    },

    configResolved(config) {
      const { command, environments } = config
      if (!environments) throw new Error('ai-sandbox-native/vite needs Vite 6 or later')
      const isBuild = command === 'build'
      // A build is for another machine, maybe.
      const isThere = isBuild || isNativeThere()
      const forNode = Object.keys(environments).filter((name) => runsInNode(config, name))
      states.set(config, { installed, isBuild, isThere, forNode })
      const packages = [...installed.names, ...installed.ownNames]
      for (const name of forNode) {
        logNotOptimized(name, keepFromOptimizer(environments[name].optimizeDeps, packages))
      }
    },

    resolveId: {
      // Before Vite's own, which would look into the package.
      order: 'pre',
      filter: { id: BARE_IMPORT },
      async handler(source, importer, options) {
        const state = stateIn(this.environment)
        if (state === undefined) return undefined
        if (source.startsWith(NATIVE_IMPORT)) return externalNative(source, state.installed)
        if (!isOwnImport(source, state.installed)) return undefined
        const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
        return leaveToNode(source, resolved, state.isBuild)
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
        if (isMarkedOriginal(id) || !ORIGINAL_FILE.test(id)) return undefined
        const state = stateIn(this.environment)
        if (state?.isThere === false) return undefined
        const module = originalModule(pathToFileURL(id.replace(QUERY, '')).href)
        if (module === undefined) return undefined
        logMissing(module)
        if (!MODULE_NAMES.includes(module.name)) return undefined
        if (!picked.has(module.name)) logLeftAlone(module, 'not picked')
        else if (state) return swap(module, code, state.isBuild)
        else logLeftAlone(module, `the environment ${this.environment.name} isn't for Node`)
        return undefined
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
  const { modules, ...others } = options
  const [unknown] = Object.keys(others)
  if (unknown === undefined) return modules
  throw new TypeError(`ai-sandbox-native: there is no option ${unknown}, only modules`)
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
 * Hands on what is no code of this package: another plugin has it, or has left it to Node already, or
 * the name is that of another package there, or it is the package.json.
 *
 * @param {string} source
 * @param {{ id: string } | null} resolved - Its id may have a query, of Vite's optimizer.
 * @param {boolean} isBuild
 */
function leaveToNode(source, resolved, isBuild) {
  const file = resolved?.id.replace(QUERY, '')
  if (resolved && !(isFileOfThisPackage(file) && IS_CODE.test(file))) return resolved
  if (isBuild) return { id: source, external: true }
  return resolved && PASSES_ON + importedByNode(pathToFileURL(file).href)
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

/** A list for an option that may be set to all already; the two don't mix in every version. */
function orAll(existing, list) {
  return existing === true ? true : list
}

/** A pattern for the ids of what lies in a folder: of all, or of what `rest` is a pattern for. */
function below(folder, rest = '') {
  const path = folder.replaceAll('\\', '/')
  return new RegExp(`^(/@fs/)?${path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}/${rest}`)
}
