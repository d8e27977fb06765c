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
  const { failure } = await import('../load.js')
  if (failure === undefined) return true
  if (process.env.AI_SANDBOX_NATIVE === 'required') throw failure
  process.emitWarning(`${subject}: nothing was swapped, for there is no native library`, {
    code: 'AI_SANDBOX_NATIVE_FALLBACK',
    detail: failure.message,
  })
  return false
}
