/**
 * The benchmark of the workspace backend: `node benchmark/workspace/main.js`, where the addon is
 * built.
 */

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { describeEnvironment, formatEnvironment } from '../../js/cli/bench/environment.js'
import { runChild } from '../child.js'
import { listCases, listSingles } from './cases.js'
import { CONTENDER_NAMES } from './contenders.js'
import { formatCases, formatSingles, formatVerdicts } from './report.js'
import { judge } from './verdicts.js'

const USAGE = `Usage: node benchmark/workspace/main.js [options]

  --json FILE      also write all figures as JSON
  --only FILTER    only what has FILTER in its name, such as "readdir"; several by commas
  --without NAMES  leave contenders out, by commas: ${CONTENDER_NAMES.join(', ')}
  --smoke          answers and numbers of calls only: nothing is timed or judged
  --help           this text`

await main(process.argv.slice(2))

async function main(argv) {
  const options = readOptions(argv)
  if (options === undefined) return
  const environment = describeEnvironment()
  console.log(`${formatEnvironment(environment)}\n`)

  const start = performance.now()
  const isWanted = ({ name }) =>
    options.only.length === 0 || options.only.some((part) => name.includes(part))
  const cases = await runAll(listCases(options).filter(isWanted))
  const singles = await runAll(listSingles(options).filter(isWanted))
  const seconds = Math.round((performance.now() - start) / 1000)

  const verdicts = judge({ cases, singles })
  const extra = verdicts.find(({ what }) => what.startsWith('provider calls'))
  if (extra.result === 'SHORT') throw new Error(`${extra.what}: ${extra.measured}, ${extra.where}`)
  if (options.smoke) {
    console.log(`${cases.length + singles.length} runs, all answers right, in ${seconds} s`)
    return
  }
  const parts = [formatCases(cases), formatSingles(singles), formatVerdicts(verdicts)]
  console.log(parts.filter((part) => part !== '').join('\n\n'))
  console.log(`\nMeasured in ${seconds} s`)
  if (options.json === undefined) return
  const results = { environment, seconds, cases, singles, verdicts }
  writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`)
  console.log(`\nAll figures: ${options.json}`)
}

function readOptions(argv) {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        json: { type: 'string' },
        only: { type: 'string', default: '' },
        without: { type: 'string', default: '' },
        smoke: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (!values.help) return resolveOptions(values)
    console.log(USAGE)
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    process.exitCode = 2
  }
  return undefined
}

function resolveOptions({ json, only, without, smoke }) {
  const left = splitList(without)
  const unknown = left.filter((name) => !CONTENDER_NAMES.includes(name))
  if (unknown.length > 0) throw new Error(`no such contender: ${unknown.join(', ')}`)
  const contenders = CONTENDER_NAMES.filter((name) => !left.includes(name))
  return { json, only: splitList(only), contenders, smoke }
}

function splitList(text) {
  return text.split(',').filter((part) => part !== '')
}

/** One after the other, each with its answer added; progress goes to the standard error. */
async function runAll(items) {
  const done = []
  for (const [index, item] of items.entries()) {
    process.stderr.write(`[${index + 1}/${items.length}] ${item.name}\n`)
    const answer = await runChild(`../workspace/children/${item.child}`, item.task)
    done.push({ ...item, ...answer })
  }
  return done
}
