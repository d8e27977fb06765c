/** The stderr of an agent that is a child of its reader, over handles that do what the test wants. */

import { afterEach, expect, test, vi } from 'vitest'
import { spawnNdjson } from '../../api/native.js'
import { collect, collectWithError } from '../support/collect.js'
import { FakeProcess, followingHandle } from './support/process-handles.js'

function exited(exitCode) {
  const process = new FakeProcess()
  process.stdout.push('1\n')
  process.stdout.end()
  process.exitCode = exitCode
  return process
}

const run = (process) => collectWithError(spawnNdjson(followingHandle(process), 'agent'))

afterEach(() => vi.useRealTimers())

test('one that is longer than a string can be ends nothing, and its start is quoted', async () => {
  const process = exited(1)
  const chunk = 'x'.repeat(2 ** 26)
  process.stderr.push(...Array(9).fill(chunk))
  process.stderr.end()
  const { items, error } = await run(process)
  expect(items).toEqual([1])
  expect(error.message).toBe(`Agent process exited with code 1: ${'x'.repeat(1000)}`)
})

test.each([
  ['white space that other text follows', ['a', ' '.repeat(2000), 'b'], `a${' '.repeat(999)}`],
  ['white space that only white space follows', ['a', ' '.repeat(2000), '\n'], 'a'],
  ['white space in front', [' \n', '\t', 'a\n'], 'a'],
  ['a pair at the limit', ['x'.repeat(999), '😀', 'y'], `${'x'.repeat(999)}\ud83d`],
])('its first 1000 characters are those of all of it, trimmed: %s', async (_, chunks, quoted) => {
  expect(chunks.join('').trim().slice(0, 1000)).toBe(quoted)
  const process = exited(1)
  process.stderr.push(...chunks)
  process.stderr.end()
  expect((await run(process)).error.message).toBe(`Agent process exited with code 1: ${quoted}`)
})

test('what an agent left running may hold it open: the end of a good one waits for nothing', async () => {
  expect(await collect(spawnNdjson(followingHandle(exited(0)), 'agent'))).toEqual([1])
})

test('what an agent left running may hold it open: the end of a bad one waits for a second', async () => {
  vi.useFakeTimers()
  const process = exited(2)
  process.stderr.push('reason')
  const over = run(process)
  await vi.advanceTimersByTimeAsync(1000)
  expect((await over).error).toEqual(new Error('Agent process exited with code 2: reason'))
  expect(vi.getTimerCount()).toBe(0)
})
