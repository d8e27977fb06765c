import { describe, expect, it } from 'vitest'
import { endedWell, runFixture } from './support/child.js'
import { isNative } from './support/subject.js'

const MEGABYTE = 1 << 20
const flags = ['--expose-gc']

describe('case 21: memory', () => {
  it.each([
    ['100,000 lines of bytes, a collection every 500', 'lines', 20],
    ['100,000 lines of base64, a collection every 500', 'linesOfBase64', 20],
    ['100,000 lines of text, a collection every 500', 'linesOfText', 20],
    ['10,000 calls that reject', 'rejections', 20],
    ['10,000 iterators dropped after one line', 'dropped', 20],
    ['20,000 iterators dropped with a call under way', 'droppedPending', 20],
    ['60,000 chunks', 'chunks', 20],
  ])('%s', async (_name, workload, megabytes) => {
    const outcome = await runFixture('memory.js', { flags, args: [workload] })
    expect(outcome).toEqual(endedWell(expect.any(Object)))
    expect(outcome.result.rss / MEGABYTE).toBeLessThan(megabytes)
    expect(outcome.result.heap / MEGABYTE).toBeLessThan(1)
  })
})

describe('the collector knows of native memory', () => {
  it.each(['longLines', 'longWideLines', 'pendingLines'])('%s', async (workload) => {
    const outcome = await runFixture('uncollected.js', { args: [workload] })
    expect(outcome).toEqual(endedWell(expect.any(Number)))
    expect(outcome.result / MEGABYTE).toBeLessThan(500)
  })
})

describe('a kept line of 200 characters holds little alive', () => {
  it.each([
    ['bytes', 'x'],
    ['oneChunk', 'x'],
    ['oneChunk', 'é'],
    ['text', 'é'],
    ['base64', 'x'],
    ['oneBase64', 'é'],
    ['batches', 'x'],
    ['framer', 'é'],
  ])('%s of %s', async (way, letter) => {
    const outcome = await runFixture('kept-lines.js', { flags, args: [way, letter] })
    expect(outcome).toEqual(endedWell(expect.any(Number)))
    expect(outcome.result).toBeLessThan(100 * 64 * 1024)
  })
})

describe('long lines', () => {
  it.each(['x', 'é'])('64 MiB of %s in chunks of 16 KiB', async (letter) => {
    const outcome = await runFixture('long-line.js', { flags, args: [letter] })
    expect(outcome).toEqual(endedWell(expect.any(Number)))
    // The oracle has the line three times: in pieces, joined, and as a string.
    expect(outcome.result).toBeLessThan(isNative ? 2.5 : 4)
  })

  it.each(['stream', 'framer'])(
    'too long for a string: a RangeError that names its start (%s)',
    async (mode) => {
      const outcome = await runFixture('too-long-line.js', { args: [mode] })
      expect(outcome).toEqual(
        endedWell({
          lines: ['abc'],
          isClosed: true,
          done: true,
          isRangeError: true,
          message: expect.stringMatching(/\b12349\b/),
          line: 'still alive',
        }),
      )
    },
  )
})
