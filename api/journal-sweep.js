import '../js/required.js'

export { DEFAULT_MAX_DELETES, DEFAULT_ORPHAN_TTL_MS, pruneJournals } from '../js/runtime/sweep.js'
