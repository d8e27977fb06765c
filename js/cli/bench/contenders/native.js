/**
 * `native`: the product, by its public functions.
 */

import { decodeBase64Stream, encodeUtf8Stream, toJournalLines } from '../../../../api/native.js'

/** @param {AsyncIterable<string>} source */
export function base64Lines(source, startPosition) {
  return toJournalLines(decodeBase64Stream(source), startPosition)
}

/** @param {AsyncIterable<Uint8Array>} source */
export function byteLines(source, startPosition) {
  return toJournalLines(source, startPosition)
}

/** @param {AsyncIterable<string>} source */
export function textLines(source, startPosition) {
  return toJournalLines(encodeUtf8Stream(source), startPosition)
}
