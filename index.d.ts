/**
 * Everything of `@tanstack/ai-sandbox`, with native implementations in place of its own.
 *
 * Where both have a type, it is the original's, so that programs typed against the original compile
 * as they are; those of the native part alone are in `ai-sandbox-native/native`.
 *
 * Where the native library doesn't load, functions that the original has are the original's, and the
 * others throw the load error when they are called.
 *
 * @module
 */

import type * as original from 'tanstack-ai-sandbox'
import type * as native from './api/native.js'

export * from 'tanstack-ai-sandbox'
export {
  type AwaitAttachableJournalOptions,
  awaitAttachableJournal,
  DEFAULT_ATTACH_JOURNAL_WAIT_MS,
  DEFAULT_ATTACH_PROBE_INTERVAL_MS,
  DEFAULT_JOURNAL_DIR,
  DEFAULT_JOURNAL_POLL_MS,
  DEFAULT_MAX_DELETES,
  DEFAULT_ORPHAN_TTL_MS,
  type DecodedJournalRunId,
  decodeBase64Stream,
  decodeJournalRunId,
  EXIT_SENTINEL_KEY,
  EXIT_SENTINEL_NONCE_KEY,
  encodeRunId,
  encodeUtf8Stream,
  exitSentinelLine,
  JournalAttachUnavailableError,
  type JournalAttachUnavailableErrorOptions,
  type JournalAttachUnavailableReason,
  type JournaledRunOptions,
  JournalFile,
  type JournalFileOptions,
  JournalFramer,
  type JournalIterator,
  type JournalLine,
  type JournalLogger,
  type JournalMtimeEntry,
  type JournalMtimeListing,
  type JournalPaths,
  type JournalReadStrategy,
  type JournalSandbox,
  type JournalSource,
  journalCleanupCommand,
  journalExistsCommand,
  journalExitProbeCommand,
  journaledCommand,
  journalFollowCommand,
  journalListCommand,
  journalMtimeListCommand,
  journalPaths,
  journalReadCommand,
  journalReadStrategy,
  journalStderrReadCommand,
  type PruneFailure,
  type PruneJournalsOptions,
  type PruneJournalsReport,
  type PruneKeepReason,
  type PruneKept,
  parseExitSentinel,
  parseJournalExit,
  parseJournalMtimeListing,
  pruneJournals,
  type ReadJournalOptions,
  type ReadLinesOptions,
  type RunJournalOptions,
  type RunStore,
  readJournal,
  readJournalNdjson,
  type SandboxFsEntry,
  type SandboxFsOptions,
  type SandboxFsStat,
  type SandboxWorkspaceBackendOptions,
  sandboxWorkspaceBackend,
  shellQuote,
  startJournaledAgent,
  toJournalLineBatches,
  toJournalLines,
  version,
  type WorkspaceBackend,
  type WorkspaceBinding,
  type WorkspaceEntry,
  type WorkspaceExecOptions,
  type WorkspaceJob,
  type WorkspacePage,
  type WorkspaceSpawnOptions,
  type WorkspaceStat,
} from './api/native.js'

/** As the original's, and as the native one: with the option `journal`, for one. */
export const spawnNdjson: typeof original.spawnNdjson & typeof native.spawnNdjson

/** As the original's, and as the native one. */
export const toLines: typeof original.toLines & typeof native.toLines
