/**
 * The loops that are timed. Each contender loads its own copy of this module (by a query in its
 * name), so that one contender's types don't slow another's loop.
 */

/** @returns {Promise<number>} How many lines came. */
export async function consumeLines(lines) {
  let count = 0
  let used = 0
  for await (const { line, endPosition } of lines) {
    count += 1
    used += touch(line) + endPosition
  }
  if (!(used >= 0)) throw new Error('a line without a position')
  return count
}

/** @returns {Promise<number>} How many lines came. */
export async function consumeBatches(batches) {
  let count = 0
  let used = 0
  for await (const lines of batches) {
    for (const { line, endPosition } of lines) {
      count += 1
      used += touch(line) + endPosition
    }
  }
  if (!(used >= 0)) throw new Error('a line without a position')
  return count
}

/**
 * One character, so that a line that is still a chain of pieces gets joined within the time
 * measured, as any consumer would make it.
 */
function touch(line) {
  return line.length === 0 ? 0 : line.charCodeAt(line.length - 1)
}
