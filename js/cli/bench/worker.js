/** Measures one shape and posts the figures. Equal answers are asserted before anything is timed. */

import { parentPort, workerData } from 'node:worker_threads'
import { answerOf, assertSameAnswer, expectedAnswer } from './answers.js'
import { measureInterleaved } from './measure.js'
import { makeRunner } from './runner.js'
import { cutJournal } from './sources.js'

const NEWLINE = 0x0a
const PLAN = { rounds: 15, sampleMs: 25, budgetMs: 4000 }
const OPENERS = { base64: 'base64Lines', bytes: 'byteLines', text: 'textLines' }
const LINEAR = ['good', 'native', 'batches']

/** The original's way is quadratic: it gets as many lines as it reads in about this time. */
const QUADRATIC_BUDGET_MS = 300
const QUADRATIC_START_BYTES = 32 * 1024
const GROWTH_PER_DOUBLING = 4
/** A run that takes longer than this isn't repeated for long. */
const SLOW_MS = 60

const { shape, journal } = workerData
parentPort.postMessage(
  await measure(Buffer.from(journal.buffer, journal.byteOffset, journal.length)),
)

async function measure(bytes) {
  const runners = [await makeQuadraticRunner(bytes)]
  const whole = cut(bytes)
  for (const name of LINEAR) runners.push(await makeCheckedRunner(name, whole))
  const timings = await measureInterleaved(runners, PLAN)
  const figures = runners.map(({ name, input }) => ({
    name,
    bytes: input.bytes,
    lines: input.expected.count,
    ...timings[name],
  }))
  return { shape, bytes: whole.bytes, lines: whole.expected.count, figures }
}

function cut(bytes) {
  const chunks = cutJournal(bytes, shape)
  // Text that was decoded has lost its ill-formed bytes already.
  const read = shape.source === 'text' ? Buffer.from(chunks.join('')) : bytes
  return { chunks, bytes: bytes.length, expected: expectedAnswer(read, 0) }
}

async function makeCheckedRunner(name, input) {
  const { [OPENERS[shape.source]]: framer } = await import(`./contenders/${name}.js`)
  const { open, run } = await makeRunner(name, framer, input.chunks)
  assertSameAnswer(name, await answerOf(open()), input.expected)
  return { name, run, input }
}

async function makeQuadraticRunner(bytes) {
  for (let size = QUADRATIC_START_BYTES; ; size *= 2) {
    const head = bytes.subarray(0, bytes.indexOf(NEWLINE, size - 1) + 1 || bytes.length)
    const runner = await makeCheckedRunner('reference', cut(head))
    const start = performance.now()
    await runner.run()
    const ms = performance.now() - start
    const isAll = head.length === bytes.length
    if (isAll || ms * GROWTH_PER_DOUBLING > QUADRATIC_BUDGET_MS) {
      return { ...runner, slow: ms > SLOW_MS }
    }
  }
}
