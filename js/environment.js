/**
 * A variable of the environment. Deno throws where the program may not read it; then it counts as not
 * set.
 *
 * @param {string} name
 * @returns {string | undefined}
 */
export function environmentVariable(name) {
  try {
    return process.env[name]
  } catch {
    return undefined
  }
}
