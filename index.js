import { binding } from './js/load.js'

export { JournalFramer } from './js/framer.js'
export {
  decodeBase64Stream,
  encodeUtf8Stream,
  toJournalLineBatches,
  toJournalLines,
} from './js/journal-bytes.js'
export {
  awaitAttachableJournal,
  DEFAULT_ATTACH_JOURNAL_WAIT_MS,
  DEFAULT_ATTACH_PROBE_INTERVAL_MS,
  JournalAttachUnavailableError,
} from './js/runtime/attach.js'
export * from './js/runtime/journal.js'
export { DEFAULT_MAX_DELETES, DEFAULT_ORPHAN_TTL_MS, pruneJournals } from './js/runtime/sweep.js'
export { sandboxWorkspaceBackend } from './js/workspace/backend.js'

export const version = binding.version()
