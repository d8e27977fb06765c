import * as original from 'tanstack-ai-sandbox'
import { nativeOrOriginal } from './js/fallback.js'
import * as native from './js/native.js'

export * from 'tanstack-ai-sandbox'

// These names win over the same ones of the original. They are listed since a module's exports can't
// depend on whether a library loads; what they are can.
export const {
  awaitAttachableJournal,
  decodeBase64Stream,
  decodeJournalRunId,
  DEFAULT_ATTACH_JOURNAL_WAIT_MS,
  DEFAULT_ATTACH_PROBE_INTERVAL_MS,
  DEFAULT_JOURNAL_DIR,
  DEFAULT_JOURNAL_POLL_MS,
  DEFAULT_MAX_DELETES,
  DEFAULT_ORPHAN_TTL_MS,
  encodeRunId,
  encodeUtf8Stream,
  EXIT_SENTINEL_KEY,
  EXIT_SENTINEL_NONCE_KEY,
  exitSentinelLine,
  JournalAttachUnavailableError,
  journalCleanupCommand,
  journaledCommand,
  journalExistsCommand,
  journalExitProbeCommand,
  JournalFile,
  journalFollowCommand,
  JournalFramer,
  journalListCommand,
  journalMtimeListCommand,
  journalPaths,
  journalReadCommand,
  journalReadStrategy,
  journalStderrReadCommand,
  parseExitSentinel,
  parseJournalExit,
  parseJournalMtimeListing,
  pruneJournals,
  readJournal,
  readJournalNdjson,
  sandboxWorkspaceBackend,
  shellQuote,
  spawnNdjson,
  startJournaledAgent,
  toJournalLineBatches,
  toJournalLines,
  toLines,
  version,
} = nativeOrOriginal(native, original)
