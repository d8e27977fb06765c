/** The module `journal` against its oracle, on random arguments. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as journal from '../../api/journal.js'
import { dir, fileName, mtimeListing, runId, sentinelLine, text } from './support/arbitraries.js'
import * as oracle from './support/journal-oracle.js'

const RUNS = 1_000

/** Calls both, and gives how often the answer was one of each kind, so that a test can ask for all. */
function expectSame(name, args, kindOf = () => 'any') {
  const kinds = {}
  fc.assert(
    fc.property(args, (list) => {
      const [actual, expected] = [journal, oracle].map((module) => outcomeOf(module[name], list))
      expect(actual).toStrictEqual(expected)
      const kind = kindOf(expected)
      kinds[kind] = (kinds[kind] ?? 0) + 1
    }),
    { numRuns: RUNS },
  )
  return kinds
}

function outcomeOf(call, args) {
  try {
    return { value: call(...args) }
  } catch (error) {
    return { error: `${error.name}: ${error.message}` }
  }
}

const paths = fc.tuple(runId, dir).map(([id, folder]) => oracle.journalPaths(id || 'x', folder))
/** Paths that somebody made by hand. */
const oddPaths = fc.record({ dir: text, journal: text, stderr: text, nonce: text })
const anyPaths = fc.oneof(paths, oddPaths)
const position = fc.oneof(
  fc.maxSafeNat(),
  fc.double(),
  fc.constantFrom(0, -0, -1, 2 ** 53, '1', 1n),
)

it('exports the names of the contract, and no others', () => {
  expect(Object.keys(journal).sort()).toEqual(Object.keys(oracle).sort())
})

describe('native = oracle', () => {
  it('shellQuote', () => {
    expectSame('shellQuote', fc.tuple(text))
  })

  it('encodeRunId', () => {
    const kinds = expectSame('encodeRunId', fc.tuple(runId), ({ value, error }) => {
      if (error !== undefined) return 'empty'
      return /-[0-9a-f]{16}$/.test(value) ? 'cut' : 'whole'
    })
    expect(Object.keys(kinds).sort()).toEqual(['cut', 'empty', 'whole'])
  })

  it('decodeJournalRunId of any name', () => {
    const kinds = expectSame('decodeJournalRunId', fc.tuple(fileName), ({ value }) => value.kind)
    expect(Object.keys(kinds).sort()).toEqual(['malformed', 'runId', 'truncated'])
  })

  it('decodeJournalRunId of a name that encodeRunId gave', () => {
    const name = runId.filter((id) => id !== '').map((id) => `${journal.encodeRunId(id)}.ndjson`)
    const kinds = expectSame('decodeJournalRunId', fc.tuple(name), ({ value }) => value.kind)
    expect(Object.keys(kinds).sort()).toEqual(['runId', 'truncated'])
  })

  it('journalPaths', () => {
    expectSame('journalPaths', fc.tuple(runId, fc.option(dir, { nil: undefined })))
  })

  it('exitSentinelLine', () => {
    const code = fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger(), fc.constantFrom(-0, 1e21))
    expectSame('exitSentinelLine', fc.tuple(anyPaths, code))
  })

  it('parseExitSentinel', () => {
    const args = paths.chain((files) => fc.tuple(sentinelLine(files.nonce), fc.constant(files)))
    const kinds = expectSame('parseExitSentinel', args, kindOfCode)
    expect(kinds.code).toBeGreaterThan(RUNS / 50)
    expect(kinds.none).toBeGreaterThan(RUNS / 50)
  })

  it('parseExitSentinel with a nonce that is well-formed text of another kind', () => {
    const nonce = fc
      .oneof(text, fc.constantFrom('', '/', '"', 'é', '\n', 'ABC', 'z'))
      .map(wellFormed)
    const line = (value) =>
      fc.constantFrom(
        `{"__exit":1,"__nonce":${JSON.stringify(value)}}`,
        `{"__exit":1,"__nonce":${JSON.stringify(value).replaceAll('/', '\\/')}}`,
        `{"__exit":1,"__nonce":"${[...value].map(unicodeEscapes).join('')}"}`,
        '{"__exit":1}',
      )
    const args = nonce.chain((value) => fc.tuple(line(value), fc.constant({ nonce: value })))
    const kinds = expectSame('parseExitSentinel', args, kindOfCode)
    expect(Object.keys(kinds).sort()).toEqual(['code', 'none'])
  })

  it('parseJournalExit', () => {
    const args = paths.chain((files) =>
      fc.tuple(
        fc.array(sentinelLine(files.nonce), { maxLength: 5 }).map((lines) => lines.join('\n')),
        fc.constant(files),
      ),
    )
    const kinds = expectSame('parseJournalExit', args, kindOfCode)
    expect(Object.keys(kinds).sort()).toEqual(['code', 'none'])
  })

  it('journaledCommand', () => {
    expectSame('journaledCommand', fc.tuple(text, anyPaths))
  })

  it.each(['journalFollowCommand', 'journalReadCommand'])('%s', (name) => {
    const kinds = expectSame(name, fc.tuple(anyPaths, position), ({ error }) => typeof error)
    expect(Object.keys(kinds).sort()).toEqual(['string', 'undefined'])
  })

  it.each(['journalStderrReadCommand', 'journalExitProbeCommand'])('%s', (name) => {
    const count = fc.option(position, { nil: undefined })
    const kinds = expectSame(name, fc.tuple(anyPaths, count), ({ error }) => typeof error)
    expect(Object.keys(kinds).sort()).toEqual(['string', 'undefined'])
  })

  it.each(['journalExistsCommand', 'journalCleanupCommand'])('%s', (name) => {
    expectSame(name, fc.tuple(anyPaths))
  })

  it.each(['journalListCommand', 'journalMtimeListCommand'])('%s', (name) => {
    expectSame(name, fc.tuple(fc.option(dir, { nil: undefined })))
  })

  it('parseJournalMtimeListing', () => {
    const args = dir.chain((folder) =>
      fc.tuple(mtimeListing(folder.replace(/\/$/, '')), fc.constant(folder)),
    )
    const kinds = expectSame('parseJournalMtimeListing', args, ({ value }) => value.kind)
    expect(Object.keys(kinds).sort()).toEqual(['listed', 'unavailable'])
  })
})

function kindOfCode({ value }) {
  return value === null ? 'none' : 'code'
}

function wellFormed(value) {
  return Buffer.from(value).toString()
}

function unicodeEscapes(character) {
  return character.replace(/./gs, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
