// The pure functions around a journal.

import {
  DEFAULT_JOURNAL_DIR,
  type DecodedJournalRunId,
  decodeJournalRunId,
  type EXIT_SENTINEL_KEY,
  type EXIT_SENTINEL_NONCE_KEY,
  encodeRunId,
  exitSentinelLine,
  type JournalMtimeListing,
  type JournalPaths,
  journalCleanupCommand,
  journalExistsCommand,
  journalExitProbeCommand,
  journaledCommand,
  journalFollowCommand,
  journalListCommand,
  journalMtimeListCommand,
  journalPaths,
  journalReadCommand,
  journalStderrReadCommand,
  parseExitSentinel,
  parseJournalExit,
  parseJournalMtimeListing,
  shellQuote,
} from 'ai-sandbox-native/journal'
import type { Equal, Expect } from './equal.js'

export type Dir = Expect<Equal<typeof DEFAULT_JOURNAL_DIR, '/tmp/tanstack-runs'>>
export type Keys = Expect<
  Equal<[typeof EXIT_SENTINEL_KEY, typeof EXIT_SENTINEL_NONCE_KEY], ['__exit', '__nonce']>
>

const paths = journalPaths('run-1')
export type Paths = Expect<Equal<typeof paths, JournalPaths>>
journalPaths('run-1', DEFAULT_JOURNAL_DIR)
journalPaths('run-1', undefined)

export const texts: string[] = [
  paths.dir,
  paths.journal,
  paths.stderr,
  paths.nonce,
  shellQuote("it's"),
  encodeRunId('run-1'),
  exitSentinelLine(paths, 0),
  journaledCommand('agent', paths),
  journalFollowCommand(paths, 0),
  journalReadCommand(paths, 0),
  journalExistsCommand(paths),
  journalStderrReadCommand(paths),
  journalStderrReadCommand(paths, 10),
  journalExitProbeCommand(paths),
  journalExitProbeCommand(paths, undefined),
  journalCleanupCommand(paths),
  journalListCommand(),
  journalListCommand('/x'),
  journalMtimeListCommand(),
  journalMtimeListCommand('/x'),
]

export const codes: (number | null)[] = [parseExitSentinel('', paths), parseJournalExit('', paths)]

const decoded = decodeJournalRunId('run-1.err')
export type Decoded = Expect<Equal<typeof decoded, DecodedJournalRunId>>
export const runId: string | undefined = decoded.kind === 'runId' ? decoded.runId : undefined

const listing = parseJournalMtimeListing('', '/x')
export type Listing = Expect<Equal<typeof listing, JournalMtimeListing>>
export const times: number[] =
  listing.kind === 'listed' ? listing.entries.map(({ mtimeMs }) => mtimeMs) : []
export const names: string[] =
  listing.kind === 'listed' ? listing.entries.map(({ name }) => name) : []

// @ts-expect-error: a run id is a string.
encodeRunId(5)
// @ts-expect-error: null is no folder.
journalPaths('run-1', null)
// @ts-expect-error: a position is needed.
journalReadCommand(paths)
// @ts-expect-error: a position is a number.
journalFollowCommand(paths, '0')
// @ts-expect-error: paths are needed, not one path.
journalExistsCommand(paths.journal)
// @ts-expect-error: only a decoded name has a run id.
export const unknown: string = decoded.runId
// @ts-expect-error: only a listing has entries.
export const entries: unknown[] = listing.entries
// @ts-expect-error: an exit code may be null.
export const code: number = parseExitSentinel('', paths)
