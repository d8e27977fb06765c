// A journal file: what it takes, what it gives, and what it refuses.

import type { JournalIterator, JournalLine } from 'ai-sandbox-native/journal-bytes'
import { JournalFile, type JournalFileOptions } from 'ai-sandbox-native/journal-file'
import type * as root from 'ai-sandbox-native/native'
import type { Equal, Expect } from './equal.js'

const file = new JournalFile('/a')
const lines = file[Symbol.asyncIterator]()
const batches = file.batches()
const closed = file.close()
export type Same = Expect<Equal<typeof root.JournalFile, typeof JournalFile>>
export type SameOptions = Expect<Equal<root.JournalFileOptions, JournalFileOptions>>
export type Lines = Expect<Equal<typeof lines, JournalIterator<JournalLine>>>
export type Batches = Expect<Equal<typeof batches, JournalIterator<JournalLine[]>>>
export type Closed = Expect<Equal<typeof closed, Promise<void>>>
export type Position = Expect<Equal<typeof file.position, number>>

new JournalFile('/a', {})
new JournalFile('/a', undefined)
new JournalFile('/a', { position: 5, follow: true, pollIntervalMs: 20 })
new JournalFile('/a', { position: undefined, follow: undefined, pollIntervalMs: undefined })

export async function use(): Promise<number> {
  for await (const { line, endPosition } of file) if (line.length > endPosition) break
  await using follower = new JournalFile('/a', { follow: true })
  for await (const some of follower.batches()) return some.length
  return follower.position
}

// @ts-expect-error: a path is needed.
new JournalFile()
// @ts-expect-error: a path is text.
new JournalFile(new URL('file:///a'))
// @ts-expect-error: a position is a number.
new JournalFile('/a', { position: '5' })
// @ts-expect-error: the option has the unit in its name.
new JournalFile('/a', { pollInterval: 5 })
// @ts-expect-error: follow is a boolean.
new JournalFile('/a', { follow: 1 })
// @ts-expect-error: it is a class.
JournalFile('/a')
// @ts-expect-error: the position is the file's own.
file.position = 5
// @ts-expect-error: it is asynchronous.
for (const line of file) String(line)
