/**
 * `batches`: the product's `toJournalLineBatches`, for consumers that want no promise a line.
 */

import {
  decodeBase64Stream,
  encodeUtf8Stream,
  toJournalLineBatches,
} from '../../../../api/native.js'

/** @param {AsyncIterable<string>} source */
export function base64Lines(source, startPosition) {
  return toJournalLineBatches(decodeBase64Stream(source), startPosition)
}

/** @param {AsyncIterable<Uint8Array>} source */
export function byteLines(source, startPosition) {
  return toJournalLineBatches(source, startPosition)
}

/** @param {AsyncIterable<string>} source */
export function textLines(source, startPosition) {
  return toJournalLineBatches(encodeUtf8Stream(source), startPosition)
}
