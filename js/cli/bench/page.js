/**
 * The page that `bench --html` writes: one file that asks nothing of a network, for screens light
 * and dark, wide and narrow, and for paper.
 */

import { formatBytes, formatCount, formatFigure } from '../units.js'
import { STYLE } from './page-style.js'
import { derive, formatRatio, titleOf } from './report.js'

/**
 * @param {{ input: import('./load-input.js').Input, environment: Record<string, string>,
 *   results: import('./measure-shape.js').ShapeResult[] }} report
 * @returns {string} HTML.
 */
export function renderPage({ input, environment, results }) {
  const title = `Framing ${input.name}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<h1>JavaScript against native code</h1>
<p>${renderInput(input)} Megabytes a second, so longer is better. A bar ends at the median of the
samples; the middle half of them is on the thin line.</p>
</header>
${results.map(renderShape).join('\n')}
<footer>
<h2>How it was measured</h2>
<p>All contenders gave the same lines and the same positions before anything was timed. They took
turns, in another order each round. JavaScript, linear is <code>Buffer.indexOf</code> and
<code>utf8Slice</code> in an async generator. The original’s way takes time that grows with the
square of a chunk, so where it can’t finish soon it read only the first lines; its figures are for
those.</p>
<dl>
${renderEnvironment(environment)}
</dl>
</footer>
</main>
</body>
</html>
`
}

function renderInput({ name, bytes, lines, isCut }) {
  const what = `${formatCount(lines)} lines, ${formatBytes(bytes.length).replace(' ', '\u00a0')}`
  return `Input: <strong>${escapeHtml(name)}</strong>, ${isCut ? 'the first ' : ''}${what}.`
}

function renderShape({ shape, bytes, figures }, index) {
  const id = `shape-${index + 1}`
  const rows = figures.map((figure) => ({ figure, ...derive(figure, figures) }))
  const scale = Math.max(...rows.map(({ fastest }) => fastest))
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${escapeHtml(titleOf(shape))}</h2>
<div class="chart" role="list" aria-label="Megabytes a second">
${rows.map((row) => renderBar(row, scale)).join('\n')}
</div>
<div class="scroll" role="region" aria-labelledby="${id}" tabindex="0">
<table>
<thead><tr><th scope="col">contender</th><th scope="col">MB/s</th><th scope="col">from</th><th
 scope="col">to</th><th scope="col">ns a line</th><th scope="col">time / native</th><th
 scope="col">read</th><th scope="col">samples</th></tr></thead>
<tbody>
${rows.map((row) => renderRow(row, bytes)).join('\n')}
</tbody>
</table>
</div>
</section>`
}

function renderBar({ figure, label, mbPerSecond, slowest, fastest }, scale) {
  const percent = (value) => ((value / scale) * 100).toFixed(2)
  const kind = figure.name === 'native' || figure.name === 'batches' ? 'native' : 'script'
  return `<div class="row ${kind}" role="listitem"><span class="label">${escapeHtml(label)}</span>
<svg viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true"><rect class="track"
 width="100" height="20"/><rect class="bar" width="${percent(mbPerSecond)}" height="20"/><path
 class="spread" d="M${percent(slowest)} 10H${percent(fastest)}"/></svg>
<span class="value">${formatFigure(mbPerSecond)}<span class="unit"> MB/s</span></span></div>`
}

function renderRow({ figure, label, ...rates }, bytes) {
  const { mbPerSecond, slowest, fastest, nsPerLine, timeOfNative } = rates
  const figures = [mbPerSecond, slowest, fastest, nsPerLine].map(formatFigure)
  const read = figure.bytes < bytes ? `first ${formatBytes(figure.bytes)}` : 'all'
  const cells = [...figures, formatRatio(timeOfNative), read, String(figure.rounds)]
  const data = cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')
  return `<tr><th scope="row">${escapeHtml(label)}</th>${data}</tr>`
}

function renderEnvironment(environment) {
  return Object.entries(environment)
    .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
    .join('\n')
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character])
}
