/** The end of a read in a sandbox that does not answer, or answers amiss. */

import { getEventListeners } from 'node:events'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { exitSentinelLine, journalPaths, readJournal, readJournalNdjson } from '../../api/native.js'
import { collect, settled } from '../support/collect.js'
import { FakeProcess, followingHandle } from './support/process-handles.js'

const runId = 'run-1'
const paths = journalPaths(runId)
const never = new Promise(() => {})

let tail
let handle
let controller
let signal
beforeEach(() => {
  tail = new FakeProcess()
  handle = followingHandle(tail)
  handle.process.exec = async () => ({ exitCode: 0, stdout: '', stderr: '' })
  controller = new AbortController()
  signal = controller.signal
})

const hangingKill = () => {
  tail.kill = vi.fn(() => never)
}
const hangingReturn = () => {
  tail.stdout.return = vi.fn(() => never)
}
const hangingExec = () => {
  handle.process.exec = () => never
}

/** Aborts `reading` once it waits, and gives what it comes to. */
async function abortInMidst(reading) {
  let isOver = false
  const over = reading.finally(() => {
    isOver = true
  })
  await settled()
  expect(isOver).toBe(false)
  controller.abort()
  const outcome = await over
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  return outcome
}

describe('an abort ends at once a read of lines', () => {
  test('whose stream has ended, and whose process is being killed', async () => {
    hangingKill()
    tail.stdout.push('a\n')
    tail.stdout.end()
    const lines = await abortInMidst(collect(readJournal(handle, { paths, signal })))
    expect(lines).toEqual([{ line: 'a', endPosition: 2 }])
    expect(tail.kill).toHaveBeenCalledOnce()
  })

  test.each([
    ['process is being killed', hangingKill],
    ['stream is being closed', hangingReturn],
  ])('that its caller leaves while the %s', async (_, hang) => {
    hang()
    tail.stdout.push('a\n')
    const lines = readJournal(handle, { paths, signal })
    await lines.next()
    await abortInMidst(lines.return())
  })

  test('that its caller leaves behind the abort', async () => {
    hangingKill()
    tail.stdout.push('a\nb\n')
    for await (const { line } of readJournal(handle, { paths, signal })) {
      expect(line).toBe('a')
      controller.abort()
      break
    }
    expect(tail.kill).toHaveBeenCalledOnce()
  })
})

test('a stream that closes once its process has ended does not keep the caller who leaves', async () => {
  let end
  const ended = new Promise((resolve) => {
    end = () => resolve({ value: undefined, done: true })
  })
  tail.stdout.return = vi.fn(() => ended)
  tail.kill = vi.fn(async () => end())
  tail.stdout.push('a\n')
  for await (const _ of readJournal(handle, { paths })) break
  expect(tail.stdout.return).toHaveBeenCalledOnce()
  expect(tail.kill).toHaveBeenCalledOnce()
})

describe('behind the sentinel of a run', () => {
  const read = () => readJournalNdjson(handle, { journal: { runId }, signal })

  test.each([
    ['a kill', 0, hangingKill],
    ['a stream', 0, hangingReturn],
    ['a command', 0, hangingExec],
    ['a command for stderr', 3, hangingExec],
  ])('an abort ends at once what waits for %s', async (_, code, hang) => {
    hang()
    tail.stdout.push(`1\n${exitSentinelLine(paths, code)}\n`)
    expect(await abortInMidst(collect(read()))).toEqual([1])
  })

  test.each([
    ['a stream that fails to close', () => Object.assign(tail.stdout, { return: throwing })],
    ['a command that gives no text', () => Object.assign(handle.process, { exec: numbering })],
  ])('%s hides no exit code, and both files are removed', async (_, spoil) => {
    spoil()
    const exec = vi.spyOn(handle.process, 'exec')
    tail.stdout.push(`${exitSentinelLine(paths, 3)}\n`)
    await expect(collect(read())).rejects.toEqual(new Error('Agent process exited with code 3'))
    expect(exec).toHaveBeenCalledTimes(2)
  })

  function throwing() {
    throw new Error('closed already')
  }

  async function numbering() {
    return { exitCode: 0, stdout: 7 }
  }
})
