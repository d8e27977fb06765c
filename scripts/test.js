/**
 * `npm test`: every test of the package. `npm test -- rust` (or `js`, `types`) runs a part.
 *
 * @module
 */

import { failWith, green, headline, PlainError, red } from './lib/output.js'
import { run, runTool } from './lib/run.js'
import { requireRust } from './lib/rust.js'
import { ensureShells } from './lib/shells.js'
import { ensureReady } from './setup.js'

const suites = [
  {
    part: 'rust',
    // The bindings have no Rust tests: without a JavaScript engine behind them there is nothing to
    // call, and napi-rs leaves its exports out of test builds. The JavaScript tests test them.
    title: 'Rust (cargo test --no-default-features)',
    run: () => cargo('test', '--no-default-features'),
  },
  {
    part: 'js',
    title: 'JavaScript (vitest run)',
    run: () => runTool('vitest', 'vitest', ['run'], { label: 'vitest still runs' }),
  },
  {
    part: 'types',
    title: 'Types (tsc)',
    run: () => runTool('typescript', 'tsc', ['-p', '__test__/types/tsconfig.json', '--noEmit']),
  },
]

try {
  await main(process.argv.slice(2))
} catch (error) {
  failWith(error)
}

async function main(parts) {
  const known = new Set(suites.map(({ part }) => part))
  const unknown = parts.filter((part) => !known.has(part))
  if (unknown.length > 0) {
    throw new PlainError(`No such part: ${unknown}. The parts: ${[...known].join(', ')}.`)
  }
  await ensureReady()
  ensureShells()
  const chosen = suites.filter(({ part }) => parts.length === 0 || parts.includes(part))
  const failed = []
  for (const { title, run } of chosen) {
    headline(title)
    if ((await run()) !== 0) failed.push(title)
  }
  report(chosen.length, failed)
}

function report(total, failed) {
  headline('Summary')
  if (failed.length === 0) {
    console.log(green(`All ${total} suites passed.`))
    return
  }
  console.log(red(`${failed.length} of ${total} suites failed:`))
  for (const title of failed) console.log(red(`  ${title}`))
  process.exitCode = 1
}

function cargo(...args) {
  const path = requireRust()
  return run('cargo', args, { label: `cargo ${args[0]} still runs`, env: path && { PATH: path } })
}
