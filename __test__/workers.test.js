import { describe, expect, it } from 'vitest'
import { endedWell, runFixture } from './support/child.js'

describe('case 20: worker threads, the main thread without the addon', () => {
  it.each([
    ['50 in turn', 'inTurn'],
    ['8 at once', 'atOnce'],
    ['terminate() in mid-read', 'terminate'],
    ['terminate() beside workers that go on', 'terminateSome'],
    ['the process exits while they read', 'exit'],
  ])('%s', async (_name, mode) => {
    expect(await runFixture('workers.js', { args: [mode] })).toEqual(endedWell(true))
  })
})

describe('case 20: a script that leaves an iterator open', () => {
  it('ends by itself in under a second', async () => {
    const outcome = await runFixture('open-iterator.js')
    expect(outcome).toEqual(endedWell(expect.any(Number)))
    expect(Date.now() - outcome.result).toBeLessThan(1000)
  })
})
