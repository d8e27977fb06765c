/**
 * The agent of the demo's live run: prints what it does as events, one JSON a line, with pauses. It
 * uses nothing of its surroundings, so that it can be copied into a sandbox.
 */

import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 170

const EVENTS = [
  { type: 'prompt', text: 'The export of a big month runs out of memory. Make it stream.' },
  { type: 'text', text: 'I look for what writes the rows.' },
  { type: 'tool', name: 'Grep', input: 'class \\w+Writer' },
  { type: 'result', text: 'src/export/csv.ts:41: export class CsvWriter {' },
  { type: 'text', text: 'It collects every row in an array before it joins them.' },
  { type: 'text', text: 'Zwei Aufrufer hängen am Rückgabewert; beide können einen Strom nehmen.' },
  { type: 'tool', name: 'Edit', input: 'src/export/csv.ts' },
  { type: 'result', text: 'for await (const row of rows) {\n  out.write(encode(row))\n}' },
  { type: 'text', text: 'テストを追加します。' },
  { type: 'tool', name: 'Edit', input: 'test/export/stream.test.ts' },
  { type: 'result', text: 'ok' },
  { type: 'tool', name: 'Bash', input: 'npm test -- export' },
  { type: 'result', text: '✓ src/export/stream.test.ts (14 tests) 212ms' },
  { type: 'tool', name: 'Bash', input: 'git diff --stat' },
  { type: 'result', text: ' src/export/csv.ts | 61 +++++++++++--------' },
  { type: 'text', text: 'An empty month has a header and no row, as before.' },
  { type: 'tool', name: 'Bash', input: 'npm run lint' },
  { type: 'result', text: '' },
  { type: 'text', text: 'Done ✅ — the peak is down from 1.9 GB to 61 MB 🚀' },
  { type: 'usage', input: '18,204 tokens', output: '2,310 tokens' },
]

for (const event of EVENTS) {
  console.log(JSON.stringify(event))
  await sleep(PAUSE_MS)
}
