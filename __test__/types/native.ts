// What the native entry point has beside the modules: batches, the framer, the version.

import {
  decodeBase64Stream,
  JournalFramer,
  type JournalIterator,
  type JournalLine,
  toJournalLineBatches,
  type version,
} from 'ai-sandbox-native/native'
import type { Equal, Expect } from './equal.js'

declare const bytes: AsyncIterable<Uint8Array>

const batches = toJournalLineBatches(bytes, 0)
export type Batches = Expect<Equal<typeof batches, JournalIterator<JournalLine[]>>>
export type Version = Expect<Equal<typeof version, string>>

toJournalLineBatches(decodeBase64Stream(['QQ==']), 5)
toJournalLineBatches([new Uint8Array(1)], 0)

export async function positions(): Promise<number[]> {
  const ends: number[] = []
  for await (const batch of batches) ends.push(...batch.map(({ endPosition }) => endPosition))
  return ends
}

const framer = new JournalFramer()
new JournalFramer(2 ** 40)
new JournalFramer(undefined)

export const lines: JournalLine[] = [
  ...framer.push(new Uint8Array(1)),
  ...framer.push(Buffer.from('a')),
  ...framer.push('text'),
  ...framer.push(Math.random() > 0.5 ? 'text' : new Uint8Array(1)),
  ...framer.pushBase64('QQ=='),
]
export const numbers: [number, number] = [framer.position, framer.pendingBytes]
export type Finish = Expect<Equal<ReturnType<typeof framer.finish>, void>>

export class Counting extends JournalFramer {
  count = 0
  override push(chunk: Uint8Array | string): JournalLine[] {
    const found = super.push(chunk)
    this.count += found.length
    return found
  }
}

// @ts-expect-error: the position is read only.
framer.position = 5
// @ts-expect-error: so is the count of waiting bytes.
framer.pendingBytes = 5
// @ts-expect-error: a class needs new.
JournalFramer(0)
// @ts-expect-error: a position is a number.
new JournalFramer('0')
// @ts-expect-error: null is no position.
new JournalFramer(null)
// @ts-expect-error: a chunk is needed.
framer.push()
// @ts-expect-error: an ArrayBuffer is no chunk.
framer.push(new ArrayBuffer(1))
// @ts-expect-error: a DataView is no chunk.
framer.push(new DataView(new ArrayBuffer(1)))
// @ts-expect-error: base64 is text.
framer.pushBase64(new Uint8Array(1))
// @ts-expect-error: nothing to give here.
framer.finish('text')
// @ts-expect-error: the start position is needed.
toJournalLineBatches(bytes)
// @ts-expect-error: batches are arrays, not lines.
export const line: JournalIterator<JournalLine> = batches
