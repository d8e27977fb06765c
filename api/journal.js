export * from '../js/runtime/journal.js'
