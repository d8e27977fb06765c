import '../js/required.js'

export { JournalFile } from '../js/journal-file/journal-file.js'
