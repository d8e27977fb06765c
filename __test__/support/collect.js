/** Small helpers for reading iterators and writing expectations. */

/** Everything that `iterable` gives, or its first `count`. */
export async function collect(iterable, count = Number.POSITIVE_INFINITY) {
  const items = []
  for await (const item of iterable) {
    items.push(item)
    if (items.length === count) break
  }
  return items
}

/** Everything that `iterable` gives, and the error that ends it, if one does. */
export async function collectWithError(iterable) {
  const items = []
  try {
    for await (const item of iterable) items.push(item)
  } catch (error) {
    return { items, error }
  }
  return { items }
}

/** The bytes of chunks as one hexadecimal string. */
export function hex(...chunks) {
  return Buffer.concat(chunks).toString('hex')
}

/** The bytes that a hexadecimal string (spaces allowed) tells. */
export function bytes(text) {
  return new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))
}

export function utf8(text) {
  return new TextEncoder().encode(text)
}

export function base64(text) {
  return Buffer.from(text).toString('base64')
}

/** Waits until all that can go on without a new event has gone on. */
export async function settled() {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** A generator that hands on what it gets: whatever stands behind it can't see what is before. */
export async function* passOn(iterable) {
  yield* iterable
}
