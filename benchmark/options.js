/**
 * The command line.
 */

import { parseArgs } from 'node:util'

import { CONTENDER_NAMES } from './contenders/index.js'

export const USAGE = `Usage: npm run bench -- [options]

  --json [FILE]      also write all figures as JSON (default FILE: benchmark.json)
  --only FILTER      only what has FILTER in its name, such as "base64", "text/64 KiB", "growth";
                     several by commas
  --without NAMES    leave contenders out, by commas: ${CONTENDER_NAMES.join(', ')}
  --smoke            small inputs: answers are checked, nothing is timed or judged
  --help             this text`

const DEFAULT_JSON_FILE = 'benchmark.json'

/**
 * @param {string[]} argv
 * @returns {{ json: string | undefined, only: string[], contenders: string[], smoke: boolean,
 *   help: boolean }}
 */
export function parseOptions(argv) {
  const { values } = parseArgs({
    args: withDefaultFile(argv),
    options: {
      json: { type: 'string' },
      only: { type: 'string', default: '' },
      without: { type: 'string', default: '' },
      smoke: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const without = splitList(values.without)
  const unknown = without.filter((name) => !CONTENDER_NAMES.includes(name))
  if (unknown.length > 0) throw new Error(`no such contender: ${unknown.join(', ')}`)
  // Batches are native code too.
  if (without.includes('native')) without.push('batches')
  return {
    json: values.json,
    only: splitList(values.only),
    contenders: CONTENDER_NAMES.filter((name) => !without.includes(name)),
    smoke: values.smoke,
    help: values.help,
  }
}

/** `--json` may stand alone, which `parseArgs` has no option for. */
function withDefaultFile(argv) {
  return argv.flatMap((argument, index) => {
    const next = argv[index + 1]
    const alone = argument === '--json' && (next === undefined || next.startsWith('--'))
    return alone ? [argument, DEFAULT_JSON_FILE] : [argument]
  })
}

function splitList(text) {
  return text.split(',').filter((part) => part !== '')
}
