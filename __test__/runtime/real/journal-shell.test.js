/** The commands of the module `journal` in real shells, with real tools. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as journal from '../../../api/journal.js'
import { environments, openReal, shellEnvironments } from '../../workspace/support/environments.js'
import { until } from '../../workspace/support/processes.js'

const busybox = environments.filter(({ tools }) => tools === 'busybox')

/** Each of them is a word, or a file name, that a shell or `ls` might spoil. */
const ODD_TEXTS = [
  ...[
    "it's",
    "''",
    '"',
    '\\',
    '\\n',
    '$HOME',
    '$(id)',
    '`id`',
    '*',
    '?',
    '~',
    '#',
    '!x',
    '%s',
    '&',
  ],
  ...[
    '-n',
    '-rf',
    '--',
    '--help',
    ' ',
    ' a  b ',
    'a\tb',
    'a\nb',
    '\n',
    'é😀',
    '\u202e',
    '\x7f',
    ';',
  ],
]
const ODD_RUN_IDS = [...ODD_TEXTS, 'a/../b', 'CON', 'nul', '_', 'x'.repeat(200), 'é'.repeat(99)]
const ODD_FOLDERS = ["it's", ' a  b ', '$HOME `id`', '*', '-rf', 'é😀', '"q"', '\\', '#', '%s']

