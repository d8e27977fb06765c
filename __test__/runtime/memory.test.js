import { describe, expect, test } from 'vitest'
import { endedWell, runFixture } from '../support/child.js'

const MEGABYTE = 1 << 20
const flags = ['--expose-gc']

describe('memory stays flat over', () => {
  test.each([
    ['case 10: 60,000 chunks of 1 kB, with a signal that never aborts', 'thousands'],
    ['a million chunks', 'million'],
    ['a million chunks, with a signal', 'millionWithSignal'],
    ['300,000 events', 'events'],
    ['20,000 runs that are read and left', 'runs'],
  ])('%s', async (_name, workload) => {
    const outcome = await runFixture('../runtime/fixtures/memory.js', { flags, args: [workload] })
    expect(outcome).toEqual(endedWell(expect.any(Object)))
    expect(outcome.result.rss / MEGABYTE).toBeLessThan(20)
    expect(outcome.result.heap / MEGABYTE).toBeLessThan(1)
  })
})
