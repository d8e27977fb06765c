/** Until the real ones are here. */
import { createHash } from 'node:crypto'

const sha = (text) => createHash('sha256').update(text).digest('hex')
const RESERVED = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])$/i
export function encodeRunId(id) {
  if (id === '') throw new Error('journal: runId must not be empty')
  const all = (s) => [...Buffer.from(s)].map((b) => `_${b.toString(16).padStart(2, '0')}`).join('')
  let t = id.replace(/[^A-Za-z0-9.-]+/gu, all)
  if (RESERVED.test(t)) t = all(id)
  return t.length > 200 ? `${t.slice(0, 183)}-${sha(id).slice(0, 16)}` : t
}
export function journalPaths(runId, dir = '/tmp/tanstack-runs') {
  dir = dir.replace(/\/$/, '')
  const t = encodeRunId(runId)
  return {
    dir,
    journal: `${dir}/${t}.ndjson`,
    stderr: `${dir}/${t}.err`,
    nonce: sha(`tanstack-ai-sandbox/journal-exit-sentinel/v1:${runId}`).slice(0, 32),
  }
}
export function decodeJournalRunId(name) {
  const t = /^(.+)\.(ndjson|err)$/.exec(name)?.[1]
  if (!t || !/^([A-Za-z0-9.-]|_[0-9a-f]{2})+$/i.test(t)) return { kind: 'malformed' }
  if (t.length >= 200) return { kind: 'truncated' }
  try {
    return { kind: 'runId', runId: decodeURIComponent(t.replaceAll('_', '%')) }
  } catch {
    return { kind: 'malformed' }
  }
}
export function parseExitSentinel(line, paths) {
  try {
    const v = JSON.parse(line.trim())
    return v && v.__nonce === paths.nonce && Number.isInteger(v.__exit) ? v.__exit : null
  } catch {
    return null
  }
}
