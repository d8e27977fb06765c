/** The module `runner`. What it does is said in `api/runner.d.ts`. */

import { JournalIterator } from '../iterator.js'
import { AgentOutput } from './agent-output.js'
import { startProcess } from './agent-process.js'
import { awaitAttachableJournal } from './attach.js'
import { EventStage } from './events.js'
import { journaledCommand, journalPaths } from './journal.js'
import { iterate } from './lazy.js'
import { openJournal } from './reader.js'
import { RunSource } from './run-source.js'
import { takeSentinel } from './sentinel.js'
import { TextLineStage } from './text-lines.js'

export function toLines(chunks) {
  return new JournalIterator(chunks, new TextLineStage())
}

export function spawnNdjson(handle, command, options = {}) {
  return iterate(() => {
    const { journal, input, onNonJsonLine, ...processOptions } = options
    if (journal !== undefined) {
      const start = () => startJournaledAgent(handle, command, options)
      return openRun(handle, options, journal.attach ? undefined : start)
    }
    const source = new AgentOutput(() => handle.process.spawn(command, processOptions), input)
    return { source, stage: new EventStage(new TextLineStage(), { onNonJsonLine }) }
  })
}

export async function startJournaledAgent(handle, command, options) {
  // The agent goes on without its reader, so the signal of the reader is not for it.
  const { journal, input, signal, onNonJsonLine, ...processOptions } = options
  const paths = journalPaths(journal.runId, journal.dir)
  await startProcess(handle, journaledCommand(command, paths), processOptions, input)
}

export function readJournalNdjson(handle, options) {
  return iterate(() => openRun(handle, options))
}

/** The two halves of the reading of a run, as `iterate` takes them. */
function openRun(handle, options, start) {
  const { journal, signal, cwd, onNonJsonLine } = options
  const { runId, dir, pollIntervalMs, attachWaitMs } = journal
  const paths = journalPaths(runId, dir)
  const { source: output, stage: lines } = openJournal(handle, {
    paths,
    runId,
    signal,
    cwd,
    pollIntervalMs,
    firstByteTimeoutMs: attachWaitMs,
  })
  const attach = () => awaitAttachableJournal(handle, attachOptions(paths, options))
  const prepare = start ?? (journal.attach ? attach : nothing)
  const source = new RunSource(handle, { runId, paths, signal, cwd }, output, prepare)
  lines.watchSentinel(paths.nonce)
  const sentinel = {
    isExpected: () => lines.mayHoldSentinel,
    take(line) {
      const taken = takeSentinel(line, paths)
      if (taken !== undefined) source.exit(taken.code)
      return taken?.rest
    },
  }
  return { source, stage: new EventStage(lines, { onNonJsonLine, sentinel }) }
}

function attachOptions(paths, { journal, signal, cwd }) {
  const { runId, runs, attachWaitMs } = journal
  return { paths, runId, runs, waitMs: attachWaitMs, signal, cwd }
}

async function nothing() {}
