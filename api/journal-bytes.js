import '../js/required.js'

export { decodeBase64Stream, encodeUtf8Stream, toJournalLines } from '../js/journal-bytes.js'
