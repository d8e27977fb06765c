/**
 * What the made-up agent of the demo says, reads and runs.
 *
 * @module
 */

export const tools = ['Read', 'Edit', 'Grep', 'Bash']
export const folders = ['src', 'src/export', 'src/invoice', 'test', 'docs']
export const files = ['stream.ts', 'csv.ts', 'index.ts', 'rounding.test.ts', 'überblick.md']
export const patterns = ['createExport\\(', 'as unknown as', 'class \\w+Writer', '"name":\\s*"']
export const commands = [
  'npm test -- export',
  'git diff --stat',
  'ls -la src/export && wc -l src/export/*.ts',
  "node -e 'console.log(process.memoryUsage().rss)'",
]

export const prompts = [
  'The export of a big month runs out of memory. Make it stream, and keep the format.',
  'Look at this screenshot: the last row of the table is cut off.',
  'Bitte prüfe auch, ob die Beträge mit Umlauten im Namen richtig sortiert werden.',
  '月次レポートの文字化けを直してください。',
  'Great 🎉 — now add a test for an empty month.',
]

export const sentences = [
  'The writer collects every row in an array before it joins them, so memory grows with the month.',
  'I will turn it into an async iterator and write row by row.',
  'Two callers depend on the returned string; both can take a stream.',
  "The rounding test fails because of half-cent amounts, which isn't part of this change.",
  'All 214 tests pass, and the peak is down from 1.9 GB to 61 MB.',
  'Next I check how the header is written when there is no row at all.',
  'There are three places that escape quotes: `csv.ts:41`, `csv.ts:77` and the legacy importer.',
  'That function is exported, so I keep its name and its arguments.',
  '```ts\nfor await (const row of rows) {\n  out.write(encode(row))\n}\n```',
]

export const worldwide = [
  'Die Prüfung läuft jetzt über alle Währungen, auch über solche mit drei Nachkommastellen.',
  'Le fichier est écrit ligne par ligne ; la mémoire reste stable à 60 Mo.',
  'テストはすべて成功しました。次に空の月を確認します。',
  'Η εξαγωγή ολοκληρώθηκε χωρίς σφάλματα.',
  'Готово: поток закрывается и при ошибке.',
  '导出已完成，共 18 240 行，没有丢失任何数据。',
  'Done ✅ — streaming works, tests are green 🚀, and the diff is small 👩‍💻.',
]

export const code = [
  'export async function* encodeRows(rows: AsyncIterable<Row>): AsyncIterable<string> {',
  "  for await (const row of rows) yield [row.id, quote(row.name), row.total].join(';')",
  '}',
  '',
  "const quote = (text: string) => '\"' + text.replaceAll('\"', '\"\"') + '\"'",
  '  if (signal.aborted) return',
  '  // Beträge stehen in Cent, damit nichts gerundet wird.',
  '  const total = lines.reduce((sum, line) => sum + line.cents, 0)',
  '  expect(await collect(encodeRows([]))).toEqual([])',
  "  { id: 7, name: 'Łukasz & Søn', total: 1204.5 },",
]

export const terminal = [
  ' \u001b[32m✓\u001b[39m src/export/stream.test.ts (14 tests) 212ms',
  ' \u001b[31m✗\u001b[39m src/invoice/rounding.test.ts > rounds half cents',
  'total 96',
  '-rw-r--r-- 1 node node  4182 Nov  3 09:12 csv.ts',
  '-rw-r--r-- 1 node node 11734 Nov  3 09:12 stream.ts',
  ' src/export/stream.ts | 61 ++++++++++++++++++++-----------',
  'npm warn deprecated glob@7.2.3: this version is no longer supported',
  '64225280',
]
