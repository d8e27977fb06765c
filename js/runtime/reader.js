/** The module `journal-reader`. What it does is said in `api/journal-reader.d.ts`. */

import { TextCodec } from '../codecs.js'
import { FrameStage, LineStage } from '../stages.js'
import { JournalAttachUnavailableError } from './attach.js'
import { FollowSource } from './follow-source.js'
import { iterate } from './lazy.js'
import { numberOr } from './number-or.js'
import { PollSource } from './poll-source.js'

export const DEFAULT_JOURNAL_POLL_MS = 250
const DEFAULT_FIRST_BYTE_TIMEOUT_MS = 10_000

export function journalReadStrategy(handle) {
  const { backgroundProcesses, killableProcesses } = handle.capabilities
  return backgroundProcesses && killableProcesses ? 'follow' : 'poll'
}

export function readJournal(handle, options) {
  return iterate(() => openJournal(handle, options))
}

/**
 * The two halves of a reading: a source of what the sandbox prints, and the stage that makes lines
 * of it. Nothing starts before the source is read.
 */
export function openJournal(handle, options) {
  const settled = readOptions(handle, options)
  const { fromByte } = settled
  if (settled.strategy === 'follow') {
    const stage = new LineStage(fromByte, TextCodec)
    return { source: new FollowSource(settled, stage), stage }
  }
  const stage = new FrameStage(fromByte)
  return { source: new PollSource(settled, stage), stage }
}

/** The options of a reading with their defaults. */
export function readOptions(
  handle,
  {
    paths,
    fromByte = 0,
    signal,
    strategy = journalReadStrategy(handle),
    pollIntervalMs,
    cwd,
    firstByteTimeoutMs = DEFAULT_FIRST_BYTE_TIMEOUT_MS,
    runId = paths.journal,
  },
) {
  const createStallError = () =>
    new JournalAttachUnavailableError({
      runId,
      reason: 'journal-stalled',
      detail: `its journal ${paths.journal} gave no byte within ${firstByteTimeoutMs} ms`,
    })
  const processOptions = {
    ...(cwd !== undefined && { cwd }),
    ...(signal !== undefined && { signal }),
  }
  return {
    handle,
    paths,
    fromByte,
    signal,
    strategy,
    pollIntervalMs: numberOr(pollIntervalMs, DEFAULT_JOURNAL_POLL_MS),
    firstByteTimeoutMs,
    createStallError,
    processOptions,
  }
}
