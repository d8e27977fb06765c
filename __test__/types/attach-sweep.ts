// Attaching and sweeping: what they take, what they give, and what they refuse.

import type { SandboxHandle as OriginalHandle } from '@tanstack/ai-sandbox'
import {
  type AwaitAttachableJournalOptions,
  awaitAttachableJournal,
  type DEFAULT_ATTACH_JOURNAL_WAIT_MS,
  type DEFAULT_ATTACH_PROBE_INTERVAL_MS,
  JournalAttachUnavailableError,
  type JournalAttachUnavailableReason,
  type JournalLogger,
  type RunStore,
} from 'ai-sandbox-native/attach-preflight'
import type { JournalPaths } from 'ai-sandbox-native/journal'
import {
  type DEFAULT_MAX_DELETES,
  type DEFAULT_ORPHAN_TTL_MS,
  type PruneJournalsOptions,
  type PruneJournalsReport,
  type PruneKeepReason,
  pruneJournals,
} from 'ai-sandbox-native/journal-sweep'
import type * as root from 'ai-sandbox-native/native'
import type { SandboxHandle } from 'ai-sandbox-native/workspace-backend'
import type { Equal, Expect } from './equal.js'

declare const handle: SandboxHandle
declare const original: OriginalHandle
declare const paths: JournalPaths
declare const signal: AbortSignal
declare const map: Map<string, { status: string }>

// Both entry points give the same.
export type Same = [
  Expect<Equal<typeof root.awaitAttachableJournal, typeof awaitAttachableJournal>>,
  Expect<Equal<typeof root.JournalAttachUnavailableError, typeof JournalAttachUnavailableError>>,
  Expect<Equal<typeof root.pruneJournals, typeof pruneJournals>>,
  Expect<Equal<root.RunStore, RunStore>>,
  Expect<Equal<root.PruneJournalsReport, PruneJournalsReport>>,
]

export type Constants = [
  Expect<Equal<typeof DEFAULT_ATTACH_JOURNAL_WAIT_MS, 10000>>,
  Expect<Equal<typeof DEFAULT_ATTACH_PROBE_INTERVAL_MS, 100>>,
  Expect<Equal<typeof DEFAULT_ORPHAN_TTL_MS, 3600000>>,
  Expect<Equal<typeof DEFAULT_MAX_DELETES, 200>>,
]

// Stores: promises or none, null or undefined, more in the record than is asked for.
export const stores: RunStore[] = [
  map,
  { get: async () => null },
  { get: async () => ({ status: 'running', runId: 'r', startedAt: 1 }) },
  { get: () => undefined },
]

// Loggers: the console, and one without meta.
export const loggers: JournalLogger[] = [console, { warn: (message) => String(message) }]

// Waiting.
export async function wait(): Promise<void> {
  await awaitAttachableJournal(handle, { paths, runId: 'r' })
  await awaitAttachableJournal(original, { paths, runId: 'r', runs: map, signal })
  await awaitAttachableJournal(
    { capabilities: handle.capabilities, process: handle.process },
    { paths, runId: 'r', waitMs: 5, probeIntervalMs: 5, logger: console },
  )
}
export const undefinedOptions: AwaitAttachableJournalOptions = {
  paths,
  runId: 'r',
  runs: undefined,
  waitMs: undefined,
  probeIntervalMs: undefined,
  signal: undefined,
  logger: undefined,
}

// The error.
const error = new JournalAttachUnavailableError({
  runId: 'r',
  reason: 'journal-stalled',
  detail: 'no byte',
})
export const isError: Error = error
export type Reason = Expect<
  Equal<
    JournalAttachUnavailableReason,
    'unknown-run' | 'terminal-run' | 'journal-timeout' | 'journal-stalled'
  >
>
export function told(caught: unknown): string {
  if (!(caught instanceof JournalAttachUnavailableError)) return ''
  const name: 'JournalAttachUnavailableError' = caught.name
  return name + caught.runId + (caught.reason === 'unknown-run')
}

// Sweeping.
export const options: PruneJournalsOptions = { handle: original, runs: map }
export async function sweep(): Promise<PruneKeepReason[]> {
  const report = await pruneJournals({
    handle,
    runs: map,
    dir: '/journals',
    now: () => 5,
    orphanTtlMs: 5,
    maxDeletes: 5,
    logger: console,
  })
  const count: number = report.listed + report.runIds.length + report.deleted.length
  for (const { stage, runId, message } of report.failures) console.log(stage, runId, message, count)
  return report.kept.map(({ reason }) => reason)
}
export type Report = [
  Expect<Equal<PruneJournalsReport['deleted'], string[]>>,
  Expect<Equal<PruneJournalsReport['ageGate'], 'listed' | 'unavailable'>>,
  Expect<
    Equal<
      PruneKeepReason,
      | 'undecodable-name'
      | 'store-error'
      | 'non-terminal'
      | 'age-gate-unavailable'
      | 'age-gate-missing-entry'
      | 'orphan-too-recent'
      | 'delete-failed'
      | 'max-deletes'
    >
  >,
]

// @ts-expect-error: the paths are needed.
awaitAttachableJournal(handle, { runId: 'r' })
// @ts-expect-error: the run id is needed.
awaitAttachableJournal(handle, { paths })
// @ts-expect-error: a wait is a number.
awaitAttachableJournal(handle, { paths, runId: 'r', waitMs: '5' })
// @ts-expect-error: a record has a status.
awaitAttachableJournal(handle, { paths, runId: 'r', runs: { get: () => ({}) } })
// @ts-expect-error: a sandbox without commands can't be asked.
awaitAttachableJournal({ capabilities: handle.capabilities }, { paths, runId: 'r' })
// @ts-expect-error: there is no such reason.
new JournalAttachUnavailableError({ runId: 'r', reason: 'gone', detail: '' })
// @ts-expect-error: the reason can't be changed.
error.reason = 'unknown-run'
// @ts-expect-error: a store is needed.
pruneJournals({ handle })
// @ts-expect-error: a handle is needed.
pruneJournals({ runs: map })
// @ts-expect-error: a time is a number.
pruneJournals({ handle, runs: map, now: new Date() })

// @ts-expect-error: a sweep attaches to nothing.
export type { awaitAttachableJournal as hidden } from 'ai-sandbox-native/journal-sweep'
