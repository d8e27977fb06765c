/** `best-utf8`: `best` with `utf8Slice` in place of `transcode`. Text chunks know no difference. */

import { Base64Lines } from './base64.js'
import { decodeByUtf8Slice } from './byte-window.js'
import { ByteChunkLines } from './bytes.js'

export { textLines } from './index.js'

/** @param {AsyncIterable<string>} source */
export function base64Lines(source, startPosition) {
  return new Base64Lines(source, startPosition, decodeByUtf8Slice)
}

/** @param {AsyncIterable<Uint8Array>} source */
export function byteLines(source, startPosition) {
  return new ByteChunkLines(source, startPosition, decodeByUtf8Slice)
}
