/** How much of stderr is quoted, in UTF-16 code units. */
export const MOST_OF_STDERR = 1000

/** The error of an agent that ended with a bad exit code. */
export function exitError(exitCode, stderr) {
  const reason = stderr.trim().slice(0, MOST_OF_STDERR)
  return new Error(`Agent process exited with code ${exitCode}${reason && `: ${reason}`}`)
}
