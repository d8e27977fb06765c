import { describe, expect, it, vi } from 'vitest'
import { JournalFile } from '../../api/native.js'
import { collect } from '../support/collect.js'
import { countOpen, makeFile, sleep, until } from './support/files.js'

const DONE = { value: undefined, done: true }
const BIG = '0123456\n'.repeat(300_000)

/** A follower that has read all of a file and waits for more, for an hour. */
async function waitingFollower() {
  const file = new JournalFile(makeFile('a\n'), { follow: true, pollIntervalMs: 3_600_000 })
  const lines = file[Symbol.asyncIterator]()
  expect((await lines.next()).value.line).toBe('a')
  const waiting = lines.next()
  // By then its waits are longer than the test.
  await sleep(200)
  expect(countOpen()).toBe(1)
  return { file, lines, waiting }
}

describe('closing', () => {
  it('ends a next() that waits for growth, at once', async () => {
    const { file, lines, waiting } = await waitingFollower()
    const started = performance.now()
    const closed = file.close()
    expect(await waiting).toEqual(DONE)
    await closed
    expect(performance.now() - started).toBeLessThan(5000)
    expect(countOpen()).toBe(0)
    expect(await lines.next()).toEqual(DONE)
  })

  it('by return() of the iterator does too', async () => {
    const { lines, waiting } = await waitingFollower()
    expect(await lines.return('value')).toEqual({ value: 'value', done: true })
    expect(await waiting).toEqual(DONE)
    expect(countOpen()).toBe(0)
  })

  it('by throw() of the iterator does too', async () => {
    const { lines, waiting } = await waitingFollower()
    const error = new Error('thrown')
    await expect(lines.throw(error)).rejects.toBe(error)
    expect(await waiting).toEqual(DONE)
    expect(countOpen()).toBe(0)
  })

  it('answers all of several next() that wait', async () => {
    const { file, lines, waiting } = await waitingFollower()
    const all = [waiting, lines.next(), lines.next()]
    await file.close()
    expect(await Promise.all(all)).toEqual([DONE, DONE, DONE])
  })

  it('while a thread reads ends the reading, and waits for the thread', async () => {
    for (let count = 0; count < 50; count += 1) {
      const file = new JournalFile(makeFile(BIG.slice(0, 600_000)))
      const first = file.batches().next()
      if (count % 2 === 1) await first
      await file.close()
      expect(countOpen()).toBe(0)
      if (count % 2 === 0) expect(await first).toEqual(DONE)
    }
  })

  it('drops the lines that were not delivered, and their positions', async () => {
    const file = new JournalFile(makeFile('a\nb\nc\n'))
    const seen = []
    for await (const { line } of file) {
      seen.push(line)
      if (line === 'b') await file.close()
    }
    expect(seen).toEqual(['a', 'b'])
    expect(file.position).toBe(4)
  })

  it('can be done again and before everything, and promises the same', async () => {
    const file = new JournalFile(makeFile('a\n'))
    const closed = file.close()
    expect(file.close()).toBe(closed)
    expect(await closed).toBeUndefined()
    expect(await collect(file)).toEqual([])
    expect(file.position).toBe(0)
    expect(countOpen()).toBe(0)
  })

  it('is what leaving a loop does', async () => {
    const thrown = new Error('in the body')
    for (const open of [(file) => file, (file) => file.batches()]) {
      for await (const _ of open(new JournalFile(makeFile(BIG)))) break
      expect(countOpen()).toBe(0)
      const failing = async () => {
        for await (const _ of open(new JournalFile(makeFile(BIG), { follow: true }))) throw thrown
      }
      await expect(failing()).rejects.toBe(thrown)
      expect(countOpen()).toBe(0)
    }
  })

  it('is what the end of the file does, and what disposal does', async () => {
    const file = new JournalFile(makeFile(BIG))
    for await (const _ of file.batches());
    expect(countOpen()).toBe(0)
    if (Symbol.asyncDispose === undefined) return
    const { file: follower, waiting } = await waitingFollower()
    expect(await follower[Symbol.asyncDispose]()).toBeUndefined()
    expect(await waiting).toEqual(DONE)
  })

  it('leaves no thread behind for long', async () => {
    const threads = async () => {
      const { readdirSync, readFileSync } = await import('node:fs')
      const names = readdirSync('/proc/self/task').map((id) => {
        try {
          return readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim()
        } catch {
          // It has ended in between.
          return ''
        }
      })
      return names.filter((name) => name === 'journal-file').length
    }
    for await (const _ of new JournalFile(makeFile(BIG)).batches()) break
    expect(await threads()).toBeGreaterThan(0)
    await until(async () => (await threads()) === 0)
  })
})

describe('waiting for growth', () => {
  it('starts at 10 ms and doubles up to the interval, by the timers that are in place', async () => {
    const delays = []
    const { setTimeout: real } = globalThis
    const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation((callback, ms) => {
      delays.push(ms)
      return real(callback, 0)
    })
    const file = new JournalFile(makeFile('a\n'), { follow: true, pollIntervalMs: 70 })
    const lines = file[Symbol.asyncIterator]()
    await lines.next()
    const waiting = lines.next()
    while (delays.length < 6) await new Promise((resolve) => setImmediate(resolve))
    spy.mockRestore()
    await file.close()
    await waiting
    expect(delays.slice(0, 6)).toEqual([10, 20, 40, 70, 70, 70])
  })
})
