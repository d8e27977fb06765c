import { binding } from './js/load.js'

export { JournalFramer } from './js/framer.js'
export {
  decodeBase64Stream,
  encodeUtf8Stream,
  toJournalLineBatches,
  toJournalLines,
} from './js/journal-bytes.js'
export { JournalFile } from './js/journal-file/journal-file.js'
export { sandboxWorkspaceBackend } from './js/workspace/backend.js'

export const version = binding.version()
