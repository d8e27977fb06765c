/** The module `runner`, over handles that do what the test wants. */

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
  toLines,
} from '../../api/native.js'
import { FakeProcess, followingHandle, frameOf, growingJournal } from './support/process-handles.js'

const runId = 'run-1'
const paths = journalPaths(runId)
const journal = { runId }
const done = exitSentinelLine(paths, 0)

async function collect(items) {
  const collected = []
  for await (const item of items) collected.push(item)
  return collected
}

async function* streamOf(...chunks) {
  yield* chunks
}

describe('toLines', () => {
  test.each([
    ['complete lines', ['a\nb\n'], ['a', 'b']],
    ['a trailing line without its newline', ['a\nb'], ['a', 'b']],
    ['lines cut between chunks', ['a', '', 'b\nc', 'd', '\n', '\n'], ['ab', 'cd', '']],
    ['nothing', [''], []],
    ['one newline', ['\n'], ['']],
    [
      'carriage returns, NUL, lone surrogates and marks as they are',
      ['\ufeffa\r\0\ud800\n'],
      ['\ufeffa\r\0\ud800'],
    ],
    ['a pair cut between chunks', ['\ud83d', '\ude00\n'], ['😀']],
  ])('gives %s', async (_, chunks, lines) => {
    expect(await collect(toLines(streamOf(...chunks)))).toEqual(lines)
  })

  test('takes a line of 32 MB in small pieces, in linear time', async () => {
    const chunks = Array.from({ length: 32_768 }, () => 'x'.repeat(1024))
    const [line, ...rest] = await collect(toLines([...chunks, '\n']))
    expect(line.length).toBe(2 ** 25)
    expect(rest).toEqual([])
  })

  test('closes its source when it is left', async () => {
    const process = new FakeProcess()
    process.stdout.push('a\nb\n')
    for await (const line of toLines(process.stdout)) {
      expect(line).toBe('a')
      break
    }
    expect(process.stdout.returns).toBe(1)
  })
})

describe('spawnNdjson', () => {
  function running(...chunks) {
    const process = new FakeProcess()
    process.stdout.push(...chunks)
    process.stdout.end()
    process.stderr.end()
    return process
  }

  test('gives each line of stdout, trimmed and parsed', async () => {
    const process = running('{"a":1}\n  [2]\t\r\n', '"three"\nnu', 'll\n4\n\n \n')
    expect(await collect(spawnNdjson(followingHandle(process), 'agent'))).toEqual([
      { a: 1 },
      [2],
      'three',
      null,
      4,
    ])
  })

  test('gives a last line without its newline', async () => {
    expect(await collect(spawnNdjson(followingHandle(running('1\n2')), 'agent'))).toEqual([1, 2])
  })

  test('tells onNonJsonLine of lines that are no JSON, in their place, and skips blank ones', async () => {
    const order = []
    const options = { onNonJsonLine: (line) => order.push(`not: ${line}`) }
    const process = running('  hello \n1\n\n{"a":\n2\noops')
    for await (const event of spawnNdjson(followingHandle(process), 'agent', options)) {
      order.push(event)
    }
    expect(order).toEqual(['not: hello', 1, 'not: {"a":', 2, 'not: oops'])
  })

  test('what onNonJsonLine throws ends the reading, as the same value', async () => {
    const process = running('1\nx\n2\n')
    const error = { code: 'ARGUMENT' }
    const onNonJsonLine = () => {
      throw error
    }
    const events = spawnNdjson(followingHandle(process), 'agent', { onNonJsonLine })
    expect(await events.next()).toEqual({ value: 1, done: false })
    await expect(events.next()).rejects.toBe(error)
    expect(await events.next()).toEqual({ value: undefined, done: true })
    expect(process.stdout.returns).toBe(1)
  })

  test('hands the command and the options of the process over, and no others', async () => {
    const handle = followingHandle(running())
    const { signal } = new AbortController()
    const env = { A: '1' }
    const options = { cwd: '/w', env, signal, input: 'x', onNonJsonLine() {} }
    await collect(spawnNdjson(handle, 'agent', options))
    expect(handle.spawned).toEqual([{ command: 'agent', options: { cwd: '/w', env, signal } }])
  })

  test('writes the input to stdin, and closes it', async () => {
    const process = running()
    await collect(spawnNdjson(followingHandle(process), 'agent', { input: 'hello' }))
    expect(process.input).toEqual(['hello', null])
  })

  test('an empty input is one', async () => {
    const process = running()
    await collect(spawnNdjson(followingHandle(process), 'agent', { input: '' }))
    expect(process.input).toEqual(['', null])
  })

  test('leaves stdin alone without input', async () => {
    const process = running()
    await collect(spawnNdjson(followingHandle(process), 'agent'))
    expect(process.input).toEqual([])
  })

  test('throws the exit code and the first 1000 characters of stderr, behind all events', async () => {
    const process = running('1\n2')
    process.exitCode = 3
    process.stderr = streamOf(' \n', 'x'.repeat(999), 'yz', '\n')
    const events = spawnNdjson(followingHandle(process), 'agent')
    expect(await events.next()).toEqual({ value: 1, done: false })
    expect(await events.next()).toEqual({ value: 2, done: false })
    const message = `Agent process exited with code 3: ${'x'.repeat(999)}y`
    await expect(events.next()).rejects.toEqual(new Error(message))
  })

  test('throws the exit code alone where stderr is blank', async () => {
    const process = running()
    process.exitCode = 1
    process.stderr = streamOf(' \n')
    await expect(collect(spawnNdjson(followingHandle(process), 'agent'))).rejects.toEqual(
      new Error('Agent process exited with code 1'),
    )
  })

  test('drains stderr while stdout is read', async () => {
    const process = new FakeProcess()
    process.stderr.push('warning')
    const events = spawnNdjson(followingHandle(process), 'agent')
    const first = events.next()
    await vi.waitFor(() => expect(process.stderr.reads).toBe(2))
    process.stdout.push('1\n')
    expect(await first).toEqual({ value: 1, done: false })
    await events.return()
  })

  test('a stderr that fails counts as far as it came', async () => {
    const process = running()
    process.exitCode = 1
    process.stderr.fail = undefined
    process.stderr = (async function* () {
      yield 'reason'
      throw new Error('lost')
    })()
    await expect(collect(spawnNdjson(followingHandle(process), 'agent'))).rejects.toEqual(
      new Error('Agent process exited with code 1: reason'),
    )
  })

  test('nothing starts before the first next()', async () => {
    const handle = followingHandle(running())
    const events = spawnNdjson(handle, 'agent')
    await Promise.resolve()
    expect(handle.spawned).toEqual([])
    await events.return()
    expect(handle.spawned).toEqual([])
  })
})

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
