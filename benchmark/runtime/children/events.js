/** One run, all contenders by turns: from what the sandbox prints to events. */

import assert from 'node:assert/strict'
import { exitSentinelLine } from '../../../api/native.js'
import { makeJournal } from '../../../js/cli/bench/inputs.js'
import { measureInterleaved } from '../../../js/cli/bench/measure.js'
import { cutJournal } from '../../../js/cli/bench/sources.js'
import { answerParent } from '../../child.js'
import { JOURNAL_CONTENDERS, OUTPUT_CONTENDERS, paths } from '../contenders.js'

await answerParent(async ({ kind, content, size, names, plan }) => {
  const body = makeJournal(content, size)
  const expected = eventsOf(body)
  const contenders = kind === 'journal' ? JOURNAL_CONTENDERS : OUTPUT_CONTENDERS
  const handle = kind === 'journal' ? polledHandle(body) : printingHandle(body)
  for (const name of names) {
    const events = await collect(contenders[name](handle))
    assert.deepEqual(events, expected, name)
  }
  if (plan === undefined) return { events: expected.length }
  const runners = names.map((name) => ({
    name,
    slow: name === 'reference' && size > 100_000,
    run: () => count(contenders[name](handle)),
  }))
  return { events: expected.length, timings: await measureInterleaved(runners, plan) }
})

function eventsOf(body) {
  const lines = body.toString('utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

async function collect(events) {
  const collected = []
  for await (const event of events) collected.push(event)
  return collected
}

async function count(events) {
  let seen = 0
  for await (const _ of events) seen += 1
  return seen
}

/** A sandbox that is polled: its journal comes whole, in one string of base64. */
function polledHandle(body) {
  const whole = Buffer.concat([body, Buffer.from(`${exitSentinelLine(paths, 0)}\n`)])
  const [frame] = cutJournal(whole, { source: 'base64', chunk: 'whole' })
  return {
    capabilities: { backgroundProcesses: false },
    process: {
      exec: async (command) => {
        const stdout = command.startsWith('tail ') ? frame : ''
        return { exitCode: 0, stdout, stderr: '' }
      },
    },
  }
}

/** A sandbox whose agent prints all that it has to say, in chunks of a pipe. */
function printingHandle(body) {
  const chunks = cutJournal(body, { source: 'text', chunk: 65_536 })
  return {
    capabilities: { backgroundProcesses: true },
    process: {
      spawn: async () => ({
        stdout: streamOf(chunks),
        stderr: streamOf([]),
        wait: async () => 0,
        kill: async () => undefined,
      }),
    },
  }
}

async function* streamOf(chunks) {
  yield* chunks
}
