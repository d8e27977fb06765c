// The modules journal-reader and runner, from both entry points.

import type { SandboxHandle as OriginalHandle } from '@tanstack/ai-sandbox'
import { type JournalPaths, journalPaths } from 'ai-sandbox-native/journal'
import type { JournalIterator, JournalLine } from 'ai-sandbox-native/journal-bytes'
import {
  DEFAULT_JOURNAL_POLL_MS,
  type JournalReadStrategy,
  journalReadStrategy,
  type ReadJournalOptions,
  readJournal,
} from 'ai-sandbox-native/journal-reader'
import type * as root from 'ai-sandbox-native/native'
import {
  type JournaledRunOptions,
  readJournalNdjson,
  type SpawnNdjsonOptions,
  spawnNdjson,
  startJournaledAgent,
  toLines,
} from 'ai-sandbox-native/runner'
import type { Equal, Expect } from './equal.js'

declare const handle: root.SandboxHandle
declare const original: OriginalHandle
declare const texts: AsyncIterable<string>
declare const signal: AbortSignal

// Both entry points give the same functions and the same types.
export type SameRead = Expect<Equal<typeof root.readJournal, typeof readJournal>>
export type SameStrategy = Expect<
  Equal<typeof root.journalReadStrategy, typeof journalReadStrategy>
>
export type SameReadOptions = Expect<Equal<root.ReadJournalOptions, ReadJournalOptions>>
export type SameSpawn = Expect<Equal<typeof root.spawnNdjson, typeof spawnNdjson>>
export type SameSpawnOptions = Expect<Equal<root.SpawnNdjsonOptions, SpawnNdjsonOptions>>

// What they give.
const paths = journalPaths('run')
const lines = readJournal(handle, { paths })
const events = spawnNdjson(handle, 'agent')
const started = startJournaledAgent(handle, 'agent', { journal: { runId: 'run' } })
export type Paths = Expect<Equal<typeof paths, JournalPaths>>
export type Lines = Expect<Equal<typeof lines, JournalIterator<JournalLine>>>
export type Events = Expect<Equal<typeof events, JournalIterator<unknown>>>
export type Started = Expect<Equal<typeof started, Promise<void>>>
export type Texts = Expect<Equal<ReturnType<typeof toLines>, JournalIterator<string>>>
export type Strategy = Expect<Equal<JournalReadStrategy, 'follow' | 'poll'>>
const interval: 250 = DEFAULT_JOURNAL_POLL_MS

// A handle of the original is taken as it is, and so is a part of one.
readJournal(original, { paths, fromByte: 8, signal, strategy: 'poll', pollIntervalMs: interval })
spawnNdjson(original, 'agent', { cwd: '/w', env: { A: '1' }, input: '', onNonJsonLine() {} })
readJournalNdjson(original, { journal: { runId: 'run', attach: true, attachWaitMs: 5 } })
journalReadStrategy({ capabilities: { backgroundProcesses: true } })
toLines(texts)
toLines(['a', 'b'])

export const options: JournaledRunOptions = { journal: { runId: 'run' }, signal: undefined }

// @ts-expect-error: the journal must be named.
readJournal(handle, {})
// @ts-expect-error: a position is a number.
readJournal(handle, { paths, fromByte: '7' })
// @ts-expect-error: there are two strategies.
readJournal(handle, { paths, strategy: 'guess' })
// @ts-expect-error: a run with a journal has one.
startJournaledAgent(handle, 'agent', {})
// @ts-expect-error: a run has an id.
readJournalNdjson(handle, { journal: { dir: '/tmp' } })
// @ts-expect-error: input is text.
spawnNdjson(handle, 'agent', { input: new Uint8Array() })
