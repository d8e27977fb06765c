import { describe, expect, it } from 'vitest'
import { endedWell, runFixture } from '../support/child.js'
import { makeFile } from './support/files.js'

const run = (name, ...args) => runFixture(`../journal-file/fixtures/${name}`, { args })

/** 1 MB in lines that tell their number. */
const numbered = () =>
  makeFile(Array.from({ length: 100_000 }, (_, index) => `${index}\n`.padStart(10)).join(''))

describe('a process', () => {
  it.each([
    'untouched',
    'firstLine',
    'readAhead',
    'closed',
    'closedWaiting',
    'ended',
    'failed',
    'collected',
  ])('ends by itself: %s', async (mode) => {
    const outcome = await runFixture('../journal-file/fixtures/ends.js', {
      args: [mode, numbered()],
      flags: ['--expose-gc'],
    })
    expect(outcome).toEqual(endedWell(expect.any(Number)))
    expect(Date.now() - outcome.result).toBeLessThan(1000)
  })

  it('that gets no thread has an error, and ends by itself', async () => {
    const outcome = await run('ends.js', 'noThread', numbered())
    expect(outcome).toMatchObject({ code: 0, signal: null, result: 'EAGAIN' })
  })

  it('starts no thread by loading the package', async () => {
    expect(await run('ends.js', 'threads', numbered())).toEqual(endedWell(true))
  })

  it('that waits for growth lives on until it closes', async () => {
    expect(await run('ends.js', 'follows', numbered())).toEqual(endedWell('grown'))
  })

  it.each(['exit', 'exitFollowing'])('may exit while it reads: %s', async (mode) => {
    for (let count = 0; count < 5; count += 1) {
      expect(await run('ends.js', mode, numbered())).toEqual(endedWell(true))
    }
  })
})

describe('worker threads, the main thread without the addon', () => {
  it.each([
    ['50 in turn', 'inTurn'],
    ['8 at once', 'atOnce'],
    ['terminate() in mid-read', 'terminate'],
    ['terminate() while they wait for growth', 'terminateFollowing'],
    ['terminate() beside workers that go on', 'terminateSome'],
    ['the process exits while they read', 'exit'],
  ])('%s', async (_name, mode) => {
    expect(await run('workers.js', mode, numbered())).toEqual(endedWell(true))
  })
})
