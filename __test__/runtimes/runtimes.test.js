/** The packed package on each runtime: every kind of use once, on the main thread and in a worker. */

import { expect, test } from 'vitest'
import { EXPECTED, useProject } from '../integration/support/project.js'
import { bunBinary, denoBinary, nodeBinary } from '../support/runtime-binaries.js'

const BOTH_THREADS = { main: EXPECTED, inWorker: EXPECTED }
const versionOf = (runtime) => ({ [runtime]: expect.stringMatching(/^\d+\./) })
// Deno asks for each of these: the native library, commands of the sandbox, files, the libc.
const DENO_FLAGS = ['ffi', 'run', 'read', 'write', 'env', 'sys'].map((name) => `--allow-${name}`)

const project = useProject('runtimes')

test.each([22, 24, 26])('Node %i', async (major) => {
  const { runtime, ...printed } = await print(await nodeBinary(major))
  expect(runtime).toEqual({ node: expect.stringMatching(new RegExp(`^${major}\\.`)) })
  expect(printed).toEqual(BOTH_THREADS)
})

test('Bun', async () => {
  const { runtime, ...printed } = await print(await bunBinary())
  expect(runtime).toMatchObject(versionOf('bun'))
  expect(printed).toEqual(BOTH_THREADS)
})

test('Deno, with what it must be allowed', async () => {
  const { runtime, ...printed } = await print(await denoBinary(), ['run', ...DENO_FLAGS])
  expect(runtime).toMatchObject(versionOf('deno'))
  expect(printed).toEqual(BOTH_THREADS)
})

test.each([
  ['Bun', bunBinary, []],
  ['Deno', denoBinary, ['run', ...DENO_FLAGS]],
])('the loader tells that it is not for %s', async (name, find, flags) => {
  const args = [
    ...flags,
    '--import',
    './node_modules/ai-sandbox-native/api/register.js',
    'src/main.js',
  ]
  const { code, stdout, stderr } = await project.run(await find(), args)
  expect(stdout).toBe('')
  expect(stderr).toContain(`needs the module hooks of Node 20.6 or later; this is ${name} `)
  expect(code).toBe(1)
})

async function print(command, flags = []) {
  return JSON.parse(await project.succeed(command, [...flags, 'src/main.js'], { limitMs: 60_000 }))
}
