import { EXIT_SENTINEL_KEY, parseExitSentinel } from './journal.js'

/** How the shell begins it. */
const START = `{"${EXIT_SENTINEL_KEY}":`

/**
 * Takes the sentinel of a run off a line: the exit code, and what stands in front of it in the same
 * line. That is what the agent wrote last when it ended without a newline, killed in the midst of a
 * line, say: the shell can't know.
 *
 * No JSON text ends in the sentinel but the sentinel itself, so no event is taken for one.
 *
 * @param {string} line
 * @param {import('./journal.js').JournalPaths} paths
 * @returns {{ code: number, rest: string } | undefined} `undefined` where the line has none.
 */
export function takeSentinel(line, paths) {
  const code = parseExitSentinel(line, paths)
  if (code !== null) return { code, rest: '' }
  const at = line.lastIndexOf(START)
  const codeAtEnd = at === -1 ? null : parseExitSentinel(line.slice(at), paths)
  return codeAtEnd === null ? undefined : { code: codeAtEnd, rest: line.slice(0, at) }
}
