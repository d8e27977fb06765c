// The three functions of the original module, from both entry points.

import {
  decodeBase64Stream,
  encodeUtf8Stream,
  type JournalIterator,
  type JournalLine,
  type JournalSource,
  toJournalLines,
} from 'ai-sandbox-native/journal-bytes'
import type * as root from 'ai-sandbox-native/native'
import type { Equal, Expect } from './equal.js'

declare const texts: AsyncIterable<string>
declare const bytes: AsyncIterable<Uint8Array>
declare const response: { body: NodeJS.ReadableStream & AsyncIterable<Buffer> }

// Both entry points give the same functions and the same types.
export type SameDecode = Expect<Equal<typeof root.decodeBase64Stream, typeof decodeBase64Stream>>
export type SameEncode = Expect<Equal<typeof root.encodeUtf8Stream, typeof encodeUtf8Stream>>
export type SameLines = Expect<Equal<typeof root.toJournalLines, typeof toJournalLines>>
export type SameLine = Expect<Equal<root.JournalLine, JournalLine>>
export type SameIterator = Expect<Equal<root.JournalIterator<number>, JournalIterator<number>>>
export type SameSource = Expect<Equal<root.JournalSource<number>, JournalSource<number>>>

// What they give.
const decoded = decodeBase64Stream(texts)
const encoded = encodeUtf8Stream(texts)
const lines = toJournalLines(bytes, 0)
export type Decoded = Expect<Equal<typeof decoded, JournalIterator<Uint8Array<ArrayBuffer>>>>
export type Encoded = Expect<Equal<typeof encoded, JournalIterator<Uint8Array<ArrayBuffer>>>>
export type Lines = Expect<Equal<typeof lines, JournalIterator<JournalLine>>>
export type Shape = Expect<Equal<JournalLine, { line: string; endPosition: number }>>

// Any source that `for await` takes.
decodeBase64Stream(['QQ==', Promise.resolve('QQ==')])
decodeBase64Stream(new Set(['QQ==']))
encodeUtf8Stream(new ReadableStream<string>())
toJournalLines([new Uint8Array(1), Buffer.from('a')], 0)
toJournalLines(response.body, 2 ** 40)
toJournalLines(decodeBase64Stream(texts), 0)
toJournalLines(encodeUtf8Stream(texts), 0)
toJournalLines(
  (async function* () {
    yield new Uint8Array(new SharedArrayBuffer(1))
  })(),
  0,
)

// In place of the original, whose signatures are these.
type Original = {
  decodeBase64Stream(chunks: AsyncIterable<string>): AsyncIterable<Uint8Array>
  encodeUtf8Stream(chunks: AsyncIterable<string>): AsyncIterable<Uint8Array>
  toJournalLines(
    byteChunks: AsyncIterable<Uint8Array>,
    startPosition: number,
  ): AsyncIterable<{ line: string; endPosition: number }>
}
export const original: Original = { decodeBase64Stream, encodeUtf8Stream, toJournalLines }

export async function iteration(): Promise<string> {
  for await (const { line, endPosition } of lines) {
    const text: string = line
    const position: number = endPosition
    if (position > 0) return text
  }
  const result = await lines.next()
  if (result.done) {
    const nothing: undefined = result.value
    return String(nothing)
  }
  const closed = await lines.return('value')
  const text: string = closed.value
  const awaited = await lines.return(Promise.resolve(7))
  const number: number = awaited.value
  await lines.throw(new Error(text + number))
  return text
}

export async function disposal(): Promise<void> {
  await using kept = toJournalLines(bytes, 0)
  await kept.next()
}

// @ts-expect-error: the start position is needed.
toJournalLines(bytes)
// @ts-expect-error: a position is a number.
toJournalLines(bytes, '0')
// @ts-expect-error: a position is a number, not a bigint.
toJournalLines(bytes, 0n)
// @ts-expect-error: lines are made of bytes, not text.
toJournalLines(texts, 0)
// @ts-expect-error: lines are made of bytes, not text.
toJournalLines(['text'], 0)
// @ts-expect-error: only a Uint8Array is bytes.
toJournalLines([new Uint16Array(1)], 0)
// @ts-expect-error: an ArrayBuffer is no Uint8Array.
toJournalLines([new ArrayBuffer(1)], 0)
// @ts-expect-error: base64 is text.
decodeBase64Stream(bytes)
// @ts-expect-error: text is text.
encodeUtf8Stream(bytes)
// @ts-expect-error: one source.
encodeUtf8Stream(texts, 'utf8')
// @ts-expect-error: a promise of a source is no source.
decodeBase64Stream(Promise.resolve(texts))
// @ts-expect-error: a number is no source.
decodeBase64Stream(7)
// @ts-expect-error: numbers are no chunks.
encodeUtf8Stream([7])
// @ts-expect-error: a line has no such property.
export type NoStart = JournalLine['startPosition']
// @ts-expect-error: the iterator is asynchronous.
for (const line of lines) String(line)

// The subpath has just the names of the original.
// @ts-expect-error: batches are of the native entry point.
export type { toJournalLineBatches } from 'ai-sandbox-native/journal-bytes'
// @ts-expect-error: there is no such entry point.
export type { toJournalLines as hidden } from 'ai-sandbox-native/js/load.js'
