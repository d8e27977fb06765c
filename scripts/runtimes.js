/**
 * `npm run test:runtimes`: the packed package on Node 22, 24 and the newest, Bun and Deno, and the
 * JavaScript tests on each. `npm run test:runtimes -- --all` runs all of those tests that a runtime
 * can, in ten minutes each; `-- --only=bun` or `-- --only=22` on that runtime alone.
 *
 * Without `--all` those are left out that take long for what they tell of another runtime: they go
 * through shells, start the command line tool, install packages or fill the memory. The rest is what
 * another engine could break: iteration, promises, the stack, strings, buffers, worker threads.
 *
 * @module
 */

import { parseArgs } from 'node:util'
import { failWith, green, headline, note, PlainError, red } from './lib/output.js'
import { root, run, runTool } from './lib/run.js'
import { ensureReady } from './setup.js'

const TAKES_LONG = [
  ...['cli', 'packaging', 'real', 'swap'].map((folder) => `**/${folder}/**`),
  ...['lifetime', 'memory', 'process'].map((name) => `**/${name}.test.js`),
]

/** What says nothing about Bun and Deno. */
const OF_NODE = [
  // How npm installs the package, and what Node's flags make of it.
  '**/packaging/**',
  // The module hooks of Node.
  '**/swap/loader.test.js',
  // Bounds for the memory of a process of Node.
  ...['lifetime', 'memory'].map((name) => `**/${name}.test.js`),
]
const OF_NODE_AND_DENO = [
  // Counts the threads of a process, and sets variables of the C library's environment.
  '**/journal-file/process.test.js',
]
const OF_NODE_AND_BUN = [
  // Deno ends by a signal that the tool makes an exit code of, and has other flags.
  '**/cli/**',
  // Deno's fs.access finds a link whose target is gone, and the provider goes by it.
  '**/workspace/real/local-process.test.js',
]

/**
 * By the name that `--only` takes. `npm test` runs on the Node that it is started with; the last of
 * these Nodes is the newest.
 */
const RUNTIMES = {
  22: { title: 'Node 22', find: ({ nodeBinary }) => nodeBinary(22) },
  24: { title: 'Node 24', find: ({ nodeBinary }) => nodeBinary(24) },
  26: { title: 'Node 26', find: ({ nodeBinary }) => nodeBinary(26) },
  bun: {
    title: 'Bun',
    find: ({ bunBinary }) => bunBinary(),
    flags: ['--bun'],
    leftOut: [...OF_NODE, ...OF_NODE_AND_DENO],
  },
  deno: {
    title: 'Deno',
    find: ({ denoBinary }) => denoBinary(),
    flags: ['run', '--allow-all', '--node-modules-dir=manual'],
    leftOut: [...OF_NODE, ...OF_NODE_AND_BUN],
  },
}

try {
  await main()
} catch (error) {
  failWith(error)
}

async function main() {
  const { all, only } = options()
  await ensureReady()
  const binaries = await import('../__test__/support/runtime-binaries.js')
  const failed = []
  const step = async (title, task) => {
    headline(title)
    if ((await task()) !== 0) failed.push(title)
  }

  if (only === undefined) await step('The package on every runtime', smoke)
  for (const [name, runtime] of Object.entries(RUNTIMES)) {
    if (only !== undefined && only !== name) continue
    const executable = await runtime.find(binaries)
    if (executable === undefined) note(`No ${runtime.title} for this platform: left out.`)
    else await step(`The tests on ${runtime.title}`, () => suite(executable, runtime, all))
  }
  report(failed)
}

function options() {
  try {
    const { values } = parseArgs({
      options: { all: { type: 'boolean', default: false }, only: { type: 'string' } },
    })
    if (values.only === undefined || Object.hasOwn(RUNTIMES, values.only)) return values
    throw new Error(`--only takes one of ${Object.keys(RUNTIMES).join(', ')}`)
  } catch (error) {
    throw new PlainError(error.message)
  }
}

function smoke() {
  const args = ['run', '--config', '__test__/integration/vitest.config.js', 'runtimes/']
  return runTool('vitest', 'vitest', args, { label: 'the runtimes still run' })
}

/** The programs that tests start run on the same runtime: they ask for `process.execPath`. */
function suite(executable, { flags = [], leftOut = [] }, all) {
  const excluded = all ? leftOut : [...TAKES_LONG, ...leftOut]
  const args = excluded.flatMap((pattern) => ['--exclude', pattern])
  const vitest = `${root}/node_modules/vitest/vitest.mjs`
  return run(executable, [...flags, vitest, 'run', ...args], { label: 'vitest still runs' })
}

function report(failed) {
  headline('Summary')
  if (failed.length === 0) {
    console.log(green('All passed.'))
    return
  }
  for (const title of failed) console.log(red(`failed: ${title}`))
  process.exitCode = 1
}
