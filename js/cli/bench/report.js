/** The figures of `bench`: their names, and tables for a terminal. */

import { escapeControls } from '../escape.js'
import { formatTable } from '../table.js'
import { formatBytes, formatCount, formatFigure } from '../units.js'

/** @type {Record<string, string>} */
const CONTENDER_LABELS = {
  reference: "JavaScript, the original's way",
  good: 'JavaScript, linear',
  native: 'native, lines',
  batches: 'native, batches of lines',
}

const SHAPE_TITLES = {
  'base64/whole': 'base64 in one string: a poll',
  'text/65536': 'text in chunks of 64 KiB: catching up',
  'text/line': 'text, a line a chunk: following live',
  'bytes/line': 'bytes, a line a chunk',
}

/** @param {import('./measure-shape.js').Shape} shape */
export function titleOf({ source, chunk }) {
  return SHAPE_TITLES[`${source}/${chunk}`]
}

/** @param {import('./load-input.js').Input} input */
export function formatInput({ name, bytes, lines, isCut }) {
  const what = `${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'}, ${formatBytes(bytes.length)}`
  return `${escapeControls(name)}: ${isCut ? 'the first ' : ''}${what}`
}

/** @param {import('./measure-shape.js').ShapeResult} result */
export function formatShape({ shape, bytes, figures }) {
  const head = [titleOf(shape), 'MB/s', 'from', 'to', 'ns a line', 'time / native']
  const rows = figures.map((figure) => {
    const { label, mbPerSecond, slowest, fastest, nsPerLine, timeOfNative } = derive(
      figure,
      figures,
    )
    const isPart = figure.bytes < bytes
    return [
      `${label}${isPart ? ` (first ${formatBytes(figure.bytes)})` : ''}`,
      ...[mbPerSecond, slowest, fastest, nsPerLine].map(formatFigure),
      formatRatio(timeOfNative),
    ]
  })
  return formatTable(head, rows)
}

/**
 * Rates of a figure: the median, and where the middle half of the samples is.
 *
 * @param {import('./measure-shape.js').Figure} figure
 * @param {import('./measure-shape.js').Figure[]} figures - All of its shape.
 */
export function derive(figure, figures) {
  const native = figures.find(({ name }) => name === 'native')
  const rate = (ms) => figure.bytes / ms / 1000
  return {
    label: CONTENDER_LABELS[figure.name],
    mbPerSecond: rate(figure.medianMs),
    slowest: rate(figure.highMs),
    fastest: rate(figure.lowMs),
    nsPerLine: nsPerLine(figure),
    timeOfNative: nsPerLine(figure) / nsPerLine(native),
  }
}

/** @param {number} ratio */
export function formatRatio(ratio) {
  return ratio < 100 ? ratio.toFixed(2) : formatFigure(ratio)
}

function nsPerLine({ medianMs, lines }) {
  return (medianMs * 1e6) / lines
}
