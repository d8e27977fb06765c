import '../js/required.js'

export {
  DEFAULT_JOURNAL_DIR,
  decodeJournalRunId,
  EXIT_SENTINEL_KEY,
  EXIT_SENTINEL_NONCE_KEY,
  encodeRunId,
  exitSentinelLine,
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
} from '../js/runtime/journal.js'
