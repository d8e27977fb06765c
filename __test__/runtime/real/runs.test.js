/** Runs with a journal, through each shell, followed and polled. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  exitSentinelLine,
  parseExitSentinel,
  readJournal,
  shellQuote,
  spawnNdjson,
  startJournaledAgent,
} from '../../../api/native.js'
import { rejectionOf } from '../../workspace/support/settle.js'
import { eventsUpTo } from '../support/agent-events.js'
import { journalReadings, linesOfFile, prepareRun } from '../support/real.js'
import { useJournals } from '../support/suite.js'

const LIVE_EVENTS = 20
/** Run ids and names of folders. */
const ODD_NAMES = [
  ['run with spaces', 'dir with spaces'],
  [`it's "quoted"`, `it's "a" dir`],
  ['a\nb', 'c\nd'],
  ['😀/../größe', '😀 größe'],
  ['$HOME `id` $(id)', '$HOME `id` $(id)'],
  ['-rf', '--'],
  ['*', '*?[a]'],
  ['%d\\n', '%d\\n'],
  ['CON', 'deep/er'],
  ['r'.repeat(1000), 'trailing/'],
]

describe.each(journalReadings)('$name', ({ environment, strategy }) => {
  const journals = useJournals(environment)
  let handle
  beforeAll(() => {
    handle = journals.handleFor(strategy)
  })

  const runOf = (runId, dir = journals.dir) => ({ runId, dir, pollIntervalMs: 20 })
  const eventsOf = async (iterable) => {
    const events = []
    for await (const event of iterable) events.push(event)
    return events
  }

  test('a run is followed live: its events are what the agent printed', async () => {
    const run = prepareRun(journals.dir, 'live')
    const events = []
    for await (const event of spawnNdjson(handle, run.command, { journal: run.journal })) {
      events.push(event)
      if (events.length === LIVE_EVENTS) {
        // The agent can't have ended before it may.
        expect(run.hasFiles()).toEqual([true, true])
        run.stop()
      }
    }
    expect(events.length).toBeGreaterThan(LIVE_EVENTS)
    expect(events).toEqual(eventsUpTo(events.length))
    expect(run.hasFiles()).toEqual([false, false])
  })

  test('positions are those of the file', async () => {
    const run = prepareRun(journals.dir, 'positions')
    await startJournaledAgent(handle, run.command, { journal: run.journal })
    const lines = []
    for await (const line of readJournal(handle, { paths: run.paths, pollIntervalMs: 20 })) {
      lines.push(line)
      if (lines.length === LIVE_EVENTS) run.stop()
      if (parseExitSentinel(line.line, run.paths) !== null) break
    }
    expect(lines).toEqual(await linesOfFile(run.paths.journal))
    expect(lines.at(-1).line).toBe(exitSentinelLine(run.paths, 0))
    expect(run.hasFiles()).toEqual([true, true])

    const middle = lines[10].endPosition
    const rest = []
    const options = { paths: run.paths, fromByte: middle }
    for await (const line of readJournal(handle, options)) {
      rest.push(line)
      if (rest.length === lines.length - 11) break
    }
    expect(rest).toEqual(lines.slice(11))
  })

  test('stderr goes to a file of its own', async () => {
    const stderr = 'warn: größer\nand more'
    const run = prepareRun(journals.dir, 'stderr', { stderr })
    const events = []
    for await (const event of spawnNdjson(handle, run.command, { journal: run.journal })) {
      events.push(event)
      if (events.length === LIVE_EVENTS) {
        expect(readFileSync(run.paths.stderr, 'utf8')).toBe(stderr)
        run.stop()
      }
    }
    expect(events).toEqual(eventsUpTo(events.length))
  })

  test('a second reader attaches while the agent runs, and gets all from the start', async () => {
    const run = prepareRun(journals.dir, 'attached')
    const seen = []
    for await (const event of spawnNdjson(handle, run.command, { journal: run.journal })) {
      seen.push(event)
      if (seen.length === LIVE_EVENTS) break
    }
    run.stop()
    const journal = { ...run.journal, attach: true }
    const events = await eventsOf(spawnNdjson(handle, 'not started', { journal }))
    expect(events.length).toBeGreaterThan(LIVE_EVENTS)
    expect(events).toEqual(eventsUpTo(events.length))
    expect(run.hasFiles()).toEqual([false, false])
  })

  test.each([
    [
      'with what stderr has',
      "printf '%s\\n' '{\"a\":1}'; echo ' no key ' >&2; exit 3",
      3,
      ': no key',
    ],
    ['alone', 'exit 255', 255, ''],
    ['of a signal', 'exec sh -c \'echo gone >&2; kill -9 "$$"\'', 137, ': gone'],
    ['of a missing program', 'no-such-program 2>/dev/null', 127, ''],
  ])('a bad exit code is thrown, %s', async (name, command, code, detail) => {
    const journal = runOf(name)
    const events = []
    const read = async () => {
      for await (const event of spawnNdjson(handle, command, { journal })) events.push(event)
    }
    const error = await rejectionOf(read())
    const [first, ...noise] = error.message.split('\n')
    expect(first).toBe(`Agent process exited with code ${code}${detail}`)
    // A shell may say by itself that a signal has killed its child.
    if (code !== 137) expect(noise).toEqual([])
    expect(events).toEqual(code === 3 ? [{ a: 1 }] : [])
    const { paths } = prepareRun(journals.dir, name)
    expect([paths.journal, paths.stderr].map((file) => existsSync(file))).toEqual([false, false])
  })

  test('stderr that is longer than an error takes is cut: 1,000 characters of the last 4,096 bytes', async () => {
    const command =
      'i=0; while [ $i -lt 3000 ]; do echo $((10000 + i)) >&2; i=$((i + 1)); done; exit 1'
    const error = await rejectionOf(
      eventsOf(spawnNdjson(handle, command, { journal: runOf('long') })),
    )
    const all = Array.from({ length: 3000 }, (_, index) => `${10_000 + index}\n`).join('')
    const shown = all.slice(-4096).trim().slice(0, 1000)
    expect(error.message).toBe(`Agent process exited with code 1: ${shown}`)
  })

  test('an agent that looks like an end, and prints no line break at its own', async () => {
    const lookAlike = '{"__exit":0,"__nonce":"0123456789abcdef0123456789abcdef"}'
    const command = `echo '${lookAlike}'; echo '{"__exit":1}'; echo 'no JSON'; printf '{"last":1}\\n\\n'`
    const strange = []
    const options = { journal: runOf('look-alike'), onNonJsonLine: (line) => strange.push(line) }
    expect(await eventsOf(spawnNdjson(handle, command, options))).toEqual([
      JSON.parse(lookAlike),
      { __exit: 1 },
      { last: 1 },
    ])
    expect(strange).toEqual(['no JSON'])
  })

  describe('input', () => {
    test('reaches the agent whole, also a big one', async () => {
      const input = `${JSON.stringify({ text: 'größe '.repeat(500_000) })}\n`
      const events = await eventsOf(spawnNdjson(handle, 'cat', { input, journal: runOf('cat') }))
      expect(events.length).toBe(1)
      expect(events[0].text === JSON.parse(input).text).toBe(true)
    })

    test('an empty one is the end of the input', async () => {
      const command = 'cat; echo \'{"read":true}\''
      const options = { input: '', journal: runOf('empty input') }
      expect(await eventsOf(spawnNdjson(handle, command, options))).toEqual([{ read: true }])
    })

    test('that the agent ignores doesn’t matter', async () => {
      const command = 'sleep 0.2; echo \'{"a":1}\''
      const options = { input: 'x'.repeat(1000), journal: runOf('ignored') }
      expect(await eventsOf(spawnNdjson(handle, command, options))).toEqual([{ a: 1 }])
    })
  })

  test('run ids and folders may have any characters', async () => {
    const outcomes = await Promise.all(
      ODD_NAMES.map(async ([runId, name]) => {
        const dir = `${journals.dir}/${strategy} ${name}`
        const command = `test -d ${shellQuote(dir)} && echo '{"a":1}'; echo no >&2; exit 7`
        const events = []
        const read = async () => {
          const options = { journal: runOf(runId, dir) }
          for await (const event of spawnNdjson(handle, command, options)) events.push(event)
        }
        const { message } = await rejectionOf(read())
        return { runId, name, message, events, left: readdirSync(dir) }
      }),
    )
    const message = 'Agent process exited with code 7: no'
    expect(outcomes).toEqual(
      ODD_NAMES.map(([runId, name]) => ({ runId, name, message, events: [{ a: 1 }], left: [] })),
    )
  })

  test('a relative folder is one of cwd', async () => {
    const cwd = '/workspace'
    const options = { cwd, journal: runOf('relative', 'runs/here') }
    const command = 'ls runs/here >&2; echo \'{"a":1}\''
    expect(await eventsOf(spawnNdjson(handle, command, options))).toEqual([{ a: 1 }])
    expect(existsSync(join(journals.sandbox.folder, 'runs/here'))).toBe(true)
  })
})
