import { binding } from './js/load.js'

export { JournalFramer } from './js/framer.js'
export {
  decodeBase64Stream,
  encodeUtf8Stream,
  toJournalLineBatches,
  toJournalLines,
} from './js/journal-bytes.js'
export * from './js/runtime/journal.js'
export { sandboxWorkspaceBackend } from './js/workspace/backend.js'

export const version = binding.version()
