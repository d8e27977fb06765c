/** Pages of `readLines`: what awk runs, and how its output is read. */

const MARK = '@lines'

/** Part of the interface: the text is the original's. */
export const awkProgram =
  'NR >= e { more = 1; exit } NR >= o { print; n += length($0) + 1; if (n > max) e = NR + 1 }' +
  ' END { if (more) print "more"; else print "total " NR }'

/** The page in the output: size, head in hexadecimal, mark, lines, status. */
export function parsePage(stdout, first) {
  const rows = stdout.split('\n')
  if (rows.at(-1) === '') rows.pop()
  const mark = rows.indexOf(MARK)
  const last = rows.length - 1
  const status = rows[last] ?? ''
  if (mark < 1 || mark >= last || !/^(?:more|total \d+)$/.test(status)) {
    throw new Error('readLines: the output of the sandbox is not a page.')
  }
  const size = Number(rows[0].trim())
  const digits = rows.slice(1, mark).join(' ').split(/\s+/).filter(Boolean)
  const head = Uint8Array.from(digits, (byte) => Number.parseInt(byte, 16))
  const lines = rows.slice(mark + 1, last)
  if (status === 'more') return { head, size, lines, total: undefined }
  // An empty file has one empty line, of which awk knows nothing.
  if (size === 0) return { head, size, lines: first === 1 ? [''] : [], total: 1 }
  return { head, size, lines, total: Number(status.slice('total '.length)) }
}
