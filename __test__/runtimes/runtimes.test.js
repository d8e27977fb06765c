/** The packed package on each runtime: every kind of use once, on the main thread and in a worker. */

import { expect, test } from 'vitest'
import { EXPECTED, useProject } from '../integration/support/project.js'
import { nodeBinary } from '../support/node-binary.js'

const BOTH_THREADS = { main: EXPECTED, inWorker: EXPECTED }
const versionOf = (runtime) => ({ [runtime]: expect.stringMatching(/^\d+\./) })

const project = useProject('runtimes')

test.each([22, 24, 26])('Node %i', async (major) => {
  const { runtime, ...printed } = await print(await nodeBinary(major))
  expect(runtime).toEqual({ node: expect.stringMatching(new RegExp(`^${major}\\.`)) })
  expect(printed).toEqual(BOTH_THREADS)
})

test('Bun', async () => {
  const { runtime, ...printed } = await print('node_modules/.bin/bun')
  expect(runtime).toMatchObject(versionOf('bun'))
  expect(printed).toEqual(BOTH_THREADS)
})

// Deno asks for each of these: the native library, commands of the sandbox, files, the libc.
test('Deno, with what it must be allowed', async () => {
  const flags = ['ffi', 'run', 'read', 'write', 'env', 'sys'].map((name) => `--allow-${name}`)
  const { runtime, ...printed } = await print('node_modules/.bin/deno', ['run', ...flags])
  expect(runtime).toMatchObject(versionOf('deno'))
  expect(printed).toEqual(BOTH_THREADS)
})

async function print(command, flags = []) {
  return JSON.parse(await project.succeed(command, [...flags, 'src/main.js'], { limitMs: 60_000 }))
}
