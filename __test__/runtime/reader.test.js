/** The module `journal-reader`, over handles that do what the test wants. */

import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  DEFAULT_JOURNAL_POLL_MS,
  JournalAttachUnavailableError,
  journalFollowCommand,
  journalPaths,
  journalReadCommand,
  journalReadStrategy,
  readJournal,
} from '../../api/native.js'
import {
  FakeProcess,
  followingHandle,
  frameOf,
  growingJournal,
  pollingHandle,
} from './support/process-handles.js'

const paths = journalPaths('run-1')
const never = new Promise(() => {})

async function collect(lines, count = Number.POSITIVE_INFINITY) {
  const collected = []
  for await (const line of lines) {
    collected.push(line)
    if (collected.length === count) break
  }
  return collected
}

/** Lets everything happen that waits for nothing. */
async function settle() {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
}

test('DEFAULT_JOURNAL_POLL_MS is 250', () => {
  expect(DEFAULT_JOURNAL_POLL_MS).toBe(250)
})

describe('journalReadStrategy', () => {
  test.each([
    [{ backgroundProcesses: true, killableProcesses: true }, 'follow'],
    [{ backgroundProcesses: true, killableProcesses: false }, 'poll'],
    [{ backgroundProcesses: true }, 'poll'],
    [{ backgroundProcesses: false, killableProcesses: true }, 'poll'],
    [{}, 'poll'],
  ])('with %j is %s', (capabilities, strategy) => {
    expect(journalReadStrategy({ capabilities, provider: 'docker' })).toBe(strategy)
  })
})

describe('follow', () => {
  test('spawns the follow command, with no option that was not given', async () => {
    const process = new FakeProcess()
    const handle = followingHandle(process)
    process.stdout.push('{"a":1}\n')
    expect(await collect(readJournal(handle, { paths }), 1)).toEqual([
      { line: '{"a":1}', endPosition: 8 },
    ])
    expect(handle.spawned).toEqual([{ command: journalFollowCommand(paths, 0), options: {} }])
  })

  test('hands cwd and signal over when they are given', async () => {
    const process = new FakeProcess()
    const handle = followingHandle(process)
    process.stdout.end()
    const { signal } = new AbortController()
    await collect(readJournal(handle, { paths, fromByte: 7, signal, cwd: '/workspace' }))
    const [{ command, options }] = handle.spawned
    expect(command).toBe(journalFollowCommand(paths, 7))
    expect(options).toEqual({ cwd: '/workspace', signal })
    expect(options.signal).toBe(signal)
  })

  test('counts positions in bytes from fromByte, in whatever pieces the text comes', async () => {
    const process = new FakeProcess()
    process.stdout.push('{"t":"', 'é', '\ud83d', '\ude00"}\n{"b', '":2}\n{"half')
    process.stdout.end()
    const lines = await collect(readJournal(followingHandle(process), { paths, fromByte: 100 }))
    expect(lines).toEqual([
      { line: '{"t":"é😀"}', endPosition: 115 },
      { line: '{"b":2}', endPosition: 123 },
    ])
  })

  test('nothing starts before the first next()', async () => {
    const handle = followingHandle(new FakeProcess())
    const lines = readJournal(handle, { paths })
    await settle()
    expect(handle.spawned).toEqual([])
    await lines.return()
    expect(handle.spawned).toEqual([])
  })

  test.each([
    ['its own end', (process) => process.stdout.end(), 0],
    ['a caller that leaves', (process) => process.stdout.push('x\n'), 1],
  ])('%s kills the process once', async (_, begin, returns) => {
    const process = new FakeProcess()
    begin(process)
    await collect(readJournal(followingHandle(process), { paths }), 1)
    expect(process.kills).toBe(1)
    expect(process.stdout.returns).toBe(returns)
  })

  test('an error of the stream kills the process once, and comes as it is', async () => {
    const process = new FakeProcess()
    process.stdout.push('a\n')
    process.stdout.fail('gone')
    const lines = readJournal(followingHandle(process), { paths })
    expect(await lines.next()).toEqual({ value: { line: 'a', endPosition: 2 }, done: false })
    await expect(lines.next()).rejects.toBe('gone')
    expect(await lines.next()).toEqual({ value: undefined, done: true })
    expect(process.kills).toBe(1)
    expect(process.stdout.returns).toBe(0)
  })

  test('a chunk that is no text kills the process once', async () => {
    const process = new FakeProcess()
    process.stdout.push(7)
    await expect(collect(readJournal(followingHandle(process), { paths }))).rejects.toThrow(
      'a chunk must be a string',
    )
    expect(process.kills).toBe(1)
    expect(process.stdout.returns).toBe(1)
  })

  test.each([
    ['rejects', () => Promise.reject(new Error('no such process'))],
    [
      'throws',
      () => {
        throw new Error('no such process')
      },
    ],
  ])('a kill that %s is swallowed', async (_, kill) => {
    const process = new FakeProcess()
    process.kill = kill
    process.stdout.end()
    expect(await collect(readJournal(followingHandle(process), { paths }))).toEqual([])
  })

  test('a spawn that fails is the error of the read', async () => {
    const handle = followingHandle()
    const error = new Error('no room')
    handle.process.spawn = async () => {
      throw error
    }
    await expect(collect(readJournal(handle, { paths }))).rejects.toBe(error)
  })

  test.each([-1, 1.5, Number.NaN, 2 ** 53, '7'])('fromByte %s is an error', async (fromByte) => {
    const handle = followingHandle(new FakeProcess())
    await expect(collect(readJournal(handle, { paths, fromByte }))).rejects.toThrow(
      `journal: fromByte must be a non-negative safe integer, got ${fromByte}`,
    )
    expect(handle.spawned).toEqual([])
  })
})

