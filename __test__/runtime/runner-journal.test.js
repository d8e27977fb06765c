/** The module `runner` with a journal, over handles that do what the test wants. */

import { describe, expect, test, vi } from 'vitest'
import {
  exitSentinelLine,
  journalCleanupCommand,
  journaledCommand,
  journalFollowCommand,
  journalPaths,
  journalStderrReadCommand,
  readJournalNdjson,
  spawnNdjson,
  startJournaledAgent,
} from '../../api/native.js'
import { collect } from '../support/collect.js'
import { FakeProcess, followingHandle, frameOf, growingJournal } from './support/process-handles.js'

const runId = 'run-1'
const paths = journalPaths(runId)
const journal = { runId }
const done = exitSentinelLine(paths, 0)

describe('spawnNdjson with a journal', () => {
  test('starts the agent without the signal, and reads its journal from byte 0', async () => {
    const agent = new FakeProcess()
    const tail = new FakeProcess()
    tail.stdout.push(`{"a":1}\n${done}\n`)
    const handle = followingHandle(agent, tail)
    handle.process.exec = vi.fn(async () => ({ exitCode: 0, stdout: '', stderr: '' }))
    const { signal } = new AbortController()
    const env = { A: '1' }
    const options = { cwd: '/w', env, signal, input: 'prompt', journal }
    expect(await collect(spawnNdjson(handle, 'agent', options))).toEqual([{ a: 1 }])
    expect(handle.spawned).toEqual([
      { command: journaledCommand('agent', paths), options: { cwd: '/w', env } },
      { command: journalFollowCommand(paths, 0), options: { cwd: '/w', signal } },
    ])
    expect(agent.input).toEqual(['prompt', null])
  })

  test('on an attach starts nothing', async () => {
    const tail = new FakeProcess()
    tail.stdout.push(`${done}\n`)
    const handle = followingHandle(tail)
    handle.process.exec = async () => ({ exitCode: 0, stdout: '', stderr: '' })
    const options = { journal: { ...journal, attach: true } }
    expect(await collect(spawnNdjson(handle, 'agent', options))).toEqual([])
    expect(handle.spawned.map(({ command }) => command)).toEqual([journalFollowCommand(paths, 0)])
  })

  test('nothing starts before the first next()', async () => {
    const handle = followingHandle(new FakeProcess(), new FakeProcess())
    const events = spawnNdjson(handle, 'agent', { journal })
    await Promise.resolve()
    await events.return()
    expect(handle.spawned).toEqual([])
  })

  test('an empty run id is an error of the first next()', async () => {
    const events = spawnNdjson(followingHandle(), 'agent', { journal: { runId: '' } })
    await expect(events.next()).rejects.toEqual(new Error('journal: runId must not be empty'))
  })
})

describe('startJournaledAgent', () => {
  test('waits for the input to be written, and not for the process', async () => {
    const agent = new FakeProcess()
    agent.wait = () => new Promise(() => {})
    const handle = followingHandle(agent)
    const dir = '/tmp/other/'
    await startJournaledAgent(handle, 'agent', { input: 'x', journal: { runId, dir } })
    expect(agent.input).toEqual(['x', null])
    expect(handle.spawned).toEqual([
      { command: journaledCommand('agent', journalPaths(runId, dir)), options: {} },
    ])
  })
})

