/** The style sheet of the page of figures. */

export const STYLE = `
:root {
  --ground: #fbfaf7; --ink: #1d1f21; --quiet: #5c6166; --rule: #dcd9d1; --track: #eeebe3;
  --native: #0b6e64; --script: #a08a5c; --spread: #1d1f21;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16181a; --ink: #e8e6e1; --quiet: #a3a8ad; --rule: #34383c; --track: #23272a;
    --native: #3fb8a9; --script: #8f7d56; --spread: #f4f2ee;
  }
}
* { box-sizing: border-box }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif;
}
main { max-width: 52rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .75rem }
h2 { font-size: 1.125rem; line-height: 1.3; margin: 0 0 .875rem }
p { margin: 0 0 1rem; max-width: 42rem; overflow-wrap: anywhere }
section, footer { border-top: 1px solid var(--rule); margin-top: 2rem; padding-top: 1.5rem }
.row {
  display: grid; grid-template-columns: 15rem 1fr 6.5rem; gap: .25rem .875rem;
  align-items: center; margin-bottom: .5rem;
}
.row svg { width: 100%; height: 1.25rem; display: block }
.track { fill: var(--track) }
.native .bar { fill: var(--native) }
.script .bar { fill: var(--script) }
.spread { stroke: var(--spread); stroke-width: 2; vector-effect: non-scaling-stroke }
.value { text-align: right; font-variant-numeric: tabular-nums; font-weight: 600 }
.unit { font-weight: 400; color: var(--quiet) }
.scroll { overflow-x: auto; margin-top: 1rem }
table {
  border-collapse: collapse; width: 100%; min-width: 46rem; table-layout: fixed; font-size: .875rem;
}
thead th:first-child { width: 26% }
thead th:nth-child(5) { width: 12% }
thead th:nth-child(6) { width: 13.5% }
thead th:nth-child(7) { width: 15.5% }
thead th:last-child { width: 9% }
th, td { padding: .3rem .6rem; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left; padding-left: 0 }
th:last-child, td:last-child { padding-right: 0 }
thead th { color: var(--quiet); font-weight: 400; border-bottom: 1px solid var(--rule) }
tbody th { font-weight: 400 }
td { font-variant-numeric: tabular-nums }
dl {
  display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; margin: 0;
  font-size: .875rem;
}
dt { color: var(--quiet) }
dd { margin: 0; overflow-wrap: anywhere }
@media (max-width: 40rem) {
  main { padding-top: 1.5rem }
  .row { grid-template-columns: 1fr auto; margin-bottom: .875rem }
  .row svg { grid-row: 2; grid-column: 1 / -1 }
}
@media print {
  :root {
    --ground: #fff; --ink: #000; --quiet: #444; --rule: #bbb; --track: #eee;
    --native: #0b6e64; --script: #a08a5c; --spread: #000;
  }
  main { max-width: none; padding: 0 }
  section, tr, .row { break-inside: avoid }
  .scroll { overflow: visible }
  table { min-width: 0; font-size: .75rem }
}
`
