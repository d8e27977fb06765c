/** `tail --follow`: a journal that grows, and each way in which following ends. */

import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { runFiles } from './support/runs.js'
import {
  hasShell,
  makeFolder,
  outcomeOf,
  runShell,
  runTool,
  startTool,
  waitForOutput,
} from './support/tool.js'

const folder = makeFolder()
afterAll(() => folder.remove())

let made = 0
/** The journal of a new run, with one event. */
function makeRun() {
  made += 1
  const id = `run-${made}`
  const { name, sentinel } = runFiles(id)
  return { id, sentinel, path: folder.write(name, '{"type":"first"}\n') }
}

const follow = (target, ...args) => startTool(['tail', target, '--follow', ...args])

test('events are printed as they come, once each, in order', async () => {
  const { path, sentinel } = makeRun()
  const child = follow(path)
  await waitForOutput(child, 'first')
  for (let count = 1; count <= 5; count += 1) {
    // Cut inside a character.
    const line = Buffer.from(`{"type":"é${count}"}\n`)
    appendFileSync(path, line.subarray(0, 10))
    await sleep(30)
    expect(child.text.stdout).not.toContain(`é${count}`)
    appendFileSync(path, line.subarray(10))
    await waitForOutput(child, `é${count}\n`)
  }
  appendFileSync(path, sentinel(0))
  const { stdout } = await outcomeOf(child)
  expect(stdout).toBe('first\né1\né2\né3\né4\né5\nexit        code 0\n')
})

describe('the end of the run', () => {
  test.each([
    [0, 0],
    [3, 1],
  ])('exit code %d of a run ends it with %d', async (runCode, code) => {
    const { id, sentinel, path } = makeRun()
    appendFileSync(path, `${sentinel(runCode)}{"type":"behind"}\n`)
    const result = await runTool(['tail', id, '--dir', folder.path, '--follow'])
    expect(result).toEqual({
      code,
      signal: null,
      stdout: `first\nexit        code ${runCode}\n`,
      stderr: `The run ${id} ended with exit code ${runCode}.\n`,
    })
  })

  test('an agent that ended in the midst of a line ends it, too', async () => {
    const { id, sentinel, path } = makeRun()
    appendFileSync(path, `{"type":"cut${sentinel(137)}`)
    const { code, stderr } = await runTool(['tail', id, '--dir', folder.path, '--follow'])
    expect(code).toBe(1)
    expect(stderr).toBe(`The run ${id} ended with exit code 137.\n`)
  })

  test("another run's sentinel, and a line that looks like one, don't end it", async () => {
    const { path, sentinel } = makeRun()
    const child = follow(path)
    appendFileSync(path, runFiles('another').sentinel(0))
    appendFileSync(path, `{"type":"x","text":${JSON.stringify(sentinel(0))}}\n`)
    appendFileSync(path, sentinel(1.5))
    await waitForOutput(child, 'code 0\nx ')
    await sleep(100)
    expect(child.exitCode).toBe(null)
    appendFileSync(path, `  ${sentinel(0)}`)
    expect((await outcomeOf(child)).code).toBe(0)
  })

  test('--json prints the lines up to the sentinel, as they are', async () => {
    const { path, sentinel } = makeRun()
    appendFileSync(path, `${sentinel(0)}{"type":"behind"}\n`)
    const { stdout } = await outcomeOf(follow(path, '--json'))
    expect(stdout).toBe(`{"type":"first"}\n${sentinel(0)}`)
  })
})

describe('a journal that is not there', () => {
  test('is waited for when it is that of a run', async () => {
    const { name, sentinel } = runFiles('late')
    const child = startTool(['tail', 'late', '--dir', folder.path, '--follow'])
    await waitForOutput(child, `Waiting for ${join(folder.path, name)}\n`, 'stderr')
    writeFileSync(join(folder.path, name), `{"type":"a"}\n${sentinel(0)}`)
    const { code, stdout } = await outcomeOf(child)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'a\nexit        code 0\n' })
  })
})

test('Ctrl-C ends it quietly with 130', async () => {
  const child = follow(makeRun().path)
  await waitForOutput(child, 'first')
  child.kill('SIGINT')
  expect(await outcomeOf(child)).toEqual({ code: 130, signal: null, stdout: 'first\n', stderr: '' })
})

test('Ctrl-C ends the waiting for a journal with 130', async () => {
  const child = startTool(['tail', 'never', '--dir', folder.path, '--follow'])
  await waitForOutput(child, 'Waiting', 'stderr')
  child.kill('SIGINT')
  expect((await outcomeOf(child)).code).toBe(130)
})

test.runIf(hasShell)('a reader that goes away ends it with the next event', async () => {
  const { path } = makeRun()
  const pipe = `$TOOL tail ${path} --follow | head -1; echo "\${PIPESTATUS[@]}"`
  // More than one: a tool that starts slowly may print the first together with what was there.
  const append = `(for n in {1..30}; do sleep 1; printf '{"a":1}\\n' >> ${path}; done) & appender=$!;`
  const { stdout, stderr } = await runShell(`${append} ${pipe}; kill $appender`)
  expect({ stdout, stderr }).toEqual({ stdout: 'first\n0 0\n', stderr: '' })
})

describe('a reader of stderr that goes away', () => {
  test("leaves the run's exit code", async () => {
    const { id, sentinel, path } = makeRun()
    appendFileSync(path, sentinel(3))
    const child = follow(id, '--dir', folder.path)
    child.stderr.destroy()
    const { code, stdout } = await outcomeOf(child)
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'first\nexit        code 3\n' })
  })

  test('leaves the waiting for a journal', async () => {
    const { name, sentinel } = runFiles('unseen')
    const child = follow('unseen', '--dir', folder.path)
    child.stderr.destroy()
    // Longer than it takes to start, and to find that nobody reads the note.
    await sleep(1500)
    writeFileSync(join(folder.path, name), `{"type":"a"}\n${sentinel(0)}`)
    const { code, stdout } = await outcomeOf(child)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'a\nexit        code 0\n' })
  })

  test('leaves the exit code of an error', async () => {
    const child = startTool(['stats', join(folder.path, 'nowhere')])
    child.stderr.destroy()
    expect((await outcomeOf(child)).code).toBe(1)
  })
})

test('a journal that gets shorter is an error that names it', async () => {
  const { path } = makeRun()
  const child = follow(path)
  await waitForOutput(child, 'first')
  truncateSync(path, 3)
  const { code, stdout, stderr } = await outcomeOf(child)
  expect({ code, stdout }).toEqual({ code: 1, stdout: 'first\n' })
  expect(stderr).toMatch(/^ai-sandbox-native: [^\n]*\n$/)
  expect(stderr).toContain(path)
})
