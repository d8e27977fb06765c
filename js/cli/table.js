/** Tables of plain text. */

/**
 * First column to the left, columns of figures to the right. No rows: no table.
 *
 * @param {string[]} head
 * @param {string[][]} rows
 */
export function formatTable(head, rows) {
  if (rows.length === 0) return ''
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  )
  const isFigure = head.map((_, column) => rows.every((row) => /^[-\d.,]+$/.test(row[column])))
  const pad = (cell, column) =>
    isFigure[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column])
  const formatRow = (row) => row.map(pad).join('  ').trimEnd()
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  return [formatRow(head), rule, ...rows.map(formatRow)].join('\n')
}
