/** A read that polls a journal. */

import { getEventListeners } from 'node:events'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { DEFAULT_JOURNAL_POLL_MS, journalReadCommand, readJournal } from '../../api/native.js'
import { collect } from '../support/collect.js'
import { frameOf, growingJournal, pollingHandle } from './support/process-handles.js'
import { abortable, never, paths, settle } from './support/reading.js'

describe('poll', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  test('runs the read command from the last complete line, again and again', async () => {
    const { journal, handle } = growingJournal('{"a":1}\n{"b":')
    const lines = readJournal(handle, { paths })
    expect((await lines.next()).value).toEqual({ line: '{"a":1}', endPosition: 8 })
    const next = lines.next()
    await vi.advanceTimersByTimeAsync(250)
    journal.text += '2}\n{"c":3}\n'
    await vi.advanceTimersByTimeAsync(250)
    expect((await next).value).toEqual({ line: '{"b":2}', endPosition: 16 })
    expect((await lines.next()).value).toEqual({ line: '{"c":3}', endPosition: 24 })
    await lines.return()
    expect(handle.executed).toEqual(
      [0, 8, 8].map((from) => ({ command: journalReadCommand(paths, from), options: {} })),
    )
    expect(vi.getTimerCount()).toBe(0)
  })

  test('hands cwd and signal over when they are given', async () => {
    const { handle } = growingJournal('a\n')
    const { signal } = new AbortController()
    await collect(readJournal(handle, { paths, signal, cwd: '/workspace' }), 1)
    expect(handle.executed[0].options).toEqual({ signal, cwd: '/workspace' })
  })

  test('sleeps for pollIntervalMs', async () => {
    const { handle } = growingJournal('a\n')
    const lines = readJournal(handle, { paths, pollIntervalMs: 40 })
    await lines.next()
    lines.next()
    await vi.advanceTimersByTimeAsync(39)
    expect(handle.executed).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(handle.executed).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(400)
    expect(handle.executed).toHaveLength(12)
  })

  test('an interval that no timer can keep is a long one, not none', async () => {
    const { handle } = growingJournal('a\n')
    const lines = readJournal(handle, { paths, pollIntervalMs: 2 ** 40, firstByteTimeoutMs: 0 })
    await lines.next()
    lines.next()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(handle.executed).toHaveLength(1)
  })

  test.each([Number.NaN, null])(
    'an interval of %s is the default, not none',
    async (pollIntervalMs) => {
      const { handle } = growingJournal('a\n')
      const lines = readJournal(handle, { paths, pollIntervalMs })
      await lines.next()
      lines.next()
      await vi.advanceTimersByTimeAsync(DEFAULT_JOURNAL_POLL_MS - 1)
      expect(handle.executed).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(handle.executed).toHaveLength(2)
    },
  )

  test('a character cut between two polls stays whole', async () => {
    const { journal, handle } = growingJournal('')
    const whole = Buffer.from('{"e":"😀"}\n')
    let end = 8
    handle.process.exec = async () => ({
      exitCode: 0,
      stdout: whole.subarray(0, end).toString('base64'),
      stderr: '',
    })
    const next = readJournal(handle, { paths }).next()
    await vi.advanceTimersByTimeAsync(250)
    end = whole.length
    await vi.advanceTimersByTimeAsync(250)
    expect((await next).value).toEqual({ line: '{"e":"😀"}', endPosition: 13 })
    expect(journal.text).toBe('')
  })

  test('a frame cut in mid-quantum is an error, behind its complete lines', async () => {
    const handle = pollingHandle(() => frameOf('a\nb\nhalf').trim().slice(0, -2))
    const lines = readJournal(handle, { paths })
    expect((await lines.next()).value.line).toBe('a')
    expect((await lines.next()).value.line).toBe('b')
    await expect(lines.next()).rejects.toThrow('journal: base64 frame ended mid-quantum with')
    expect(await lines.next()).toEqual({ value: undefined, done: true })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('text that is no base64 is an error', async () => {
    const handle = pollingHandle(() => 'sh: base64: not found')
    await expect(readJournal(handle, { paths }).next()).rejects.toThrow(
      expect.objectContaining({ name: 'InvalidCharacterError' }),
    )
  })

  test('a command that fails is the error of the read', async () => {
    const error = { no: 'prototype' }
    const handle = pollingHandle(() => Promise.reject(error))
    await expect(readJournal(handle, { paths }).next()).rejects.toBe(error)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('an aborted signal polls nothing', async () => {
    const { handle } = growingJournal('a\n')
    const reading = collect(readJournal(handle, { paths, signal: AbortSignal.abort() }))
    expect(await reading).toEqual([])
    expect(handle.executed).toEqual([])
  })

  test.each([
    ['during a command that hangs', () => never],
    ['during the sleep', () => ''],
    ['during a command that fails because of it', (signal) => abortable(signal)],
  ])('an abort %s ends the read at once', async (_, answer) => {
    const controller = new AbortController()
    const { signal } = controller
    const handle = pollingHandle(() => answer(signal))
    const reading = collect(readJournal(handle, { paths, signal }))
    await settle()
    controller.abort()
    expect(await reading).toEqual([])
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('strategy decides before the capabilities do', async () => {
    const { handle } = growingJournal('a\n')
    handle.capabilities = { backgroundProcesses: true, killableProcesses: true }
    expect(await collect(readJournal(handle, { paths, strategy: 'poll' }), 1)).toHaveLength(1)
  })
})
