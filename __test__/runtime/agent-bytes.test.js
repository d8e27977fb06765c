/** Agents whose handle gives bytes where text should be, as a stream of Node without an encoding. */

import { expect, test } from 'vitest'
import { spawnNdjson, toLines } from '../../api/native.js'
import { collect } from '../support/collect.js'
import { FakeProcess, followingHandle } from './support/process-handles.js'

const text = '{"text":"größer, 日本, 😀"}\n{"text":"\ufeff"}\n'
const lines = text.trimEnd().split('\n')
const bytes = new TextEncoder().encode(text)
const everyByte = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))

test.each([
  ['a Buffer', [Buffer.from(bytes)]],
  ['a Uint8Array', [bytes]],
  ['Buffers cut within characters', everyByte.map((byte) => Buffer.from(byte))],
  ['Uint8Arrays cut within characters', everyByte],
])('the lines of %s are those of its text', async (_, chunks) => {
  expect(await collect(toLines(chunks))).toEqual(lines)
})

test.each([
  ['text', ['\u2026\n']],
  ['the end', []],
])('a character that only began is one replacement in front of %s', async (_, more) => {
  expect(await collect(toLines([bytes.subarray(0, 12), ...more]))).toEqual([
    `{"text":"gr\ufffd${more.join('').trimEnd()}`,
  ])
})

test('the events and the reason of an agent come whole out of bytes', async () => {
  const process = new FakeProcess()
  process.stdout.push(...everyByte)
  process.stdout.end()
  process.stderr.push(...Array.from(Buffer.from('größer'), (byte) => Buffer.of(byte)))
  process.stderr.end()
  process.exitCode = 1
  const events = spawnNdjson(followingHandle(process), 'agent')
  for (const line of lines) {
    expect(await events.next()).toEqual({ value: JSON.parse(line), done: false })
  }
  await expect(events.next()).rejects.toEqual(new Error('Agent process exited with code 1: größer'))
})
