/** The functions over streams. What they do is said in `api/journal-bytes.d.ts`. */

import { Base64Codec, TextCodec } from './codecs.js'
import { JournalIterator } from './iterator.js'
import { BatchStage, DecodeStage, LineStage } from './stages.js'

export function decodeBase64Stream(chunks) {
  return new JournalIterator(chunks, new DecodeStage(Base64Codec))
}

export function encodeUtf8Stream(chunks) {
  return new JournalIterator(chunks, new DecodeStage(TextCodec))
}

export function toJournalLines(byteChunks, startPosition) {
  return new JournalIterator(byteChunks, new LineStage(startPosition))
}

export function toJournalLineBatches(byteChunks, startPosition) {
  return new JournalIterator(byteChunks, new BatchStage(startPosition))
}
