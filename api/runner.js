import '../js/required.js'

export {
  readJournalNdjson,
  spawnNdjson,
  startJournaledAgent,
  toLines,
} from '../js/runtime/runner.js'
