/**
 * `npm run test:runtimes`: the packed package on Node 22, 24 and the newest, Bun and Deno, and the
 * JavaScript tests on each Node. `npm run test:runtimes -- --all` runs all of those tests, in ten
 * minutes a Node; `-- --node=22` only on that one.
 *
 * Without `--all` those are left out that take long for what they tell of another Node: they go
 * through shells, start the command line tool, install packages or fill the memory. The rest is what
 * another engine could break: iteration, promises, the stack, strings, buffers, worker threads.
 *
 * @module
 */

import { parseArgs } from 'node:util'
import { failWith, green, headline, note, PlainError, red } from './lib/output.js'
import { root, run, runTool } from './lib/run.js'
import { ensureReady } from './setup.js'

/** The last is the newest. `npm test` runs on the Node that it is started with. */
const NODES = [22, 24, 26]
const LEFT_OUT = [
  ...['cli', 'packaging', 'real', 'swap'].map((folder) => `**/${folder}/**`),
  ...['lifetime', 'memory', 'process'].map((name) => `**/${name}.test.js`),
]

try {
  await main()
} catch (error) {
  failWith(error)
}

async function main() {
  const { all, node } = options()
  await ensureReady()
  const { nodeBinary } = await import('../__test__/support/node-binary.js')
  const failed = []
  const step = async (title, task) => {
    headline(title)
    if ((await task()) !== 0) failed.push(title)
  }

  if (node === undefined) await step('The package on every runtime', smoke)
  const majors = NODES.filter((major) => node === undefined || major === Number(node))
  for (const major of majors) {
    const executable = await nodeBinary(major)
    if (executable === undefined) note(`No Node ${major} for this platform: left out.`)
    else await step(`The tests on Node ${major}`, () => suite(executable, all))
  }
  report(failed)
}

function options() {
  try {
    const { values } = parseArgs({
      options: { all: { type: 'boolean', default: false }, node: { type: 'string' } },
    })
    if (values.node === undefined || NODES.includes(Number(values.node))) return values
    throw new Error(`--node takes one of ${NODES.join(', ')}`)
  } catch (error) {
    throw new PlainError(error.message)
  }
}

function smoke() {
  const args = ['run', '--config', '__test__/integration/vitest.config.js', 'runtimes/']
  return runTool('vitest', 'vitest', args, { label: 'the runtimes still run' })
}

/** The programs that tests start are of the same Node: they ask for `process.execPath`. */
function suite(executable, all) {
  const args = all ? [] : LEFT_OUT.flatMap((pattern) => ['--exclude', pattern])
  return run(executable, [`${root}/node_modules/vitest/vitest.mjs`, 'run', ...args], {
    label: 'vitest still runs',
  })
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
