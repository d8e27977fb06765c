/** The figures of `stats` for people. */

import { escapeControls } from '../escape.js'
import { formatTable } from '../table.js'
import { formatBytes, formatCount, formatFigure } from '../units.js'

const MAX_SHOWN_TYPES = 30

/** @param {any} figures - As `--json` prints them. */
export function formatStats(figures) {
  const parts = [formatFacts(figures), formatTypes(figures)].filter((part) => part !== '')
  return `${parts.join('\n\n')}\n`
}

function formatFacts(figures) {
  const { longestLine, restBytes, seconds, mbPerSecond } = figures
  const facts = [
    ['file', escapeControls(figures.file)],
    ['size', formatSize(figures.bytes)],
    ['lines', formatCount(figures.lines)],
    ['blank lines', formatCount(figures.blankLines)],
    [
      'longest line',
      at(formatSize(longestLine.bytes), figures.lines > 0 ? longestLine.position : undefined),
    ],
    [
      'not JSON',
      at(formatCount(figures.notJson.lines), figures.notJson.firstPosition, 'the first'),
    ],
    [
      'not UTF-8',
      at(formatCount(figures.notUtf8.lines), figures.notUtf8.firstPosition, 'the first'),
    ],
    ['unterminated', formatSize(restBytes)],
    ['exit', formatExit(figures)],
    ['read in', `${formatFigure(seconds)} s (${formatFigure(mbPerSecond)} MB/s)`],
  ]
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}

function formatExit({ exit: { sentinels, code, position, run } }) {
  if (sentinels === 0) return 'no sentinel: the run goes on, or was killed'
  const whose = run === undefined ? '' : ` of the run ${escapeControls(run)}`
  const others = sentinels === 1 ? '' : `; ${formatCount(sentinels)} sentinels in all`
  return `${at(`code ${code}${whose}`, position)}${others}`
}

function formatTypes({ types, lines }) {
  const rows = types
    .slice(0, MAX_SHOWN_TYPES)
    .map(({ type, lines: count }) => [
      escapeControls(type),
      formatCount(count),
      ((count / lines) * 100).toFixed(1),
    ])
  const hidden = types.length - rows.length
  const table = formatTable(['type', 'lines', '%'], rows)
  return hidden > 0 ? `${table}\nand ${formatCount(hidden)} more (--json has all)` : table
}

function formatSize(bytes) {
  const exact = `${formatCount(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`
  return bytes < 1000 ? exact : `${exact} (${formatBytes(bytes)})`
}

function at(text, position, what) {
  if (position === undefined) return text
  return `${text}, ${what === undefined ? '' : `${what} `}at byte ${formatCount(position)}`
}
