import { asExecResult } from './answers.js'
import { messageOf } from './message-of.js'

/**
 * Runs a command in the sandbox. Never rejects: a provider that throws, rejects, or gives no result
 * is an outcome, too.
 *
 * @param {{ process: { exec(command: string, options?: { cwd: string }): unknown } }} handle
 * @param {string} command
 * @param {string} [cwd] - The folder to run in.
 * @returns {Promise<{ exitCode: number, stdout: unknown } | { error: string }>}
 */
export async function runCommand(handle, command, cwd) {
  try {
    const { exitCode, stdout } = asExecResult(await execIn(handle.process, command, cwd))
    if (typeof exitCode !== 'number') return { error: 'the sandbox gave no exit code' }
    return { exitCode, stdout }
  } catch (error) {
    return { error: messageOf(error) }
  }
}

/** No options where there are none: a provider may take even an empty object for a wish. */
export function execIn(process, command, cwd) {
  return cwd === undefined ? process.exec(command) : process.exec(command, { cwd })
}
