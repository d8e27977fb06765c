/** The module `runner` without a journal, over handles that do what the test wants. */

import { describe, expect, test, vi } from 'vitest'
import { spawnNdjson, toLines } from '../../api/native.js'
import { collect } from '../support/collect.js'
import { FakeProcess, followingHandle } from './support/process-handles.js'

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
