/**
 * What the scripts print: headlines and notes, coloured on a terminal only.
 *
 * @module
 */

/** Whether escape sequences are welcome: a terminal, and no wish against it. */
export const useColor = process.stdout.isTTY === true && !process.env.NO_COLOR

/** @param {string} text */
export const bold = (text) => paint('1', text)
/** @param {string} text */
export const dim = (text) => paint('2', text)
/** @param {string} text */
export const green = (text) => paint('32', text)
/** @param {string} text */
export const red = (text) => paint('31', text)

/**
 * A line between steps.
 *
 * @param {string} text
 */
export function headline(text) {
  console.log(`\n${bold(`== ${text}`)}`)
}

/**
 * A line about what goes on.
 *
 * @param {string} text
 */
export function note(text) {
  console.log(dim(text))
}

/**
 * Ends the process with a message in place of a stack: the reader is a user, not the author.
 *
 * @param {unknown} error
 */
export function failWith(error) {
  const plain = error instanceof PlainError
  console.error(
    red(plain ? error.message : String((error instanceof Error && error.stack) || error)),
  )
  process.exitCode = 1
}

/** An error whose message is all that the user needs. */
export class PlainError extends Error {}

/** @param {string} code @param {string} text */
function paint(code, text) {
  return useColor ? `\x1b[${code}m${text}\x1b[0m` : text
}
