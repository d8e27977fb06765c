/** `tail`: the events of a journal, as they come. */

import { JournalFile } from '../../../api/journal-file.js'
import { fileError, PlainError } from '../errors.js'
import { escapeControls } from '../escape.js'
import { EXIT } from '../exit-codes.js'
import { findJournal, statOf } from '../journal.js'
import { note } from '../output.js'
import { Progress } from '../progress.js'
import { EventPrinter } from './event-printer.js'
import { LinePrinter } from './line-printer.js'

const WAIT_INTERVAL_MS = 100

/**
 * @param {string} target - A file, or the id of a run.
 * @param {{ dir?: string, from: number, follow?: boolean, json?: boolean, positions?: boolean }}
 *   options
 * @returns {Promise<number>} The exit code.
 */
export async function tail(target, { dir, from, follow = false, json, positions = false }) {
  const journal = findJournal(target, dir)
  if (statOf(journal.path) === undefined) await waitForJournal(journal, target, follow)
  const file = new JournalFile(journal.path, { position: from, follow })
  const Printer = json ? LinePrinter : EventPrinter
  const printer = new Printer({ path: journal.path, from, positions })
  try {
    return follow
      ? await printUntilExit(file, printer, journal)
      : await printAll(file, printer, journal)
  } catch (error) {
    throw fileError(error, journal.path)
  } finally {
    await file.close()
    await printer.close()
  }
}

async function printAll(file, printer, { path }) {
  // Between events on the same terminal a bar would only disturb.
  const progress = process.stdout.isTTY ? undefined : new Progress(statOf(path)?.size ?? 0)
  for await (const lines of file.batches()) {
    await printer.print(lines)
    progress?.update(file.position)
  }
  progress?.end()
  return EXIT.OK
}

async function printUntilExit(file, printer, { run }) {
  for await (const lines of file.batches()) {
    const end = findExit(lines, run)
    await printer.print(end === undefined ? lines : lines.slice(0, end.index + 1))
    if (end !== undefined) return reportExit(run, end.code)
  }
  return EXIT.OK
}

function findExit(lines, run) {
  if (run === undefined) return undefined
  for (const [index, { line }] of lines.entries()) {
    const code = run.exitCodeIn(line)
    if (code !== null) return { index, code }
  }
  return undefined
}

function reportExit(run, code) {
  note(`The run ${escapeControls(run.id)} ended with exit code ${code}.`)
  return code === 0 ? EXIT.OK : EXIT.PROBLEM
}

/** A run may be about to start. What never was a run's isn't waited for: the name may be wrong. */
async function waitForJournal({ path, isById }, target, follow) {
  if (!isById) throw new PlainError(`${path}: no such file`)
  if (!follow) {
    throw new PlainError(`${target}: no such file, and no run of that id has the journal ${path}`)
  }
  note(`Waiting for ${escapeControls(path)}`)
  while (statOf(path) === undefined) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_INTERVAL_MS))
  }
}
