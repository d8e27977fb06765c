/** The module `journal-reader`, over handles that do what the test wants: what it is, and following. */

import { describe, expect, test } from 'vitest'
import {
  DEFAULT_JOURNAL_POLL_MS,
  journalFollowCommand,
  journalReadStrategy,
  readJournal,
} from '../../api/native.js'
import { collect } from '../support/collect.js'
import { FakeProcess, followingHandle, growingJournal } from './support/process-handles.js'
import { paths, settle } from './support/reading.js'

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
