/** Readers and runners against the contract in a few obvious generators, over random output. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exitSentinelLine, journalPaths, readJournalNdjson, spawnNdjson } from '../../api/native.js'
import { FakeProcess, followingHandle, frameOf, pollingHandle } from './support/process-handles.js'

const runId = 'run'
const paths = journalPaths(runId)

const json = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
  fc.constantFrom('{"a":1}', 'null', '0', '""', '{"text":"größer 😀"}'),
)
const sentinel = fc.integer({ min: 0, max: 3 }).map((code) => exitSentinelLine(paths, code))
const lookAlike = fc.constantFrom(
  exitSentinelLine(journalPaths('other'), 0),
  `{"__exit":1.5,"__nonce":"${paths.nonce}"}`,
  `{"__exit":"0","__nonce":"${paths.nonce}"}`,
  `[${exitSentinelLine(paths, 0)}]`,
  `{"__nonce":"${paths.nonce}"`,
  '{"escape":"\\u0031\\u0061"}',
)
/** An agent that ended in the midst of a line. */
const lastWords = fc
  .tuple(fc.constantFrom('{"a":1}', '{"cut', 'banner ', ' ', '\ufeff'), sentinel)
  .map(([text, end]) => text + end)
const noise = fc.oneof(
  fc.constantFrom('', ' ', '\t\r', 'banner', '{"cut', '\0', '\ufeff'),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\n', ' ')),
)
const line = fc
  .oneof(
    { weight: 6, arbitrary: json },
    { weight: 2, arbitrary: noise },
    { weight: 1, arbitrary: lookAlike },
    { weight: 1, arbitrary: sentinel },
    { weight: 1, arbitrary: lastWords },
  )
  .chain((text) => fc.constantFrom(text, text, ` ${text}\r`))
const output = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
  .map(([lines, isComplete]) => lines.map((each) => `${each}\n`).join('') + (isComplete ? '' : 'x'))

/** Cuts a text in pieces, also within a surrogate pair. */
const cuts = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 12 })

function cut(text, sizes) {
  const chunks = []
  let at = 0
  for (const size of sizes) {
    chunks.push(text.slice(at, at + size))
    at += size
  }
  chunks.push(text.slice(at))
  return chunks
}

/** What a run gives by the contract, in order, and the error at its end. */
function eventsOfRun(text) {
  const seen = []
  for (const part of text.split('\n').slice(0, -1)) {
    const { text: trimmed, code } = withoutSentinel(withoutMark(part).trim())
    if (trimmed !== '') {
      try {
        seen.push({ value: JSON.parse(trimmed) })
      } catch {
        seen.push({ nonJson: trimmed })
      }
    }
    if (code !== undefined) {
      return { seen, error: code === 0 ? undefined : `Agent process exited with code ${code}` }
    }
  }
  return { seen, error: expect.stringContaining(paths.journal) }
}

/** What stands in front of the sentinel of a line, and its exit code. */
function withoutSentinel(text) {
  const match = /^(.*)\{"__exit":(\d+),"__nonce":"(\w+)"\}$/s.exec(text)
  if (match?.[3] !== paths.nonce) return { text, code: undefined }
  return { text: match[1].trim(), code: Number(match[2]) }
}

/** A line is decoded as by `TextDecoder`. */
function withoutMark(text) {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function eventsOfAgent(text) {
  const seen = []
  for (const part of text.split('\n')) {
    const trimmed = part.trim()
    if (trimmed === '') continue
    try {
      seen.push({ value: JSON.parse(trimmed) })
    } catch {
      seen.push({ nonJson: trimmed })
    }
  }
  return { seen, error: undefined }
}

async function observe(read) {
  const seen = []
  try {
    const onNonJsonLine = (nonJson) => seen.push({ nonJson })
    for await (const value of read(onNonJsonLine)) seen.push({ value })
  } catch (error) {
    return { seen, error: error.message }
  }
  return { seen, error: undefined }
}

test('the events of a followed run', async () => {
  await fc.assert(
    fc.asyncProperty(output, cuts, async (text, sizes) => {
      const tail = new FakeProcess()
      tail.stdout.push(...cut(text, sizes))
      tail.stdout.end()
      const handle = followingHandle(tail)
      handle.process.exec = async () => ({ exitCode: 0, stdout: '', stderr: '' })
      const read = (onNonJsonLine) =>
        readJournalNdjson(handle, { journal: { runId }, onNonJsonLine })
      expect(await observe(read)).toEqual(eventsOfRun(text))
      expect(tail.kills).toBe(1)
    }),
    { numRuns: 500 },
  )
})

test('the events of a polled run that grows', async () => {
  await fc.assert(
    fc.asyncProperty(output, cuts, async (text, sizes) => {
      const bytes = Buffer.from(text)
      const ends = sizes.map((_, index) => sizes.slice(0, index + 1).reduce((a, b) => a + b))
      let polls = 0
      const handle = pollingHandle((command) => {
        const from = /^tail -c \+(\d+)/.exec(command)?.[1]
        if (from === undefined || command.includes(paths.stderr)) return ''
        const end = ends[polls] ?? bytes.length
        polls += 1
        if (polls > ends.length + 2) throw new Error(`no sentinel in ${paths.journal}`)
        return frameOf(bytes.subarray(from - 1, end))
      })
      const journal = { runId, pollIntervalMs: 0 }
      const read = (onNonJsonLine) => readJournalNdjson(handle, { journal, onNonJsonLine })
      expect(await observe(read)).toEqual(eventsOfRun(text))
    }),
    { numRuns: 200 },
  )
})

test('the events of an agent', async () => {
  await fc.assert(
    fc.asyncProperty(output, cuts, async (text, sizes) => {
      const process = new FakeProcess()
      process.stdout.push(...cut(text, sizes))
      process.stdout.end()
      process.stderr.end()
      const read = (onNonJsonLine) =>
        spawnNdjson(followingHandle(process), 'agent', { onNonJsonLine })
      expect(await observe(read)).toEqual(eventsOfAgent(text))
    }),
    { numRuns: 500 },
  )
})
