import '../js/required.js'

export {
  DEFAULT_JOURNAL_POLL_MS,
  journalReadStrategy,
  readJournal,
} from '../js/runtime/reader.js'
