import '../js/required.js'

export * from '../js/native.js'
