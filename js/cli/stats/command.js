/** `stats`: what a journal holds, counted in one reading. */

import { JournalFile } from '../../../api/journal-file.js'
import { fileError } from '../errors.js'
import { escapeLines } from '../escape.js'
import { EXIT } from '../exit-codes.js'
import { journalAt, statOf } from '../journal.js'
import { write } from '../output.js'
import { Progress } from '../progress.js'
import { RawBytes } from '../raw-bytes.js'
import { JournalCounts } from './counts.js'
import { formatStats } from './report.js'

/**
 * @param {string} path
 * @param {{ json?: boolean }} options
 * @returns {Promise<number>} The exit code.
 */
export async function stats(path, { json = false }) {
  const figures = await readStats(path)
  await write(json ? formatJson(figures) : formatStats(figures))
  const { notJson, notUtf8 } = figures
  return notJson.lines + notUtf8.lines > 0 ? EXIT.PROBLEM : EXIT.OK
}

/** JSON itself lets pass what steers a terminal: C1, and what turns the direction of text. */
function formatJson(figures) {
  return `${escapeLines(JSON.stringify(figures, null, 2))}\n`
}

async function readStats(path) {
  const file = new JournalFile(path)
  const raw = new RawBytes(path)
  try {
    return await count(file, raw, path)
  } catch (error) {
    throw fileError(error, path)
  } finally {
    await file.close()
    await raw.close()
  }
}

async function count(file, raw, path) {
  const { run } = journalAt(path)
  const counts = new JournalCounts(raw, run)
  const progress = new Progress(statOf(path)?.size ?? 0)
  const start = performance.now()
  for await (const lines of file.batches()) {
    for (const line of lines) {
      const check = counts.add(line)
      if (check !== undefined) await check
    }
    progress.update(file.position)
  }
  const seconds = (performance.now() - start) / 1000
  progress.end()
  // What was appended meanwhile counts as rest, too: it was not read.
  const bytes = statOf(path)?.size ?? counts.position
  const speed = { seconds, mbPerSecond: counts.position / seconds / 1e6 }
  return { file: path, ...counts.figures(), bytes, restBytes: bytes - counts.position, ...speed }
}
