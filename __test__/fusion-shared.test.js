/** A fused stream that others read, close or see fail: what is theirs, and what is the reader's. */

import { describe, it } from 'vitest'
import { expectSame, shown } from './support/compare.js'
import { manualSource } from './support/sources.js'

describe('what ends the inner stream is told to the reader that asked, and to no other', () => {
  // Each chunk leaves characters waiting in the inner stream's decoder.
  const waiting = ['YQpiQQ', 'QQ==', 'YQo=']
  const steps = {
    'inner.return()': (inner) => inner.return(),
    'inner.throw()': (inner) => inner.throw(new Error('thrown')),
    'an error of the source': (inner, source) => {
      source.fails = true
      return inner.next()
    },
    'a bad chunk': (inner, source) => {
      source.chunks = ['****']
      return inner.next()
    },
    'the end in mid-quantum': (inner, source) => {
      source.chunks = []
      return inner.next()
    },
  }

  function source() {
    return {
      chunks: [...waiting],
      fails: false,
      async next() {
        if (this.fails) throw new Error('source')
        const value = this.chunks.shift()
        return { value, done: value === undefined }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  it.each(Object.entries(steps))('%s', async (_name, step) => {
    await expectSame(async (api) => {
      const from = source()
      const inner = api.decodeBase64Stream(from)
      const outer = api.toJournalLines(inner, 0)
      const first = await outer.next()
      const told = await step(inner, from).then(
        () => 'fine',
        (error) => error.name,
      )
      return [first, told, await outer.next(), await outer.next(), await inner.next()].map(String)
    })
  })
})

describe('a request of the inner stream is one request, however many chunks it takes', () => {
  const rows = [
    ['encodeUtf8Stream', 'an empty chunk', '', 'line\n', 'other\n'],
    ['encodeUtf8Stream', 'a lone half of a pair', '\ud83d', '\ude00\n', 'other\n'],
    ['decodeBase64Stream', 'half a group', 'YQ', 'o=', 'Ygo='],
    ['decodeBase64Stream', 'white space', ' \n', 'YQo=', 'Ygo='],
  ]

  async function giveWhenAsked(from, chunk) {
    for (let turn = 0; from.waiting === 0 && turn < 100; turn += 1) await null
    from.give(chunk)
  }

  it.each(rows)('%s: %s, with a reader queued', async (decode, _name, ...chunks) => {
    await expectSame(async (api) => {
      const from = manualSource()
      const inner = api[decode](from)
      const outer = api.toJournalLines(inner, 0)
      const asked = [outer.next(), inner.next()]
      for (const chunk of chunks) await giveWhenAsked(from, chunk)
      return (await Promise.all(asked)).map(shown)
    })
  })

  it.each(rows)('%s: %s, with a return() queued', async (decode, _name, ...chunks) => {
    await expectSame(async (api) => {
      const from = manualSource()
      const inner = api[decode](from)
      const outer = api.toJournalLines(inner, 0)
      const asked = [outer.next(), inner.return()]
      for (const chunk of chunks.slice(0, 2)) await giveWhenAsked(from, chunk)
      return [...(await Promise.all(asked)).map(shown), from.log]
    })
  })

  it.each([['****'], [7]])('behind the bad chunk %j a queued reader gets nothing', async (bad) => {
    await expectSame(async (api) => {
      const from = manualSource()
      const inner = api.decodeBase64Stream(from)
      const outer = api.toJournalLines(inner, 0)
      const asked = [outer.next(), inner.next()]
      await giveWhenAsked(from, bad)
      const settled = await Promise.allSettled(asked)
      return [settled.map(({ status, value }) => [status, value]), from.log]
    })
  })
})
