/** Calls of `awaitAttachableJournal` in Vitest's time. */

import { afterEach, beforeEach, expect, vi } from 'vitest'
import { awaitAttachableJournal } from '../../../api/attach-preflight.js'
import { journalPaths } from '../../../js/runtime/journal.js'
import { outcomeOf } from '../../workspace/support/settle.js'
import { exit } from './command-handle.js'

export const runId = 'run 1/ä'
export const paths = journalPaths(runId, '/journals')

/** What a sandbox answers to a probe. */
export const absent = () => exit(1)
export const there = () => exit(0)
/** A journal that is found by the probe after `count` that don't find it. */
export const thereAfter = (count) => (_command, index) => exit(index < count ? 1 : 0)

/** What a store answers. */
export const running = async () => ({ status: 'running' })

/** How a call ends that has found its journal, and one whose signal was aborted. */
export const attached = { value: undefined }

/** Every test of a file in faked time, at whose end nothing is left to fire. */
export function useFakeTime() {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
}

/** Lets time pass. */
export const pass = (ms) => vi.advanceTimersByTimeAsync(ms)

/** Starts a call; `outcome` tells how it ended, if it has, and `end` is a promise of that. */
export function start(handle, options = {}) {
  const call = { outcome: undefined }
  const promise = awaitAttachableJournal(handle, { paths, runId, ...options })
  call.end = outcomeOf(promise).then((outcome) => {
    call.outcome = outcome
    return outcome
  })
  return call
}

/** What a call throws after `ms`, and no sooner. */
export async function errorAfter(ms, handle, options) {
  const call = start(handle, options)
  await pass(ms - 1)
  expect(call.outcome).toBe(undefined)
  await pass(1)
  return call.outcome.error
}

export function abortable() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