describe('readJournalNdjson', () => {
  /** A follower of a journal, and the commands that were run beside. */
  function followed(text, { fail = () => false, stderr = '' } = {}) {
    const tail = new FakeProcess()
    tail.stdout.push(text)
    const handle = followingHandle(tail)
    const ran = []
    handle.process.exec = async (command, options) => {
      ran.push(options === undefined ? command : { command, options })
      if (fail(command)) throw new Error('the sandbox is gone')
      const stdout = command === journalStderrReadCommand(paths) ? frameOf(stderr) : ''
      return { exitCode: 0, stdout, stderr: '' }
    }
    return { tail, handle, ran }
  }

  test('stops at the sentinel: stops the reader, removes both files, and ends', async () => {
    const { tail, handle, ran } = followed(`{"a":1}\n${done}\n{"late":1}\n`)
    expect(await collect(readJournalNdjson(handle, { journal }))).toEqual([{ a: 1 }])
    expect(tail.kills).toBe(1)
    expect(ran).toEqual([journalCleanupCommand(paths)])
  })

  test('with a bad exit code reads stderr, removes both files, and throws', async () => {
    const sentinel = exitSentinelLine(paths, 2)
    const { tail, handle, ran } = followed(`1\n${sentinel}\n`, { stderr: ' no key é\n' })
    const events = readJournalNdjson(handle, { journal })
    expect(await events.next()).toEqual({ value: 1, done: false })
    await expect(events.next()).rejects.toEqual(
      new Error('Agent process exited with code 2: no key é'),
    )
    expect(tail.kills).toBe(1)
    expect(ran).toEqual([journalStderrReadCommand(paths), journalCleanupCommand(paths)])
  })

  test('swallows a cleanup and a stderr that fail', async () => {
    const failing = { fail: () => true }
    const good = followed(`${done}\n`, failing)
    expect(await collect(readJournalNdjson(good.handle, { journal }))).toEqual([])
    const bad = followed(`${exitSentinelLine(paths, 9)}\n`, failing)
    await expect(collect(readJournalNdjson(bad.handle, { journal }))).rejects.toEqual(
      new Error('Agent process exited with code 9'),
    )
  })

  test('delivers an agent’s own look-alike as an event', async () => {
    const other = exitSentinelLine(journalPaths('run-2'), 0)
    const nested = `{"text":${JSON.stringify(done)}}`
    const { handle } = followed(`${other}\n{"__exit":1}\n${nested}\n${done}\n`)
    expect(await collect(readJournalNdjson(handle, { journal }))).toEqual([
      JSON.parse(other),
      { __exit: 1 },
      { text: done },
    ])
  })

  test('knows the sentinel with white space around it, and with escapes in it', async () => {
    const escaped = done.replace(paths.nonce[0], `\\u00${paths.nonce.charCodeAt(0).toString(16)}`)
    for (const line of [`  ${done}\t\r`, escaped]) {
      const { handle } = followed(`1\n${line}\n2\n`)
      expect(await collect(readJournalNdjson(handle, { journal }))).toEqual([1])
    }
  })

  test('parses no line twice', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const { handle } = followed(`{"a":1}\n{"b":2}\n${done}\n`)
    await collect(readJournalNdjson(handle, { journal }))
    expect(parse).toHaveBeenCalledTimes(2)
    parse.mockRestore()
  })

  test('tells onNonJsonLine of lines that are no JSON, and skips blank ones', async () => {
    const lines = []
    const { handle } = followed(`banner\n\n1\n{"cut\n${done}\n`)
    const options = { journal, onNonJsonLine: (line) => lines.push(line) }
    expect(await collect(readJournalNdjson(handle, options))).toEqual([1])
    expect(lines).toEqual(['banner', '{"cut'])
  })

  test('a stream that ends without a sentinel is an error, and nothing is removed', async () => {
    const { tail, handle, ran } = followed('1\n{"half":')
    tail.stdout.end()
    const events = readJournalNdjson(handle, { journal })
    expect(await events.next()).toEqual({ value: 1, done: false })
    const failure = events.next()
    await expect(failure).rejects.toThrow(runId)
    await expect(failure).rejects.toThrow(paths.journal)
    expect(ran).toEqual([])
    expect(tail.kills).toBe(1)
  })

  test('an abort ends it quietly, and nothing is removed', async () => {
    const controller = new AbortController()
    const { tail, handle, ran } = followed('1\n2\n')
    const seen = []
    for await (const event of readJournalNdjson(handle, { journal, signal: controller.signal })) {
      seen.push(event)
      controller.abort()
    }
    expect(seen).toEqual([1])
    expect(tail.kills).toBe(1)
    expect(ran).toEqual([])
  })

  test('a caller that leaves stops the reader, and nothing is removed', async () => {
    const { tail, handle, ran } = followed(`1\n${done}\n`)
    for await (const event of readJournalNdjson(handle, { journal })) {
      expect(event).toBe(1)
      break
    }
    expect(tail.kills).toBe(1)
    expect(ran).toEqual([])
  })

  test('runs all its commands in cwd', async () => {
    const { handle, ran } = followed(`${exitSentinelLine(paths, 1)}\n`)
    const reading = collect(readJournalNdjson(handle, { journal, cwd: '/w' }))
    await expect(reading).rejects.toThrow('code 1')
    const options = { cwd: '/w' }
    expect(handle.spawned).toEqual([{ command: journalFollowCommand(paths, 0), options }])
    expect(ran).toEqual([
      { command: journalStderrReadCommand(paths), options },
      { command: journalCleanupCommand(paths), options },
    ])
  })

  test('on an attach looks for the journal first', async () => {
    const { handle, ran } = followed(`${done}\n`)
    await collect(readJournalNdjson(handle, { journal: { ...journal, attach: true } }))
    expect(ran[0]).toContain('test -f')
    expect(ran).toHaveLength(2)
  })

  test('attachWaitMs also bounds the first byte', async () => {
    const tail = new FakeProcess()
    const handle = followingHandle(tail)
    const reading = collect(
      readJournalNdjson(handle, { journal: { ...journal, attachWaitMs: 20 } }),
    )
    await expect(reading).rejects.toMatchObject({ reason: 'journal-stalled', runId })
    expect(tail.kills).toBe(1)
  })

  test('polls where the sandbox can’t follow, at pollIntervalMs', async () => {
    const { journal: file, handle } = growingJournal('{"a":1}\n')
    const events = readJournalNdjson(handle, { journal: { ...journal, pollIntervalMs: 1 } })
    expect(await events.next()).toEqual({ value: { a: 1 }, done: false })
    file.text += `{"b":2}\n${done}\n`
    expect(await events.next()).toEqual({ value: { b: 2 }, done: false })
    expect(await events.next()).toEqual({ value: undefined, done: true })
    expect(handle.executed.at(-1).command).toBe(journalCleanupCommand(paths))
  })
})
