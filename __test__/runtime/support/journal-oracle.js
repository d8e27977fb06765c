/**
 * The oracle of the module `journal`: its contract in the most obvious lines of JavaScript. Tests
 * compare the package with it, and can run on it in the package's place.
 */

import { createHash } from 'node:crypto'

export const DEFAULT_JOURNAL_DIR = '/tmp/tanstack-runs'
export const EXIT_SENTINEL_KEY = '__exit'
export const EXIT_SENTINEL_NONCE_KEY = '__nonce'

const RESERVED = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])$/i

export const shellQuote = (text) => `'${text.replaceAll("'", "'\\''")}'`

export function encodeRunId(runId) {
  if (runId === '') throw new Error('journal: runId must not be empty')
  const escaped = (stays) =>
    [...Buffer.from(runId)]
      .map((byte) => {
        const character = String.fromCharCode(byte)
        return stays.test(character) ? character : `_${byte.toString(16).padStart(2, '0')}`
      })
      .join('')
  const token = escaped(/[A-Za-z0-9.-]/)
  if (RESERVED.test(token)) return escaped(/(?!)/)
  return token.length > 200 ? `${token.slice(0, 183)}-${sha256(runId).slice(0, 16)}` : token
}

export function decodeJournalRunId(fileName) {
  const token = /^(.+)\.(?:ndjson|err)$/s.exec(fileName)?.[1]
  if (token === undefined) return { kind: 'malformed' }
  if (token.length > 200 || (token.length === 200 && /-[0-9a-f]{16}$/.test(token))) {
    return { kind: 'truncated' }
  }
  if (!/^([A-Za-z0-9.-]|_[0-9A-Fa-f]{2})+$/.test(token)) return { kind: 'malformed' }
  const bytes = [...token.matchAll(/_(..)|./g)].map(([character, hex]) =>
    hex === undefined ? character.charCodeAt(0) : Number.parseInt(hex, 16),
  )
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return { kind: 'runId', runId: decoder.decode(Uint8Array.from(bytes)) }
  } catch {
    return { kind: 'malformed' }
  }
}

export function journalPaths(runId, dir = DEFAULT_JOURNAL_DIR) {
  const folder = withoutSlash(dir)
  const token = encodeRunId(runId)
  return {
    dir: folder,
    journal: `${folder}/${token}.ndjson`,
    stderr: `${folder}/${token}.err`,
    nonce: sha256(`tanstack-ai-sandbox/journal-exit-sentinel/v1:${runId}`).slice(0, 32),
  }
}

export const exitSentinelLine = ({ nonce }, code) => `{"__exit":${code},"__nonce":"${nonce}"}`

export function parseExitSentinel(line, { nonce }) {
  let value
  try {
    value = JSON.parse(line.trim())
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return value.__nonce === nonce && Number.isInteger(value.__exit) ? value.__exit : null
}

export function parseJournalExit(text, paths) {
  const codes = text.split('\n').map((line) => parseExitSentinel(line, paths))
  return codes.findLast((code) => code !== null) ?? null
}

export const journaledCommand = (command, { dir, journal, stderr, nonce }) =>
  `mkdir -p ${shellQuote(dir)} && { ( ${command} ); ` +
  `printf '{"__exit":%d,"__nonce":"${nonce}"}\\n' "$?"; } ` +
  `>> ${shellQuote(journal)} 2>> ${shellQuote(stderr)}`

export function journalFollowCommand({ dir, journal }, fromByte) {
  const [d, j, n] = [shellQuote(dir), shellQuote(journal), positionOf(fromByte) + 1]
  return `mkdir -p ${d} 2>/dev/null; : >> ${j} 2>/dev/null; tail -c +${n} -f ${j} 2>/dev/null`
}

export const journalReadCommand = ({ journal }, fromByte) =>
  `tail -c +${positionOf(fromByte) + 1} ${shellQuote(journal)} 2>/dev/null | base64`

export const journalExistsCommand = ({ journal }) => `test -f ${shellQuote(journal)}`

export const journalStderrReadCommand = ({ stderr }, maxBytes = 4096) =>
  `tail -c -${countOf(maxBytes)} ${shellQuote(stderr)} 2>/dev/null | base64`

export const journalExitProbeCommand = ({ journal }, maxBytes = 4096) =>
  `tail -c -${countOf(maxBytes)} ${shellQuote(journal)} 2>/dev/null | base64`

export const journalCleanupCommand = ({ journal, stderr }) =>
  `rm -f ${shellQuote(journal)} ${shellQuote(stderr)}`

export const journalListCommand = (dir = DEFAULT_JOURNAL_DIR) =>
  `ls -1 ${shellQuote(withoutSlash(dir))} 2>/dev/null`

export function journalMtimeListCommand(dir = DEFAULT_JOURNAL_DIR) {
  const folder = shellQuote(withoutSlash(dir))
  return `stat -c '%Y %n' ${folder} ${folder}/* 2>/dev/null`
}

export function parseJournalMtimeListing(text, dir = DEFAULT_JOURNAL_DIR) {
  const folder = withoutSlash(dir)
  const lines = text
    .split('\n')
    .map((line) => /^([0-9]+) (.+)$/s.exec(line))
    .filter((match) => match !== null)
  if (!lines.some(([, , path]) => path === folder)) return { kind: 'unavailable' }
  const entries = lines
    .filter(([, , path]) => path.startsWith(`${folder}/`))
    .map(([, seconds, path]) => ({
      name: path.slice(folder.length + 1),
      mtimeMs: Number(seconds) * 1000,
    }))
    .filter(({ name }) => name !== '' && !name.includes('/'))
  return { kind: 'listed', entries }
}

const withoutSlash = (dir) => (dir.endsWith('/') ? dir.slice(0, -1) : dir)

const sha256 = (text) => createHash('sha256').update(text, 'utf8').digest('hex')

function positionOf(fromByte) {
  if (Number.isSafeInteger(fromByte) && fromByte >= 0) return fromByte
  throw new Error(`journal: fromByte must be a non-negative safe integer, got ${fromByte}`)
}

function countOf(maxBytes) {
  if (Number.isSafeInteger(maxBytes) && maxBytes > 0) return maxBytes
  throw new Error(`journal: maxBytes must be a positive safe integer, got ${maxBytes}`)
}
