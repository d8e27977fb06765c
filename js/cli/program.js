/**
 * The commands, their options and their help. What a command needs is loaded when it runs, so help
 * and usage errors come at once, and without the native library.
 */

import { readFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { coloursFor } from './colours.js'
import { escapeLines } from './escape.js'

const EXIT_CODES = `
Exit codes:
  0    all is well; also when the reader of a pipe went away
  1    a problem with the data or the run
  2    wrong usage
  130  stopped by Ctrl-C`

/**
 * @param {(exitCode: number) => void} finish - Told how a command ended.
 * @returns {Command}
 */
export function makeProgram(finish) {
  const program = new Command('ai-sandbox-native')
    .description('Look into the journals of coding agents: NDJSON files, an event a line.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError('(--help tells what there is)')
    .exitOverride()
    // They have the argument in them, which may be the name of any file.
    .configureOutput({ outputError: (text, print) => print(escapeLines(text)) })
    .configureHelp({ styleTitle: (title) => coloursFor(process.stdout).bold(title) })
    .addHelpText('after', () => `${EXIT_CODES}\n\nEach command has its own --help, with examples.`)
  addTail(program, finish)
  addStats(program, finish)
  addBench(program, finish)
  return program
}

function addTail(program, finish) {
  program
    .command('tail')
    .description('Print the events of a journal, one a line.')
    .argument('<FILE|RUN_ID>', 'a journal; what names no file is the id of a run')
    .option('-d, --dir <DIR>', 'where the journals of runs are (default: /tmp/tanstack-runs)')
    .option('--from <N>', 'start at byte N: a position that was printed or stored', position, 0)
    .option('-f, --follow', 'go on with what is appended, until the run ends or Ctrl-C')
    .option('--json', 'print the lines as they are')
    .option('-p, --positions', 'print the position behind each line before it')
    .addHelpText('after', `${TAIL_HELP}${EXIT_CODES}`)
    .action(async (target, options) => {
      const { tail } = await import('./tail/command.js')
      finish(await tail(target, options))
    })
}

const TAIL_HELP = `
A line without its newline is still being written, and isn't printed.
Control characters are escaped on a terminal. In a pipe, --json prints the bytes of the file.
Colour is for terminals; NO_COLOR=1 and FORCE_COLOR=1 decide otherwise.

With --follow:
  The journal of a run is waited for when it isn't there yet; another file must be there.
  It ends behind the line with which the run says that it ended, tells the run's exit code on
  stderr, and ends with 0 when that is 0, else with 1. FILE counts as the journal of a run by its
  name, RUN_ID.ndjson.
  It learns that the reader of a pipe went away when it prints the next event.

Examples:
  ai-sandbox-native tail run-42 --follow
  ai-sandbox-native tail ./journal.ndjson --positions
  ai-sandbox-native tail ./journal.ndjson --from 81920 --json | jq .type
`

function addStats(program, finish) {
  program
    .command('stats')
    .description('Count what a journal holds.')
    .argument('<FILE>', 'a journal')
    .option('--json', 'print one JSON object')
    .addHelpText('after', `${STATS_HELP}${EXIT_CODES}`)
    .action(async (file, options) => {
      const { stats } = await import('./stats/command.js')
      finish(await stats(file, options))
    })
}

const STATS_HELP = `
It ends with 1 when there are lines that are not JSON or not UTF-8. Blank lines are no fault, and
neither is a last line without its newline: it is still being written.

Examples:
  ai-sandbox-native stats ./journal.ndjson
  ai-sandbox-native stats ./journal.ndjson --json | jq .types
`

function addBench(program, finish) {
  program
    .command('bench')
    .description('Measure JavaScript against native code on a journal of yours.')
    .argument('[FILE]', 'a journal (default: a sample of 2 MB, made for it)')
    .option('--html <OUT>', 'also write the figures to OUT, a page with charts')
    .addHelpText('after', `${BENCH_HELP}${EXIT_CODES}`)
    .action(async (file, options) => {
      const { bench } = await import('./bench/command.js')
      finish(await bench(file, options))
    })
}

const BENCH_HELP = `
Of a large file, the first 32 MB are read. All contenders must give the same lines and positions
before anything is timed; it ends with 1 when they don't. It takes about half a minute, and
nothing else should run meanwhile.

Examples:
  ai-sandbox-native bench
  ai-sandbox-native bench ./journal.ndjson --html figures.html
`

function position(text) {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value
  throw new InvalidArgumentError('It must be a count of bytes: 0 or more.')
}

function readVersion() {
  const manifest = new URL('../../package.json', import.meta.url)
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}
