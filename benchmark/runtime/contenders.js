/**
 * Ways from what a sandbox prints to the events of a run, all over the same handle.
 *
 * - `native`: this package.
 * - `parse-twice`: this package's framing, and the original's way behind it: each line is parsed for
 *   the sentinel, then for its event.
 * - `reference`: the original's way all through.
 * - `best`: the fastest framing in plain JavaScript that is known to us, a search for the nonce, one
 *   parse, and no generator.
 */

import {
  decodeBase64Stream,
  journalPaths,
  journalReadCommand,
  readJournalNdjson,
  spawnNdjson,
  toJournalLines,
} from '../../api/native.js'
import * as reference from '../../js/cli/bench/contenders/reference.js'
import * as best from '../contenders/best/index.js'

export const RUN_ID = 'bench'
export const paths = journalPaths(RUN_ID)

const journal = { runId: RUN_ID }

/** Contenders for the journal of a run, polled as base64. */
export const JOURNAL_CONTENDERS = {
  native: (handle) => readJournalNdjson(handle, { journal }),
  'parse-twice': (handle) => parseTwice(toJournalLines(decodeBase64Stream(poll(handle)), 0)),
  best: (handle) => new ParseOnce(best.base64Lines(poll(handle), 0)),
  reference: (handle) => parseTwice(reference.base64Lines(poll(handle), 0)),
}

/** Contenders for the output of an agent, as text. */
export const OUTPUT_CONTENDERS = {
  native: (handle) => spawnNdjson(handle, 'agent'),
  best: (handle) => new ParseOnce(best.textLines(spawn(handle), 0)),
  reference: (handle) => parseOnce(referenceLines(spawn(handle))),
}

async function* poll(handle) {
  const { stdout } = await handle.process.exec(journalReadCommand(paths, 0))
  yield stdout
}

async function* spawn(handle) {
  const process = await handle.process.spawn('agent')
  yield* process.stdout
}

async function* parseTwice(lines) {
  for await (const { line } of lines) {
    const text = line.trim()
    if (text === '') continue
    if (exitCodeOf(text) !== undefined) return
    const event = parse(text)
    if (event !== undefined) yield event
  }
}

async function* parseOnce(lines) {
  for await (const line of lines) {
    const text = line.trim()
    if (text === '') continue
    const event = parse(text)
    if (event !== undefined) yield event
  }
}

/** The original's splitter of text: the rest of the buffer is copied for each line. */
async function* referenceLines(chunks) {
  let rest = ''
  for await (const chunk of chunks) {
    rest += chunk
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end)
      rest = rest.slice(end + 1)
      yield line
    }
  }
  if (rest !== '') yield rest
}

class ParseOnce {
  #lines

  constructor(lines) {
    this.#lines = lines[Symbol.asyncIterator]()
  }

  [Symbol.asyncIterator]() {
    return this
  }

  async next() {
    for (;;) {
      const { value, done } = await this.#lines.next()
      if (done) return { value: undefined, done: true }
      const text = value.line.trim()
      if (text === '') continue
      if (text.includes(paths.nonce) && exitCodeOf(text) !== undefined) {
        return { value: undefined, done: true }
      }
      const event = parse(text)
      if (event !== undefined) return { value: event, done: false }
    }
  }
}

function exitCodeOf(text) {
  const value = parse(text)
  const isSentinel = value?.__nonce === paths.nonce && Number.isInteger(value.__exit)
  return isSentinel ? value.__exit : undefined
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
