import '../js/required.js'

export {
  awaitAttachableJournal,
  DEFAULT_ATTACH_JOURNAL_WAIT_MS,
  DEFAULT_ATTACH_PROBE_INTERVAL_MS,
  JournalAttachUnavailableError,
} from '../js/runtime/attach.js'
