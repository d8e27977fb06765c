/** The pure functions around a journal. What they do is said in `api/journal.d.ts`. */

import { describe } from '../describe.js'
import { binding } from '../load.js'

export const { DEFAULT_JOURNAL_DIR, EXIT_SENTINEL_KEY, EXIT_SENTINEL_NONCE_KEY } = binding

/** How much of the end of a file is read where nothing is said. */
const DEFAULT_MAX_BYTES = 4096

export function shellQuote(text) {
  return binding.shellQuote(asText(text, 'the text to quote'))
}

export function encodeRunId(runId) {
  return binding.encodeRunId(asText(runId, 'runId')) ?? throwEmpty()
}

export function decodeJournalRunId(fileName) {
  return binding.decodeJournalRunId(asText(fileName, 'fileName'))
}

export function journalPaths(runId, dir = DEFAULT_JOURNAL_DIR) {
  return binding.journalPaths(asText(runId, 'runId'), asText(dir, 'dir')) ?? throwEmpty()
}

export function exitSentinelLine(paths, code) {
  return binding.exitSentinelLine(`${code}`, nonceOf(paths))
}

export function parseExitSentinel(line, paths) {
  const nonce = nonceOf(paths)
  return mayHold(asText(line, 'line'), nonce) ? binding.parseExitSentinel(line, nonce) : null
}

export function parseJournalExit(text, paths) {
  const nonce = nonceOf(paths)
  return mayHold(asText(text, 'text'), nonce) ? binding.parseJournalExit(text, nonce) : null
}

export function journaledCommand(command, paths) {
  return binding.journaledCommand(
    asText(command, 'command'),
    dirOf(paths),
    journalOf(paths),
    stderrOf(paths),
    nonceOf(paths),
  )
}

export function journalFollowCommand(paths, fromByte) {
  return binding.journalFollowCommand(dirOf(paths), journalOf(paths), asPosition(fromByte))
}

export function journalReadCommand(paths, fromByte) {
  return binding.journalReadCommand(journalOf(paths), asPosition(fromByte))
}

export function journalExistsCommand(paths) {
  return binding.journalExistsCommand(journalOf(paths))
}

export function journalStderrReadCommand(paths, maxBytes = DEFAULT_MAX_BYTES) {
  return binding.journalReadEndCommand(stderrOf(paths), asCount(maxBytes))
}

export function journalExitProbeCommand(paths, maxBytes = DEFAULT_MAX_BYTES) {
  return binding.journalReadEndCommand(journalOf(paths), asCount(maxBytes))
}

export function journalCleanupCommand(paths) {
  return binding.journalCleanupCommand(journalOf(paths), stderrOf(paths))
}

export function journalListCommand(dir = DEFAULT_JOURNAL_DIR) {
  return binding.journalListCommand(asText(dir, 'dir'))
}

export function journalMtimeListCommand(dir = DEFAULT_JOURNAL_DIR) {
  return binding.journalMtimeListCommand(asText(dir, 'dir'))
}

export function parseJournalMtimeListing(text, dir = DEFAULT_JOURNAL_DIR) {
  const entries = binding.parseJournalMtimeListing(asText(text, 'text'), asText(dir, 'dir'))
  return entries === null ? { kind: 'unavailable' } : { kind: 'listed', entries }
}

const dirOf = (paths) => asText(paths.dir, 'paths.dir')
const journalOf = (paths) => asText(paths.journal, 'paths.journal')
const stderrOf = (paths) => asText(paths.stderr, 'paths.stderr')
const nonceOf = (paths) => asText(paths.nonce, 'paths.nonce')

/**
 * Whether a text is worth a call, which costs ten times this look: it has the nonce, or an escape
 * that may be a part of it. Letters and digits have no other escapes in JSON.
 */
function mayHold(text, nonce) {
  return text.includes(nonce) || text.includes('\\u') || !/^[0-9a-z]+$/.test(nonce)
}

function asText(value, name) {
  if (typeof value === 'string') return value
  throw new TypeError(`journal: ${name} must be a string, and this is ${describe(value)}`)
}

function asPosition(fromByte) {
  if (Number.isSafeInteger(fromByte) && fromByte >= 0) return fromByte
  throw new Error(`journal: fromByte must be a non-negative safe integer, got ${fromByte}`)
}

function asCount(maxBytes) {
  if (Number.isSafeInteger(maxBytes) && maxBytes > 0) return maxBytes
  throw new Error(`journal: maxBytes must be a positive safe integer, got ${maxBytes}`)
}

/** @returns {never} */
function throwEmpty() {
  throw new Error('journal: runId must not be empty')
}
