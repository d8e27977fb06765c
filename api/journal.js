import '../js/required.js'

export * from '../js/runtime/journal.js'
