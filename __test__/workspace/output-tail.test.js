/** The newest 1 MiB of a job's output: "Behaviour worth a test each". */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openJob } from './support/fake-process.js'
import { turn } from './support/settle.js'

const LIMIT = 1_048_576

/** What `chunks` leave in a job's output. */
async function tailOf(chunks) {
  const { job, child } = openJob()
  for (const chunk of chunks) child.stdout.push(chunk)
  child.end(0)
  await job.wait()
  return job.output()
}

/** The naive oracle: all bytes, cut, then moved on to the next character. */
function expectedTail(text) {
  const bytes = Buffer.from(text)
  let from = Math.max(0, bytes.length - LIMIT)
  while (from < bytes.length && (bytes[from] & 0xc0) === 0x80) from += 1
  return bytes.toString('utf8', from)
}

/** Not `toBe`: a difference of a MiB is no help to a reader. */
function expectSameText(actual, expected) {
  expect(actual.length).toBe(expected.length)
  expect(actual === expected).toBe(true)
}

describe('the output of a job keeps the newest 1 MiB', () => {
  it.each([
    ['just 1 MiB', ['x'.repeat(LIMIT)], 'x'.repeat(LIMIT)],
    ['a byte more', [`a${'x'.repeat(LIMIT)}`], 'x'.repeat(LIMIT)],
    ['a byte more, by itself', ['a', 'x'.repeat(LIMIT)], 'x'.repeat(LIMIT)],
    ['a byte more, at the end', ['x'.repeat(LIMIT), 'a'], `${'x'.repeat(LIMIT - 1)}a`],
    ['one chunk of 5 MiB', [`${'a'.repeat(4 * LIMIT)}${'b'.repeat(LIMIT)}`], 'b'.repeat(LIMIT)],
    ['empty chunks', ['', 'a', '', ''], 'a'],
    ['nothing', [], ''],
  ])('%s', async (_name, chunks, expected) => {
    expectSameText(await tailOf(chunks), expected)
  })

  it.each([
    ['é', 2],
    ['漢', 3],
    ['😀', 4],
  ])('counts UTF-8 bytes, and cuts at a character boundary: %s', async (letter, size) => {
    const fits = Math.floor(LIMIT / size)
    for (const before of ['', 'a', 'ab', 'abc']) {
      const text = before + letter.repeat(fits + 1)
      expectSameText(await tailOf([text]), letter.repeat(fits))
      const withEnd = `${letter.repeat(fits)}${before}`
      expectSameText(await tailOf([withEnd]), expectedTail(withEnd))
    }
  })

  it('whatever the chunks are (against a naive oracle)', async () => {
    const piece = fc.constantFrom('a', 'é', '漢', '😀', '\n', '\u0000')
    const chunk = fc
      .tuple(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 0, max: 20_000 }))
      .map(([pieces, count]) => pieces.join('').repeat(Math.ceil(count / (pieces.length || 1))))
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 60 }), async (chunks) => {
        expectSameText(await tailOf(chunks), expectedTail(chunks.join('')))
      }),
      { numRuns: 60 },
    )
  })

  it('may be asked for at any time, and asking changes nothing', async () => {
    const { job, child } = openJob()
    let all = ''
    for (let index = 0; index < 40; index += 1) {
      const text = `${index}é`.repeat(20_000)
      all += text
      child.stdout.push(text)
      await turn()
      expectSameText(job.output(), expectedTail(all))
      expectSameText(job.output(), expectedTail(all))
    }
    child.end(0)
    await job.wait()
    expectSameText(job.output(), expectedTail(all))
  })

  it('keeps the error of a stream that fails behind 1 MiB', async () => {
    const { job, child } = openJob()
    child.stdout.push('x'.repeat(LIMIT))
    await turn()
    child.stdout.fail(new Error('broken'))
    expect(await job.wait()).toEqual({ exitCode: 1 })
    expectSameText(job.output(), `${'x'.repeat(LIMIT - 13)}Error: broken`)
  })
})
