/** All that has a native implementation: what `./native` exports, and the root beside the original. */

export { JournalFramer } from './framer.js'
export * from './journal-bytes.js'
export { JournalFile } from './journal-file/journal-file.js'
export {
  awaitAttachableJournal,
  DEFAULT_ATTACH_JOURNAL_WAIT_MS,
  DEFAULT_ATTACH_PROBE_INTERVAL_MS,
  JournalAttachUnavailableError,
} from './runtime/attach.js'
export * from './runtime/journal.js'
export { DEFAULT_JOURNAL_POLL_MS, journalReadStrategy, readJournal } from './runtime/reader.js'
export {
  readJournalNdjson,
  spawnNdjson,
  startJournaledAgent,
  toLines,
} from './runtime/runner.js'
export { DEFAULT_MAX_DELETES, DEFAULT_ORPHAN_TTL_MS, pruneJournals } from './runtime/sweep.js'
export { VERSION as version } from './version.js'
export { sandboxWorkspaceBackend } from './workspace/backend.js'
