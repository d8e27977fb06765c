import { messageOf } from './message-of.js'

/**
 * Runs a command in the sandbox. Never rejects: a provider that throws, rejects, or gives no result
 * is an outcome, too.
 *
 * @param {{ process: { exec(command: string): unknown } }} handle
 * @param {string} command
 * @returns {Promise<{ exitCode: number, stdout: unknown } | { error: string }>}
 */
export async function runCommand(handle, command) {
  try {
    const { exitCode, stdout } = await handle.process.exec(command)
    if (typeof exitCode !== 'number') return { error: 'the sandbox gave no exit code' }
    return { exitCode, stdout }
  } catch (error) {
    return { error: messageOf(error) }
  }
}
