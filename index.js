import { binding } from './js/load.js'

export * from './api/attach-preflight.js'
export * from './api/journal.js'
export * from './api/journal-bytes.js'
export * from './api/journal-file.js'
export * from './api/journal-reader.js'
export * from './api/journal-sweep.js'
export * from './api/runner.js'
export * from './api/workspace-backend.js'
export { JournalFramer } from './js/framer.js'
export { toJournalLineBatches } from './js/journal-bytes.js'

export const version = binding.version()