describe('an abort of a follow read', () => {
  test('case 9: ends a read at once whose stream never yields', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const process = new FakeProcess()
    process.stdout.return = vi.fn(() => never)
    const reading = collect(readJournal(followingHandle(process), { paths, signal }))
    await settle()
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    controller.abort()
    expect(await reading).toEqual([])
    expect(process.kills).toBe(1)
    expect(process.stdout.return).toHaveBeenCalledOnce()
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  test('is not held up by a kill that hangs', async () => {
    const controller = new AbortController()
    const process = new FakeProcess()
    process.kill = vi.fn(() => never)
    const { signal } = controller
    const reading = collect(readJournal(followingHandle(process), { paths, signal }))
    await settle()
    controller.abort()
    expect(await reading).toEqual([])
    expect(process.kill).toHaveBeenCalledOnce()
  })

  test('is quiet when the stream fails because of it', async () => {
    const controller = new AbortController()
    const process = new FakeProcess()
    const { signal } = controller
    signal.addEventListener('abort', () => process.stdout.fail(signal.reason))
    const reading = collect(readJournal(followingHandle(process), { paths, signal }))
    await settle()
    controller.abort()
    expect(await reading).toEqual([])
  })

  test('before the first next() spawns nothing', async () => {
    const handle = followingHandle(new FakeProcess())
    expect(await collect(readJournal(handle, { paths, signal: AbortSignal.abort() }))).toEqual([])
    expect(handle.spawned).toEqual([])
  })

  test('during the spawn ends at once, and kills what was spawned', async () => {
    const controller = new AbortController()
    const process = new FakeProcess()
    const handle = followingHandle()
    let spawn
    handle.process.spawn = () =>
      new Promise((resolve) => {
        spawn = () => resolve(process)
      })
    const reading = collect(readJournal(handle, { paths, signal: controller.signal }))
    await settle()
    controller.abort()
    expect(await reading).toEqual([])
    expect(process.kills).toBe(0)
    spawn()
    await settle()
    expect(process.kills).toBe(1)
    expect(process.stdout.reads).toBe(0)
  })

  test('during a spawn that then fails is quiet', async () => {
    const controller = new AbortController()
    const handle = followingHandle()
    let fail
    handle.process.spawn = () =>
      new Promise((_, reject) => {
        fail = () => reject(new Error('too late'))
      })
    const reading = collect(readJournal(handle, { paths, signal: controller.signal }))
    await settle()
    controller.abort()
    expect(await reading).toEqual([])
    fail()
    await settle()
  })

  test('by the caller between two lines delivers no further one', async () => {
    const controller = new AbortController()
    const process = new FakeProcess()
    process.stdout.push('a\nb\nc\n')
    const seen = []
    for await (const { line } of readJournal(followingHandle(process), {
      paths,
      signal: controller.signal,
    })) {
      seen.push(line)
      controller.abort()
    }
    expect(seen).toEqual(['a'])
    expect(process.kills).toBe(1)
  })
})

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

describe('the first byte', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })
  afterEach(() => expect(vi.getTimerCount()).toBe(0))

  const stalled = (runId) =>
    expect.objectContaining({
      name: 'JournalAttachUnavailableError',
      reason: 'journal-stalled',
      runId,
    })

  test('that does not come within 10,000 ms is a stall', async () => {
    const process = new FakeProcess()
    process.stdout.return = vi.fn(() => never)
    const failure = collect(readJournal(followingHandle(process), { paths, runId: 'run-1' }))
    failure.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(9_999)
    expect(process.kills).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    await expect(failure).rejects.toThrow(stalled('run-1'))
    await expect(failure).rejects.toBeInstanceOf(JournalAttachUnavailableError)
    await expect(failure).rejects.toThrow(/^cannot attach to run run-1: .*10000 ms/)
    expect(process.kills).toBe(1)
    expect(process.stdout.return).toHaveBeenCalledOnce()
  })

  test('is waited for while the spawn hangs, and what it spawns later is killed', async () => {
    const handle = followingHandle()
    const process = new FakeProcess()
    let spawn
    handle.process.spawn = () =>
      new Promise((resolve) => {
        spawn = () => resolve(process)
      })
    const failure = collect(readJournal(handle, { paths, firstByteTimeoutMs: 50 }))
    failure.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(50)
    await expect(failure).rejects.toThrow(stalled(paths.journal))
    spawn()
    await vi.advanceTimersByTimeAsync(0)
    expect(process.kills).toBe(1)
  })

  test('case 12: behind the end of a polled journal is a stall, without a busy loop', async () => {
    const { handle } = growingJournal('123456789\n')
    const options = { paths, fromByte: 500, firstByteTimeoutMs: 300, runId: 'r' }
    const failure = collect(readJournal(handle, options))
    failure.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(299)
    expect(handle.executed).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    await expect(failure).rejects.toThrow(stalled('r'))
    expect(handle.executed).toHaveLength(2)
  })

  test('is waited for while a polling command hangs', async () => {
    const failure = collect(
      readJournal(
        pollingHandle(() => never),
        { paths, firstByteTimeoutMs: 300 },
      ),
    )
    failure.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(300)
    await expect(failure).rejects.toThrow(stalled(paths.journal))
  })

  test('is all that is bounded: a half line counts, and silence later is fine', async () => {
    const process = new FakeProcess()
    process.stdout.push('', '{"a"')
    const lines = readJournal(followingHandle(process), { paths, firstByteTimeoutMs: 300 })
    const first = lines.next()
    await vi.advanceTimersByTimeAsync(1_000_000)
    process.stdout.push(':1}\n')
    expect((await first).value.line).toBe('{"a":1}')
    await lines.return()
  })

  test('empty chunks are none', async () => {
    const process = new FakeProcess()
    process.stdout.push('', '', '')
    const failure = collect(
      readJournal(followingHandle(process), { paths, firstByteTimeoutMs: 300 }),
    )
    failure.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(300)
    await expect(failure).rejects.toThrow(stalled(paths.journal))
  })

  test.each([0, Number.POSITIVE_INFINITY, Number.NaN])(
    'may take any time with %s',
    async (limit) => {
      const process = new FakeProcess()
      const lines = readJournal(followingHandle(process), { paths, firstByteTimeoutMs: limit })
      const first = lines.next()
      await vi.advanceTimersByTimeAsync(100_000_000)
      process.stdout.push('a\n')
      expect((await first).value.line).toBe('a')
      await lines.return()
    },
  )

  test('a stream that ends earlier is no stall', async () => {
    const process = new FakeProcess()
    process.stdout.end()
    expect(await collect(readJournal(followingHandle(process), { paths }))).toEqual([])
    await vi.advanceTimersByTimeAsync(20_000)
  })

  test('a caller that leaves earlier leaves no timer', async () => {
    const process = new FakeProcess()
    process.stdout.push('a\n')
    await collect(readJournal(followingHandle(process), { paths }), 1)
  })
})

test('the sandbox files are never touched', async () => {
  const touched = (what) => () => {
    throw new Error(`the reader used ${what}`)
  }
  const fs = new Proxy({}, { get: touched('fs') })
  const process = new FakeProcess()
  process.stdout.push('a\n')
  expect(
    await collect(readJournal({ ...followingHandle(process), fs }, { paths }), 1),
  ).toHaveLength(1)
  const { handle } = growingJournal('a\n')
  expect(await collect(readJournal({ ...handle, fs }, { paths }), 1)).toHaveLength(1)
})

/** A promise that only the abort of `signal` rejects. */
function abortable(signal) {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
