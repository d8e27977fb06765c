/**
 * What a thrown value says, for a message: never throws, whatever the value.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  try {
    const message = error instanceof Error ? error.message : undefined
    return typeof message === 'string' && message !== '' ? message : String(error)
  } catch {
    // A getter that throws, or an object that has no text.
    return 'an error without a readable message'
  }
}