describe.each([...shellEnvironments, ...busybox])('$name', (environment) => {
  let real
  let run
  let root
  beforeAll(async () => {
    real = await openReal(environment)
    run = (command) => real.sandbox.process.exec(command)
    root = mkdtempSync(join(tmpdir(), 'journals-'))
  })
  afterAll(async () => {
    await real?.close()
    rmSync(root, { recursive: true, force: true })
  })

  const inRoot = (name) => join(root, name)
  const bytesOf = ({ stdout }) => Buffer.from(stdout, 'base64').toString()
  const sentinelOf = (paths, code) => `${journal.exitSentinelLine(paths, code)}\n`

  it('shellQuote: the shell reads the word as it was', async () => {
    const words = ODD_TEXTS.map((text) => journal.shellQuote(text))
    const { stdout } = await run(`printf '[%s]\\n' '' ${words.join(' ')}`)
    expect(stdout).toBe(['', ...ODD_TEXTS].map((text) => `[${text}]\n`).join(''))
  })

  it('shellQuote of any text without NUL', async () => {
    const character = fc.oneof(
      fc.constantFrom(...'\'\\"$`!*\n -'),
      fc.string({ unit: 'binary', maxLength: 1 }),
    )
    const word = fc.array(character, { maxLength: 20 }).map((characters) => {
      return Buffer.from(characters.join('')).toString().replaceAll('\0', '')
    })
    const words = fc.sample(word, 300)
    const quoted = words.map((text) => journal.shellQuote(text))
    const { stdout } = await run(`printf '[%s]\\n' ${quoted.join(' ')}`)
    expect(stdout).toBe(words.map((text) => `[${text}]\n`).join(''))
  })

  it.each([
    ['true', 0],
    ['false', 1],
    ['exit 7', 7],
    ['exit 255', 255],
    ['no-such-command-here', 127],
    ["sh -c 'kill -9 $$'", 137],
    ['cat missing | cat', 0],
    ['trap "exit 3" EXIT', 3],
  ])('journaledCommand writes the exit code of %j as the last line', async (command, code) => {
    const paths = journal.journalPaths(`exit of ${command}`, inRoot('exits'))
    const { exitCode } = await run(journal.journaledCommand(command, paths))
    // The group that writes the sentinel ends well: the code is in the journal.
    expect(exitCode).toBe(0)
    expect(readFileSync(paths.journal, 'utf8')).toBe(sentinelOf(paths, code))
    expect(
      journal.parseJournalExit(bytesOf(await run(journal.journalExitProbeCommand(paths))), paths),
    ).toBe(code)
  })

  it('journaledCommand parts stdout and stderr, and appends', async () => {
    const paths = journal.journalPaths('parts', inRoot('parts/made/by it'))
    const command = journal.journaledCommand(
      'echo \'{"n":1}\'; echo "it\'s bad" >&2; printf cut',
      paths,
    )
    await run(command)
    const once = `{"n":1}\ncut${sentinelOf(paths, 0)}`
    expect(readFileSync(paths.journal, 'utf8')).toBe(once)
    expect(readFileSync(paths.stderr, 'utf8')).toBe("it's bad\n")
    await run(command)
    expect(readFileSync(paths.journal, 'utf8')).toBe(once.repeat(2))
  })

  it('journaledCommand takes a command of several lines, and one that reads stdin', async () => {
    const paths = journal.journalPaths('lines', inRoot('lines'))
    const job = await real.sandbox.process.spawn(
      journal.journaledCommand('read -r line\nif true; then\n  echo "got $line"\nfi', paths),
    )
    await job.stdin.write('input\n')
    await job.stdin.end()
    await job.wait()
    expect(readFileSync(paths.journal, 'utf8')).toBe(`got input\n${sentinelOf(paths, 0)}`)
  })

  it.each([['plain', ODD_RUN_IDS], ...ODD_FOLDERS.map((folder) => [folder, ['run', "it's", '*']])])(
    'the life of runs with odd ids, in a folder called %j',
    async (folder, runIds) => {
      const dir = inRoot(`life ${folder}/${folder}/`)
      for (const runId of runIds) {
        const paths = journal.journalPaths(runId, dir)
        await run(journal.journaledCommand('echo event; echo problem >&2; exit 3', paths))
      }
      const names = (await run(journal.journalListCommand(dir))).stdout.split('\n').slice(0, -1)
      expect(names).toHaveLength(2 * runIds.length)
      const decoded = names.map((name) => journal.decodeJournalRunId(name))
      const kept = runIds.filter(
        (id) => journal.encodeRunId(id).length < 200 || id === 'x'.repeat(200),
      )
      expect(decoded.flatMap(({ runId }) => runId ?? []).sort()).toEqual([...kept, ...kept].sort())
      expect(decoded.filter(({ kind }) => kind === 'malformed')).toEqual([])

      const times = journal.parseJournalMtimeListing(
        (await run(journal.journalMtimeListCommand(dir))).stdout,
        dir,
      )
      expect(times.kind).toBe('listed')
      expect(times.entries.map(({ name }) => name).sort()).toEqual(names.sort())
      for (const { mtimeMs } of times.entries) {
        expect(Math.abs(Date.now() - mtimeMs)).toBeLessThan(3_600_000)
      }

      for (const runId of runIds) {
        const paths = journal.journalPaths(runId, dir)
        expect((await run(journal.journalExistsCommand(paths))).exitCode).toBe(0)
        const whole = `event\n${sentinelOf(paths, 3)}`
        expect(bytesOf(await run(journal.journalReadCommand(paths, 0)))).toBe(whole)
        expect(bytesOf(await run(journal.journalStderrReadCommand(paths)))).toBe('problem\n')
        await run(journal.journalCleanupCommand(paths))
        expect((await run(journal.journalExistsCommand(paths))).exitCode).not.toBe(0)
      }
      expect(readdirSync(dir)).toEqual([])
    },
  )

  it('reads from a position, and the end of a file', async () => {
    const paths = journal.journalPaths('positions', root)
    const content = Buffer.from(`${'0123456789'.repeat(50)}é\0\xff\n`, 'latin1')
    writeFileSync(paths.journal, content)
    writeFileSync(paths.stderr, content)
    const size = content.length
    for (const from of [0, 1, 499, 500, size - 1, size, size + 1, 2 ** 40]) {
      const { stdout } = await run(journal.journalReadCommand(paths, from))
      expect(Buffer.from(stdout, 'base64')).toEqual(content.subarray(from))
    }
    for (const count of [1, 5, size - 1, size, size + 1, 2 ** 30]) {
      for (const command of [journal.journalExitProbeCommand, journal.journalStderrReadCommand]) {
        const { stdout } = await run(command(paths, count))
        expect(Buffer.from(stdout, 'base64')).toEqual(content.subarray(-count))
      }
    }
  })

  it('follows a journal that is not there yet from its first byte', async () => {
    const paths = journal.journalPaths("it's followed", inRoot('followed/here'))
    const follower = await follow(paths, 0)
    await until(async () => (await run(journal.journalExistsCommand(paths))).exitCode === 0)
    await run(journal.journaledCommand('echo one', paths))
    const first = `one\n${sentinelOf(paths, 0)}`
    await until(() => follower.text.length >= first.length)
    await run(journal.journaledCommand('echo two', paths))
    const both = `${first}two\n${sentinelOf(paths, 0)}`
    await until(() => follower.text.length >= both.length)
    await follower.end()
    expect(follower.text).toBe(both)
  })

  it('follows a journal from a position in it', async () => {
    const paths = journal.journalPaths('resumed', inRoot('followed'))
    await run(journal.journaledCommand('echo one; echo two', paths))
    const follower = await follow(paths, 'one\n'.length)
    await run(journal.journaledCommand('echo three', paths))
    const expected = `two\n${sentinelOf(paths, 0)}three\n${sentinelOf(paths, 0)}`
    await until(() => follower.text.length >= expected.length)
    await follower.end()
    expect(follower.text).toBe(expected)
  })

  async function follow(paths, fromByte) {
    const job = await real.sandbox.process.spawn(journal.journalFollowCommand(paths, fromByte))
    const follower = { text: '', end }
    const reading = (async () => {
      for await (const chunk of job.stdout) follower.text += chunk
    })()
    async function end() {
      await job.kill()
      await reading
    }
    return follower
  }

  it('lists no run whose id begins with a dot: its files are hidden', async () => {
    const dir = inRoot('hidden')
    const paths = journal.journalPaths('.run', dir)
    await run(journal.journaledCommand('true', paths))
    expect((await run(journal.journalExistsCommand(paths))).exitCode).toBe(0)
    expect((await run(journal.journalListCommand(dir))).stdout).toBe('')
    const { stdout } = await run(journal.journalMtimeListCommand(dir))
    expect(journal.parseJournalMtimeListing(stdout, dir)).toEqual({ kind: 'listed', entries: [] })
  })

  it('is quiet about files and folders that are not there', async () => {
    const dir = inRoot('gone')
    const paths = journal.journalPaths('gone', dir)
    for (const command of [
      journal.journalReadCommand(paths, 0),
      journal.journalStderrReadCommand(paths),
      journal.journalExitProbeCommand(paths),
      journal.journalExistsCommand(paths),
      journal.journalCleanupCommand(paths),
      journal.journalListCommand(dir),
      journal.journalMtimeListCommand(dir),
    ]) {
      expect(await run(command)).toMatchObject({ stdout: '', stderr: '' })
    }
    const { stdout } = await run(journal.journalMtimeListCommand(dir))
    expect(journal.parseJournalMtimeListing(stdout, dir)).toEqual({ kind: 'unavailable' })
    mkdirSync(dir)
    const empty = await run(journal.journalMtimeListCommand(dir))
    expect(journal.parseJournalMtimeListing(empty.stdout, dir)).toEqual({
      kind: 'listed',
      entries: [],
    })
  })
})

it('a token is a name that the file system of this machine keeps, and ls gives back', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tokens-'))
  const real = await openReal(shellEnvironments[0])
  try {
    const characters = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), {
      minLength: 1,
      maxLength: 30,
    })
    const runId = characters.map((list) => Buffer.from(list.join('')).toString())
    const isHidden = (id) => id.startsWith('.')
    const runIds = [...new Set(fc.sample(runId, 500))].filter((id) => !isHidden(id))
    for (const id of runIds) writeFileSync(journal.journalPaths(id, dir).journal, '')
    const { stdout } = await real.sandbox.process.exec(journal.journalListCommand(dir))
    const names = stdout.split('\n').slice(0, -1)
    expect(names).toHaveLength(runIds.length)
    const decoded = names.map((name) => journal.decodeJournalRunId(name).runId)
    expect(decoded.sort()).toEqual(runIds.sort())
  } finally {
    await real.close()
    rmSync(dir, { recursive: true, force: true })
  }
})
