/** The table of commands of the module `journal`, row by row. */

import { describe, expect, it, test } from 'vitest'
import { journal } from './support/journal-subject.js'

const paths = journal.journalPaths("it's", '/tmp/$x y')
const J = "'/tmp/$x y/it_27s.ndjson'"
const E = "'/tmp/$x y/it_27s.err'"
const D = "'/tmp/$x y'"
const DEFAULT = "'/tmp/tanstack-runs'"

test('journaledCommand', () => {
  expect(journal.journaledCommand("agent 'a'; b", paths)).toBe(
    `mkdir -p ${D} && { ( agent 'a'; b ); printf '{"__exit":%d,"__nonce":"${paths.nonce}"}\\n' "$?"; } >> ${J} 2>> ${E}`,
  )
})

test('journalFollowCommand', () => {
  expect(journal.journalFollowCommand(paths, 0)).toBe(
    `mkdir -p ${D} 2>/dev/null; : >> ${J} 2>/dev/null; tail -c +1 -f ${J} 2>/dev/null`,
  )
  expect(journal.journalFollowCommand(paths, 41)).toContain(` -c +42 -f `)
})

test('journalReadCommand', () => {
  expect(journal.journalReadCommand(paths, 41)).toBe(`tail -c +42 ${J} 2>/dev/null | base64`)
})

test('journalExistsCommand', () => {
  expect(journal.journalExistsCommand(paths)).toBe(`test -f ${J}`)
})

test('journalStderrReadCommand', () => {
  expect(journal.journalStderrReadCommand(paths)).toBe(`tail -c -4096 ${E} 2>/dev/null | base64`)
  expect(journal.journalStderrReadCommand(paths, 7)).toBe(`tail -c -7 ${E} 2>/dev/null | base64`)
})

test('journalExitProbeCommand', () => {
  expect(journal.journalExitProbeCommand(paths)).toBe(`tail -c -4096 ${J} 2>/dev/null | base64`)
  expect(journal.journalExitProbeCommand(paths, 7)).toBe(`tail -c -7 ${J} 2>/dev/null | base64`)
})

test('journalCleanupCommand', () => {
  expect(journal.journalCleanupCommand(paths)).toBe(`rm -f ${J} ${E}`)
})

test('journalListCommand', () => {
  expect(journal.journalListCommand()).toBe(`ls -1 ${DEFAULT} 2>/dev/null`)
  expect(journal.journalListCommand('/tmp/$x y/')).toBe(`ls -1 ${D} 2>/dev/null`)
})

test('journalMtimeListCommand', () => {
  expect(journal.journalMtimeListCommand()).toBe(
    `stat -c '%Y %n' ${DEFAULT} ${DEFAULT}/* 2>/dev/null`,
  )
  expect(journal.journalMtimeListCommand('/tmp/$x y/')).toBe(
    `stat -c '%Y %n' ${D} ${D}/* 2>/dev/null`,
  )
})

describe('numbers', () => {
  it('writes the greatest position as JavaScript does', () => {
    const command = journal.journalReadCommand(paths, Number.MAX_SAFE_INTEGER)
    expect(command).toContain(' -c +9007199254740992 ')
    const count = journal.journalExitProbeCommand(paths, Number.MAX_SAFE_INTEGER)
    expect(count).toContain(' -c -9007199254740991 ')
  })

  it('takes -0 for a position: it is 0', () => {
    expect(journal.journalReadCommand(paths, -0)).toContain(' -c +1 ')
  })

  const wrong = [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, '5', null, 5n, [], {}]

  it.each([...wrong, undefined])('fromByte must be a non-negative safe integer: %s', (value) => {
    const message = `journal: fromByte must be a non-negative safe integer, got ${value}`
    expect(() => journal.journalFollowCommand(paths, value)).toThrow(new Error(message))
    expect(() => journal.journalReadCommand(paths, value)).toThrow(new Error(message))
  })

  it.each([...wrong, 0, -0])('maxBytes must be a positive safe integer: %s', (value) => {
    const message = `journal: maxBytes must be a positive safe integer, got ${value}`
    expect(() => journal.journalStderrReadCommand(paths, value)).toThrow(new Error(message))
    expect(() => journal.journalExitProbeCommand(paths, value)).toThrow(new Error(message))
  })

  it('a symbol has no text, and that is a TypeError', () => {
    expect(() => journal.journalReadCommand(paths, Symbol('x'))).toThrow(TypeError)
  })
})

it('passes half a surrogate pair through', () => {
  const odd = journal.journalPaths('r', '/\ud800')
  expect(journal.journaledCommand('echo \udc00', odd)).toContain(
    "mkdir -p '/\ud800' && { ( echo \udc00 );",
  )
  expect(journal.journalCleanupCommand(odd)).toBe("rm -f '/\ud800/r.ndjson' '/\ud800/r.err'")
})
