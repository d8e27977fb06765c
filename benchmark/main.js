/**
 * The benchmark: `npm run bench`, or this file by itself where the addon is built.
 */

import { writeFileSync } from 'node:fs'
import { describeEnvironment, formatEnvironment } from '../js/cli/bench/environment.js'
import { listCases } from './cases.js'
import { runChild } from './child.js'
import { parseOptions, USAGE } from './options.js'
import { formatCases, formatSingles, formatVerdicts } from './report.js'
import { listSingles } from './singles.js'
import { judge } from './verdicts.js'

await main(process.argv.slice(2))

async function main(argv) {
  const options = readOptions(argv)
  if (options === undefined) return
  const environment = describeEnvironment()
  console.log(`${formatEnvironment(environment)}\n`)

  const start = performance.now()
  const wanted = ({ id }) =>
    options.only.length === 0 || options.only.some((part) => id.includes(part))
  const cases = await runAll(listCases(options).filter(wanted), (one) =>
    runChild('throughput', one),
  )
  const singles = await runAll(listSingles(options).filter(wanted), async (one) => ({
    answer: await runChild(one.child, one.task),
  }))
  const seconds = Math.round((performance.now() - start) / 1000)

  if (options.smoke) {
    console.log(`${cases.length + singles.length} runs, all answers right, in ${seconds} s`)
    return
  }
  const all = options.only.length === 0
  const verdicts = judge({ cases, singles }).filter(
    ({ result }) => all || result !== 'not measured',
  )
  const results = { environment, seconds, cases, singles, verdicts }
  printResults(results)
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`)
    console.log(`\nAll figures: ${options.json}`)
  }
}

function readOptions(argv) {
  try {
    const options = parseOptions(argv)
    if (!options.help) return options
    console.log(USAGE)
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`)
    process.exitCode = 2
  }
  return undefined
}

/** One after the other, each with its answer added; progress goes to the standard error. */
async function runAll(items, run) {
  const done = []
  for (const [index, item] of items.entries()) {
    const name = item.contender === undefined ? item.id : `${item.id} (${item.contender})`
    process.stderr.write(`[${index + 1}/${items.length}] ${name}\n`)
    done.push({ ...item, ...(await run(item)) })
  }
  return done
}

function printResults({ cases, singles, verdicts, seconds }) {
  const judged = verdicts.length > 0 ? formatVerdicts(verdicts) : ''
  const parts = [formatCases(cases), formatSingles(singles), judged]
  console.log(parts.filter((part) => part !== '').join('\n\n'))
  console.log(`\nMeasured in ${seconds} s`)
}
