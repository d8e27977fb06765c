/**
 * The table of chunkings that every stream test runs through: what comes out must not depend on
 * where the input was cut.
 */

/**
 * @template {string | Uint8Array} T
 * @param {T} input
 * @returns {Array<{ name: string, chunks: T[] }>}
 */
export function chunkings(input) {
  return [
    { name: 'whole', chunks: [input] },
    ...[1, 2, 3, 64].map((size) => ({ name: `pieces of ${size}`, chunks: pieces(input, size) })),
    { name: 'empty chunks between', chunks: withEmptyChunks(pieces(input, 7)) },
    { name: 'cut inside each quantum', chunks: cutAt(input, (index) => index % 4 === 2) },
    { name: 'cut inside each character', chunks: cutAt(input, (i) => isInsideCharacter(input, i)) },
    { name: 'cut before each newline', chunks: cutAt(input, (i) => isNewline(input, i)) },
    { name: 'cut behind each newline', chunks: cutAt(input, (i) => isNewline(input, i - 1)) },
  ]
}

/** Cuts `input` in pieces of `size`. */
export function pieces(input, size) {
  return cutAt(input, (index) => index % size === 0)
}

/** Cuts `input` before each index that `isCut` accepts. */
export function cutAt(input, isCut) {
  const chunks = []
  let start = 0
  for (let index = 1; index < input.length; index += 1) {
    if (!isCut(index)) continue
    chunks.push(input.slice(start, index))
    start = index
  }
  chunks.push(input.slice(start))
  return chunks
}

function withEmptyChunks(chunks) {
  const empty = chunks[0].slice(0, 0)
  return [empty, ...chunks.flatMap((chunk) => [chunk, empty, empty])]
}

function isInsideCharacter(input, index) {
  if (typeof input !== 'string') return (input[index] & 0xc0) === 0x80
  return /[\udc00-\udfff]/.test(input[index])
}

function isNewline(input, index) {
  return input[index] === '\n' || input[index] === 0x0a
}
