/** The examples of docs/journals.md, as one program in a process of its own. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CACHE = join(ROOT, '.cache')
const GUIDE = readFileSync(join(ROOT, 'docs', 'journals.md'), 'utf8')
const DEFAULT_DIR = `'/tmp/tanstack-runs'`
const LIMIT_MS = 50_000

// Bun's own console.log has other line breaks.
const SETUP = `
import { format } from 'node:util'
import { createLocalSandbox } from '${new URL('../../examples/local-sandbox/index.js', import.meta.url)}'
console.log = (...values) => process.stdout.write(format(...values) + '\\n')
const handle = await createLocalSandbox()
`
const TEARDOWN = `
await handle.destroy()
`

const blocks = [...GUIDE.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code)

/** Within the package's folder, where its own name means itself. */
async function run(code) {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'guide-'))
  const program = join(folder, 'guide.mjs')
  writeFileSync(program, code)
  try {
    return await runProgram(program)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function runProgram(path) {
  const child = spawn(process.execPath, [path], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const [exitCode] = await once(child, 'close')
  return { exitCode, stdout, stderr }
}

describe('docs/journals.md', () => {
  let dir
  let result
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'guide-'))
    const code = [SETUP, ...blocks, TEARDOWN].join('\n').replace(DEFAULT_DIR, JSON.stringify(dir))
    result = await run(code)
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  const linesOf = (runId) => result.stdout.split('\n').filter((line) => line.startsWith(runId))

  it('runs to its end, and says nothing on stderr', () => {
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
  })

  it.each(['run-1', 'run-2'])('%s: each event once', (runId) => {
    expect(linesOf(runId)).toEqual([1, 2, 3].map((step) => `${runId}: { step: ${step} }`))
  })

  it('run-3: taken over, and each event once', () => {
    expect(linesOf('run-3')).toEqual([
      ...[1, 2, 3].map((step) => `run-3: {"step":${step}} ends at ${step * 11}`),
      'run-3 exited with 0',
    ])
  })

  it('run-4: unknown', () => {
    expect(linesOf('unknown-run')).toEqual([
      `unknown-run - cannot attach to run run-4: no journal at ${dir}/run-4.ndjson; the run store has no record of the run`,
    ])
  })

  it('the sweep removes what is over', () => {
    expect(result.stdout).toContain(`deleted: [ 'run-5' ]\n`)
    expect(result.stdout).not.toContain('failed:')
  })

  it('run-6: read as a file', () => {
    expect(linesOf('run-6').map((line) => line.replace(/ \d+$/, ''))).toEqual([
      ...[1, 2, 3].map((step) => `run-6: { step: ${step} }`),
      'run-6: 0',
    ])
  })

  it('leaves the files of run-6 only, which nobody removed', () => {
    expect(readdirSync(dir).toSorted()).toEqual(['run-6.err', 'run-6.ndjson'])
  })
})
