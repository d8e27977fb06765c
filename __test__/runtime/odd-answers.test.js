/** Providers that give what the contract doesn't know: the error names it (`cases.md`, case 19). */

import { describe, expect, test } from 'vitest'
import {
  awaitAttachableJournal,
  journalPaths,
  pruneJournals,
  readJournal,
  spawnNdjson,
  startJournaledAgent,
} from '../../api/native.js'
import { rejectionOf } from '../workspace/support/settle.js'
import { FakeProcess, followingHandle } from './support/process-handles.js'

const paths = journalPaths('run')
const polling = { capabilities: {}, process: { exec: async () => undefined } }
const brokenStream = { [Symbol.asyncIterator]: () => ({ next: async () => 7 }) }

function brokenOutput() {
  return followingHandle(Object.assign(new FakeProcess(), { stdout: brokenStream }))
}

const noProcess =
  'journal: what process.spawn of the sandbox gave must be an object, and this is undefined'
const noResult =
  'journal: what process.exec of the sandbox gave must be an object, and this is undefined'
const noNext = 'journal: what next() of a stream gave must be an object, and this is the number 7'

describe('an error that names what the sandbox gave ends', () => {
  test.each([
    ['a followed read without a process', followingHandle, noProcess],
    ['a followed read of a broken stream', brokenOutput, noNext],
    ['a polled read without a result', () => polling, noResult],
  ])('%s', async (_, makeHandle, message) => {
    const error = await rejectionOf(readJournal(makeHandle(), { paths }).next())
    expect(error).toEqual(new TypeError(message))
  })

  test.each([
    ['an agent without a process', followingHandle, noProcess],
    ['an agent with a broken stream', brokenOutput, noNext],
  ])('%s', async (_, makeHandle, message) => {
    const error = await rejectionOf(spawnNdjson(makeHandle(), 'agent').next())
    expect(error).toEqual(new TypeError(message))
  })

  test('a start without a process', async () => {
    const start = startJournaledAgent(followingHandle(), 'agent', { journal: { runId: 'run' } })
    expect(await rejectionOf(start)).toEqual(new TypeError(noProcess))
  })

  test('an attach without a result', async () => {
    const { message } = await rejectionOf(
      awaitAttachableJournal(polling, { paths, runId: 'run', waitMs: 0 }),
    )
    expect(message).toContain(noResult)
  })

  test('a sweep without a result', async () => {
    const { failures } = await pruneJournals({ handle: polling, runs: new Map() })
    expect(failures).toEqual([{ stage: 'list', message: noResult }])
  })
})
