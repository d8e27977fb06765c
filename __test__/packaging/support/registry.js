/**
 * A registry of npm packages on loopback, with this package published as a release publishes it. All
 * else it takes from the registry that npm is configured with.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  addonFile,
  makeFolder,
  manifest,
  npm,
  pack,
  removeFolder,
  root,
  target,
  writeFiles,
} from './app.js'
import { toolFolder } from './tools.js'

const START_LIMIT_MS = 60_000
const PLATFORMS = readdirSync(join(root, 'npm'))

/**
 * @typedef {object} Registry
 * @property {string} url
 * @property {NodeJS.ProcessEnv} env - What npm, pnpm and yarn need to use it.
 * @property {[main: string, platform: string]} tarballs - As a checkout packs them, not published.
 * @property {() => Promise<void>} stop
 */

/** @returns {Promise<Registry>} */
export async function startRegistry() {
  const folder = makeFolder()
  const url = `http://127.0.0.1:${await freePort()}/`
  const env = clientSettings(folder, url)
  const upstream = (await npm(['config', 'get', 'registry'], folder)).trim()
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(serverSettings(folder, upstream)))
  const child = await startServer(folder, url)
  const stop = async () => {
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    if (!hasEnded) {
      child.kill()
      await once(child, 'close')
    }
    removeFolder(folder)
  }
  try {
    await whenUp(child, url)
    await publishRelease(folder, env)
    const tarballs = [await pack(root, folder), await pack(join(folder, 'stage', target), folder)]
    return { url, env, tarballs, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The settings of verdaccio; what is JSON is YAML, too. */
function serverSettings(folder, upstream) {
  return {
    storage: join(folder, 'storage'),
    uplinks: { upstream: { url: upstream, timeout: '60s', maxage: '1h', max_fails: 10 } },
    packages: {
      'ai-sandbox-native*': { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'upstream' },
    },
    web: { enable: false },
    log: { type: 'stdout', format: 'pretty', level: 'fatal' },
  }
}

/**
 * Caches of their own for npm and both yarns: what another run published must not come back. And no
 * waiting period for new versions: these are seconds old.
 */
function clientSettings(folder, url) {
  const token = `${url.replace('http:', '')}:_authToken=none`
  writeFileSync(join(folder, 'npmrc'), `registry=${url}\n${token}\n`)
  return {
    npm_config_userconfig: join(folder, 'npmrc'),
    npm_config_registry: url,
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_min_release_age: '0',
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_DATA_HOME: join(folder, 'data'),
    YARN_CACHE_FOLDER: join(folder, 'yarn-cache'),
    YARN_GLOBAL_FOLDER: join(folder, 'yarn'),
    YARN_ENABLE_TELEMETRY: '0',
    YARN_NPM_MINIMAL_AGE_GATE: '0',
    YARN_NPM_REGISTRY_SERVER: url,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function startServer(folder, url) {
  const bin = join(await toolFolder('verdaccio'), 'bin/verdaccio')
  return spawn(process.execPath, [bin, '--config', join(folder, 'config.yaml'), '--listen', url], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '', NODE_NO_WARNINGS: '1' },
  })
}

async function whenUp(child, url) {
  for (const end = Date.now() + START_LIMIT_MS; Date.now() < end; await sleep(200)) {
    if (child.exitCode !== null) throw new Error(`verdaccio ended with ${child.exitCode}`)
    const response = await fetch(`${url}-/ping`).catch(() => undefined)
    if (response?.ok) return
  }
  throw new Error(`verdaccio doesn't answer at ${url}`)
}

/** The platform packages first, then the package that names all of them, as a release does. */
async function publishRelease(folder, env) {
  for (const name of PLATFORMS) await publish(stagePlatformPackage(folder, name), env)
  await publish(await stagePackage(folder), env)
}

function publish(folder, env) {
  return npm(['publish', '--access', 'public'], folder, { env })
}

/** Only this machine's library is at hand; the others are there in name. */
function stagePlatformPackage(folder, name) {
  const stage = join(folder, 'stage', name)
  cpSync(join(root, 'npm', name), stage, { recursive: true })
  const library = name === target ? { copy: addonFile } : 'not built here'
  writeFiles(stage, { [`ai-sandbox-native.${name}.node`]: library })
  return stage
}

async function stagePackage(folder) {
  const stage = join(folder, 'stage', 'main')
  const [{ files }] = JSON.parse(await npm(['pack', '--dry-run', '--json'], root))
  const names = PLATFORMS.map((name) => [`${manifest.name}-${name}`, manifest.version])
  const released = { ...manifest, optionalDependencies: Object.fromEntries(names) }
  writeFiles(stage, {
    ...Object.fromEntries(files.map(({ path }) => [path, { copy: join(root, path) }])),
    'package.json': JSON.stringify(released, null, 2),
  })
  return stage
}
