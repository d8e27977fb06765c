/** Cases 20 and 21, and rule 9: threads, memory, and what keeps a process alive. */

import { describe, expect, it } from 'vitest'
import { endedWell, runFixture } from '../support/child.js'

const MEGABYTE = 1 << 20
const flags = ['--expose-gc']
const run = (name, options) => runFixture(`../workspace/fixtures/${name}`, options)

describe('rule 9: nothing keeps the event loop alive by itself', () => {
  it.each([
    ['operations that the sandbox never answers', 'pending'],
    ['operations that are done, whose time limit was long', 'done'],
    ['a time limit that came', 'timeout'],
  ])('%s: the process ends by itself in under a second', async (_name, mode) => {
    const outcome = await run('loop.js', { args: [mode] })
    expect(outcome).toEqual(endedWell(expect.any(Number)))
    expect(Date.now() - outcome.result).toBeLessThan(1000)
  })
})

describe('handles are collected', () => {
  it.each([
    ['a backend that did nothing', 'nothing'],
    ['after operations', 'operations'],
    ['after rejections', 'rejections'],
    ['after jobs', 'jobs'],
    ['with operations that nobody will ever answer', 'unanswered'],
  ])('%s', async (_name, use) => {
    const outcome = await run('collected.js', { flags, args: [use] })
    expect(outcome).toEqual(endedWell(expect.any(Number)))
    // The last one may still be on the stack.
    expect(outcome.result).toBeLessThanOrEqual(2)
  })
})

describe('case 20: worker threads, the main thread without the addon', () => {
  it.each([
    ['50 in turn', 'inTurn'],
    ['8 at once', 'atOnce'],
    ['10 that exit with operations under way', 'pending'],
    ['terminate() in mid-operation', 'terminate'],
    ['terminate() beside workers that go on', 'terminateSome'],
    ['the process exits while they work', 'exit'],
  ])('%s', async (_name, mode) => {
    expect(await run('workers.js', { args: [mode] })).toEqual(endedWell(true))
  })
})

describe('case 21: memory', () => {
  it.each([
    ['100,000 operations', 'operations'],
    ['100,000 operations, 1,000 at once', 'atOnce'],
    ['10,000 operations that are rejected', 'rejections'],
    ['10,000 commands that are stopped and never answered', 'stopped'],
    ['5,000 jobs', 'jobs'],
    ['10,000 backends', 'backends'],
  ])('%s', async (_name, workload) => {
    // Later versions of V8 let the young generation alone grow by more than the bound.
    const limited = [...flags, '--max-semi-space-size=8']
    const outcome = await run('memory.js', { flags: limited, args: [workload] })
    expect(outcome).toEqual(endedWell(expect.any(Object)))
    expect(outcome.result.rss / MEGABYTE).toBeLessThan(20)
    expect(outcome.result.heap / MEGABYTE).toBeLessThan(1)
  })
})

describe('a job that prints 1 GB', () => {
  it('keeps its output within 1 MiB, and the process within 100 MB above its start', async () => {
    const outcome = await run('big-output.js')
    expect(outcome).toEqual(endedWell(expect.any(Object)))
    const { bytes, growth, ...rest } = outcome.result
    expect(rest).toEqual({ exitCode: 0, received: 1_000_000_009, end: '\nthe end\n' })
    expect(bytes).toBeLessThanOrEqual(MEGABYTE)
    expect(bytes).toBeGreaterThan(MEGABYTE - 4)
    expect(growth).toBeLessThan(100e6)
  })
})
