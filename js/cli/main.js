/**
 * The command line tool: reads the arguments, runs a command, ends with its exit code.
 *
 * @module
 */

import { CommanderError } from 'commander'
import { describeError, UsageError } from './errors.js'
import { EXIT } from './exit-codes.js'
import { endOnClosedPipe } from './output.js'
import { makeProgram } from './program.js'

/** @param {string[]} argv */
export async function main(argv) {
  endOnClosedPipe()
  process.on('SIGINT', () => process.exit(EXIT.INTERRUPTED))
  process.exitCode = await run(argv)
}

async function run(argv) {
  let exitCode = EXIT.OK
  const program = makeProgram((code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has printed its message or the help by now.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.OK : EXIT.USAGE
    process.stderr.write(`${describeError(error)}\n`)
    return error instanceof UsageError ? EXIT.USAGE : EXIT.PROBLEM
  }
}
