/** Where a native library can't load: the conditions of the root that give the original unchanged. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as original from 'tanstack-ai-sandbox'
import { build } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { appWithPackage, execute, linkOriginal, root, target } from './support/app.js'
import { TOOL_LIMIT_MS, toolFolder } from './support/tools.js'

/** The platforms that workerd has no binary for. */
const hasWorkerd = !target.endsWith('-musl') && target !== 'win32-arm64-msvc'
const TSC = ['--module', 'nodenext', '--skipLibCheck', '--types', '', 'types.ts']
const NAMES = Object.keys(original).sort()
const WORKER = `
import * as sandbox from 'ai-sandbox-native'

async function* chunks() {
  yield '{"a":1}\\n{"b"'
  yield ':2}\\n'
}

export default {
  async fetch() {
    const lines = []
    for await (const line of sandbox.toLines(chunks())) lines.push(line)
    return Response.json({ names: Object.keys(sandbox), lines })
  },
}`
const CONFIG = `
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "dist/worker.js")],
  compatibilityDate = "2025-09-01",
  compatibilityFlags = ["nodejs_compat"],
);`

test.each(['workerd', 'edge-light', 'browser'])('%s gives the original', async (condition) => {
  const app = appWithPackage({
    'main.mjs': `import * as root from 'ai-sandbox-native'
      import * as original from 'tanstack-ai-sandbox'
      const same = Object.keys(root).filter((name) => root[name] === original[name])
      console.log(JSON.stringify([Object.keys(root), same]))`,
  })
  linkOriginal(app)
  const env = { AI_SANDBOX_NATIVE_LIBRARY: '/nowhere', AI_SANDBOX_NATIVE: 'required' }
  const { stdout, stderr } = await execute(process.execPath, ['-C', condition, 'main.mjs'], {
    cwd: app,
    env,
  })
  expect(stderr).toBe('')
  const [names, same] = JSON.parse(stdout)
  expect(names.sort()).toEqual(NAMES)
  expect(same.sort()).toEqual(NAMES)
})

test('the types of these conditions are those of the original', async () => {
  const app = appWithPackage({
    'package.json': '{ "type": "module" }',
    'types.ts': `import * as root from 'ai-sandbox-native'
      import type * as original from 'tanstack-ai-sandbox'
      type Extra = Exclude<keyof typeof root, keyof typeof original>
      export const none: [Extra] extends [never] ? true : false = true
      export const all: typeof original = root`,
  })
  linkOriginal(app)
  const check = (...args) =>
    execute(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', ...TSC, ...args],
      { cwd: app },
    )
  expect(await check('--customConditions', 'workerd')).toMatchObject({ stdout: '', code: 0 })
  expect((await check()).stdout).toContain('types.ts(4,20): error TS2322')
})

test.runIf(hasWorkerd)(
  'a Cloudflare worker runs in workerd',
  async () => {
    const app = appWithPackage({ 'worker.js': WORKER, 'config.capnp': CONFIG })
    linkOriginal(app)
    await bundle(app)
    expect(readFileSync(join(app, 'dist/worker.js'), 'utf8')).not.toContain('AI_SANDBOX_NATIVE')
    const port = await serve(app)
    const response = await fetch(`http://127.0.0.1:${port}/`)
    const { names, lines } = await response.json()
    expect(names.sort()).toEqual(NAMES)
    expect(lines).toEqual(['{"a":1}', '{"b":2}'])
  },
  TOOL_LIMIT_MS,
)

/** As a bundler for Workers does: all in one module but what the runtime has. */
async function bundle(app) {
  await build({
    root: app,
    configFile: false,
    logLevel: 'warn',
    ssr: {
      target: 'webworker',
      noExternal: true,
      resolve: { conditions: ['workerd', 'worker', 'module', 'import', 'default'] },
    },
    build: { ssr: 'worker.js', minify: false, rolldownOptions: { external: [/^node:/] } },
  })
}

/** Starts workerd, and gives the port on loopback that it listens on. */
async function serve(app) {
  const { default: workerd } = createRequire(import.meta.url)(await toolFolder('workerd'))
  const child = spawn(workerd, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: app,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  onTestFinished(async () => {
    child.kill()
    await once(child, 'close')
  })
  for await (const line of createInterface({ input: child.stdio[3] })) {
    const { event, port } = JSON.parse(line)
    if (event === 'listen') return port
  }
  throw new Error('workerd ended before it listened')
}
