/**
 * Whether there is a native library to swap in.
 *
 * @module
 */

/**
 * Without a native library all stays with the original's JavaScript, and one warning tells so.
 * `AI_SANDBOX_NATIVE=required` makes it an error.
 *
 * @param {string} subject - Who warns.
 * @returns {Promise<boolean>}
 */
export async function isNativeAvailable(subject) {
  try {
    await import('../load.js')
    return true
  } catch (error) {
    if (process.env.AI_SANDBOX_NATIVE === 'required') throw error
    process.emitWarning(`${subject}: nothing was swapped, for there is no native library`, {
      code: 'AI_SANDBOX_NATIVE_FALLBACK',
      detail: error instanceof Error ? error.message : String(error),
    })
    return false
  }
}
