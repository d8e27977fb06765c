/** The contract of the module `journal`, sentence by sentence. Commands are run in `journal-shell.test.js`. */

import { createHash } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import { isNative, journal } from './support/journal-subject.js'

const {
  decodeJournalRunId,
  encodeRunId,
  exitSentinelLine,
  journalPaths,
  parseExitSentinel,
  parseJournalExit,
  parseJournalMtimeListing,
  shellQuote,
} = journal

const sha256 = (text) => createHash('sha256').update(text).digest('hex')
const runId = (id) => ({ kind: 'runId', runId: id })
const TRUNCATED = { kind: 'truncated' }
const MALFORMED = { kind: 'malformed' }

test('DEFAULT_JOURNAL_DIR', () => {
  expect(journal.DEFAULT_JOURNAL_DIR).toBe('/tmp/tanstack-runs')
})

test('EXIT_SENTINEL_KEY, EXIT_SENTINEL_NONCE_KEY', () => {
  expect(journal.EXIT_SENTINEL_KEY).toBe('__exit')
  expect(journal.EXIT_SENTINEL_NONCE_KEY).toBe('__nonce')
})

test.each([
  ['', "''"],
  ['a b', "'a b'"],
  ["it's", "'it'\\''s'"],
  ["''", "''\\'''\\'''"],
  ['$HOME `id` \\ " \n', "'$HOME `id` \\ \" \n'"],
  ['\ud83d', "'\ud83d'"],
])('shellQuote of %j', (text, quoted) => {
  expect(shellQuote(text)).toBe(quoted)
})

describe('encodeRunId', () => {
  it('refuses an empty run id', () => {
    expect(() => encodeRunId('')).toThrow(new Error('journal: runId must not be empty'))
    expect(() => journalPaths('')).toThrow(new Error('journal: runId must not be empty'))
  })

  it('leaves letters, digits, dots and dashes', () => {
    const plain = 'ABCXYZabcxyz0123456789.-'
    expect(encodeRunId(plain)).toBe(plain)
    expect(encodeRunId('..')).toBe('..')
  })

  it.each([
    ['_', '_5f'],
    ['a_b', 'a_5fb'],
    ['../x', '.._2fx'],
    ['\0 \x7f', '_00_20_7f'],
    ['é', '_c3_a9'],
    ['€', '_e2_82_ac'],
    ['😀', '_f0_9f_98_80'],
    ['\ud83d', '_ef_bf_bd'],
    ['\ude00\ud83d', '_ef_bf_bd_ef_bf_bd'],
    ['Å', '_c3_85'],
  ])('escapes each byte of another character: %j', (id, token) => {
    expect(encodeRunId(id)).toBe(token)
  })

  it.each([
    ...['CON', 'PRN', 'AUX', 'NUL', 'con', 'nUl'],
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((number) => [`COM${number}`, `lpt${number}`]),
  ])('escapes a name that Windows reserves whole: %s', (id) => {
    expect(encodeRunId(id)).toBe(Buffer.from(id).toString('hex').replace(/../g, '_$&'))
    expect(decodeJournalRunId(`${encodeRunId(id)}.err`)).toEqual(runId(id))
  })

  it.each(['COM0', 'COM10', 'COM', 'LPT0', 'CONIN', 'XCON', 'CON.', 'NUL.txt'])(
    'leaves what only resembles one: %s',
    (id) => {
      expect(encodeRunId(id)).toBe(id)
    },
  )

  it('cuts a token above 200 characters, and puts a hash behind it', () => {
    expect(encodeRunId('a'.repeat(200))).toBe('a'.repeat(200))
    const long = 'a'.repeat(201)
    expect(encodeRunId(long)).toBe(`${'a'.repeat(183)}-${sha256(long).slice(0, 16)}`)
    const escaped = `${'é'.repeat(40)}\ud800`
    const kept = '_c3_a9'.repeat(31).slice(0, 183)
    expect(encodeRunId(escaped)).toBe(`${kept}-${sha256(escaped).slice(0, 16)}`)
    expect(encodeRunId(escaped)).toHaveLength(200)
  })
})

describe('decodeJournalRunId', () => {
  it('inverts encodeRunId for both files of a run', () => {
    for (const id of ['a', 'a_b', '😀/é', '\ufeffx', '.ndjson', 'CON', '-', 'a\nb', '\0']) {
      expect(decodeJournalRunId(`${encodeRunId(id)}.ndjson`)).toStrictEqual(runId(id))
      expect(decodeJournalRunId(`${encodeRunId(id)}.err`)).toStrictEqual(runId(id))
    }
  })

  it.each(['a', 'a.txt', 'a.ndjson ', 'a.ndjson\n', 'a.NDJSON', 'a.err.', '', 'ndjson', 'a.ndjso'])(
    'wants the extension .ndjson or .err: %j',
    (name) => {
      expect(decodeJournalRunId(name)).toStrictEqual(MALFORMED)
    },
  )

  it('wants a token before it', () => {
    expect(decodeJournalRunId('.ndjson')).toStrictEqual(MALFORMED)
    expect(decodeJournalRunId('.err')).toStrictEqual(MALFORMED)
  })

  it('takes one extension off', () => {
    expect(decodeJournalRunId('a.ndjson.err')).toStrictEqual(runId('a.ndjson'))
    expect(decodeJournalRunId('.err.ndjson')).toStrictEqual(runId('.err'))
  })

  it('tells a token that was, or may have been, cut', () => {
    const hash = '0123456789abcdef'
    for (const token of [
      encodeRunId('x'.repeat(300)),
      `${'a'.repeat(183)}-${hash}`,
      `${'a'.repeat(184)}${hash}0`,
      'a'.repeat(201),
    ]) {
      expect(decodeJournalRunId(`${token}.ndjson`)).toStrictEqual(TRUNCATED)
      expect(decodeJournalRunId(`${token}.err`)).toStrictEqual(TRUNCATED)
    }
    for (const token of [
      'a'.repeat(200),
      `${'a'.repeat(182)}-${hash}`,
      `${'a'.repeat(183)}-${hash.toUpperCase()}`,
      `${'a'.repeat(183)}.${hash}`,
      `-${hash}${'a'.repeat(183)}`,
    ]) {
      expect(decodeJournalRunId(`${token}.ndjson`)).toStrictEqual(runId(token))
    }
  })

  it('asks for that before anything else', () => {
    const hash = '0123456789abcdef'
    for (const token of [
      `${'é'.repeat(201)}`,
      `${'/'.repeat(183)}-${hash}`,
      `_zz${'a'.repeat(198)}`,
    ]) {
      expect(decodeJournalRunId(`${token}.err`)).toStrictEqual(TRUNCATED)
    }
    // Lengths are those of JavaScript: 201 bytes here, and 200 units.
    expect(decodeJournalRunId(`${'a'.repeat(199)}é.err`)).toStrictEqual(MALFORMED)
    expect(decodeJournalRunId(`${'a'.repeat(199)}😀.err`)).toStrictEqual(TRUNCATED)
  })

  it('reads hex digits of either case', () => {
    expect(decodeJournalRunId('_c3_A9_5F.err')).toStrictEqual(runId('é_'))
  })

  it.each(['a b', 'a/b', 'é', '\ud83d', 'a\n', 'a~', '\ufffd'])(
    'refuses what is outside the alphabet: %j',
    (token) => {
      expect(decodeJournalRunId(`${token}.ndjson`)).toStrictEqual(MALFORMED)
    },
  )

  it.each(['_', '_4', 'a_', '_4g', '_g4', '__41', '_+1', '_ 1', '_0x', 'a_5fb_'])(
    'refuses a broken escape: %j',
    (token) => {
      expect(decodeJournalRunId(`${token}.ndjson`)).toStrictEqual(MALFORMED)
    },
  )

  it.each(['_ff', '_c3', '_c3a', '_a9_c3', '_c0_80', '_ed_a0_80', '_f4_90_80_80', '_e2_82'])(
    "refuses bytes that aren't UTF-8: %j",
    (token) => {
      expect(decodeJournalRunId(`${token}.ndjson`)).toStrictEqual(MALFORMED)
    },
  )
})

describe('journalPaths', () => {
  it('gives dir, journal, stderr and nonce', () => {
    expect(journalPaths('run/1', '/x y')).toStrictEqual({
      dir: '/x y',
      journal: '/x y/run_2f1.ndjson',
      stderr: '/x y/run_2f1.err',
      nonce: sha256('tanstack-ai-sandbox/journal-exit-sentinel/v1:run/1').slice(0, 32),
    })
  })

  it('takes the default folder where none is given', () => {
    const expected = journalPaths('r', '/tmp/tanstack-runs')
    expect(journalPaths('r')).toStrictEqual(expected)
    expect(journalPaths('r', undefined)).toStrictEqual(expected)
  })

  it.each([
    ['/x/', '/x'],
    ['/x//', '/x/'],
    ['/', ''],
    ['', ''],
    ['relative', 'relative'],
    ['\ud800/', '\ud800'],
  ])('drops one slash at the end of the folder: %j', (dir, kept) => {
    const paths = journalPaths('r', dir)
    expect(paths.dir).toBe(kept)
    expect(paths.journal).toBe(`${kept}/r.ndjson`)
    expect(paths.stderr).toBe(`${kept}/r.err`)
  })

  it('hashes the whole run id, also where the token is cut', () => {
    const [one, other] = ['x'.repeat(999), `${'x'.repeat(998)}y`].map((id) => journalPaths(id))
    expect(one.nonce).not.toBe(other.nonce)
    expect(one.journal).not.toBe(other.journal)
  })
})

describe('the exit sentinel', () => {
  const paths = journalPaths('run-1')
  const { nonce } = paths
  const line = (code) => `{"__exit":${code},"__nonce":"${nonce}"}`

  test('exitSentinelLine', () => {
    expect(exitSentinelLine(paths, 0)).toBe(line('0'))
    expect(exitSentinelLine(paths, -1)).toBe(line('-1'))
    expect(exitSentinelLine(paths, 137)).toBe(line('137'))
  })

  it('is found in the line that was made for it', () => {
    expect(parseExitSentinel(exitSentinelLine(paths, 7), paths)).toBe(7)
  })

  it.each([
    ['white space around it', ` \ufeff\u00a0\t${line(5)}\r\n`],
    ['white space inside', `{ "__exit" : 5 ,\t"__nonce" :\r"${nonce}" }`],
    ['the other order', `{"__nonce":"${nonce}","__exit":5}`],
    ['more keys', `{"a":{"__exit":1},"__exit":5,"b":[],"__nonce":"${nonce}"}`],
    ['keys twice, the last counts', `{"__nonce":0,"__exit":1,"__exit":5,"__nonce":"${nonce}"}`],
    ['an integer written as a fraction', line('5.0')],
    ['an exponent', line('50e-1')],
    ['an escaped key', `{"__\\u0065xit":5,"\\u005F_nonce":"${nonce}"}`],
    ['an escaped nonce', `{"__exit":5,"__nonce":"${nonce.replace(/^./, (c) => `\\u003${c}`)}"}`],
    ['half a pair elsewhere', `{"__exit":5,"__nonce":"${nonce}","\\ud800":"\\udc00","x":"\ud800"}`],
    ['numbers beyond doubles', `{"__exit":5,"__nonce":"${nonce}","x":[1e999,-1e999]}`],
    ['depth 300', `{"x":${'['.repeat(300)}${']'.repeat(300)},"__exit":5,"__nonce":"${nonce}"}`],
  ])('may have %s', (_name, text) => {
    // The nonce of this run begins with a digit, as the escape above wants it.
    expect(nonce).toMatch(/^[0-9]/)
    expect(parseExitSentinel(text, paths)).toBe(5)
  })

  it('keeps the number: -0, and what is greater than a safe integer', () => {
    expect(parseExitSentinel(line('-0'), paths)).toBe(-0)
    expect(parseExitSentinel(line('9007199254740993'), paths)).toBe(2 ** 53)
    expect(parseExitSentinel(line('1e300'), paths)).toBe(1e300)
  })

  it.each([
    ['nothing', ''],
    ['no JSON', 'agent says hello'],
    ['cut off', line(0).slice(0, -1)],
    ['more behind it', `${line(0)}x`],
    ['two in a line', `${line(0)} ${line(0)}`],
    ['in an array', `[${line(0)}]`],
    ['in another object', `{"result":${line(0)}}`],
    ['as a string', JSON.stringify(line(0))],
    ['null', 'null'],
    ['the nonce alone', `"${nonce}"`],
    ['no exit code', `{"__nonce":"${nonce}"}`],
    ['no nonce', '{"__exit":0}'],
    ['a nonce below', `{"__exit":0,"x":{"__nonce":"${nonce}"}}`],
    ['a later nonce', `{"__exit":0,"__nonce":"${nonce}","__nonce":"x"}`],
    ['a later exit code', `{"__exit":0,"__nonce":"${nonce}","__exit":"x"}`],
    ['a fraction', line('0.5')],
    ['a string', line('"0"')],
    ['true', line('true')],
    ['infinite', line('1e400')],
    ['a nonce in capitals', line(0).replace(nonce, nonce.toUpperCase())],
    ['a longer nonce', line(0).replace(nonce, `${nonce}0`)],
    ['U+0085 before it', `\u0085${line(0)}`],
  ])('is not: %s', (_name, text) => {
    expect(parseExitSentinel(text, paths)).toBe(null)
  })

  it("is not a look-alike of an agent, which doesn't know the nonce", () => {
    const other = exitSentinelLine(journalPaths('run-2'), 0)
    expect(parseExitSentinel(other, paths)).toBe(null)
    expect(parseExitSentinel('{"__exit":0,"__nonce":""}', paths)).toBe(null)
  })

  test('parseJournalExit: the last one of a text', () => {
    const other = exitSentinelLine(journalPaths('run-2'), 9)
    expect(parseJournalExit(`{}\n${line(1)}\n${line(2)}\r\n\n${other}\nx`, paths)).toBe(2)
    expect(parseJournalExit(line(3), paths)).toBe(3)
    expect(parseJournalExit(`ut off"}\n${line(4)}\n${line('null')}`, paths)).toBe(4)
    expect(parseJournalExit(`${line(5)}\u2028${line(6)}`, paths)).toBe(null)
    expect(parseJournalExit(`\n${other}\n`, paths)).toBe(null)
    expect(parseJournalExit('', paths)).toBe(null)
  })
})

describe('parseJournalMtimeListing', () => {
  const dir = '/tmp/runs'

  it('lists the names directly inside, with milliseconds', () => {
    const text = `1700000000 ${dir}\n1700000001 ${dir}/a.ndjson\n0 ${dir}/b c.err\n`
    const expected = {
      kind: 'listed',
      entries: [
        { name: 'a.ndjson', mtimeMs: 1_700_000_001_000 },
        { name: 'b c.err', mtimeMs: 0 },
      ],
    }
    expect(parseJournalMtimeListing(text, dir)).toStrictEqual(expected)
    expect(parseJournalMtimeListing(text, `${dir}/`)).toStrictEqual(expected)
  })

  it('takes the default folder where none is given', () => {
    expect(parseJournalMtimeListing('1 /tmp/tanstack-runs\n2 /tmp/tanstack-runs/x')).toStrictEqual({
      kind: 'listed',
      entries: [{ name: 'x', mtimeMs: 2000 }],
    })
  })

  it.each(['', '1 /tmp/runs/a\n', '1 /tmp\n1 /tmp/runs/a\n', '1 /tmp/runs/\n', 'x /tmp/runs\n'])(
    'is unavailable without the line of the folder: %j',
    (text) => {
      expect(parseJournalMtimeListing(text, dir)).toStrictEqual({ kind: 'unavailable' })
    },
  )

  it('is an empty list where the folder is empty', () => {
    const listed = { kind: 'listed', entries: [] }
    expect(parseJournalMtimeListing('1 /tmp/runs\n', dir)).toStrictEqual(listed)
  })

  it.each([
    '2 /tmp/runs/a/b',
    '2 /tmp/runs/',
    '2 /tmp/runs2',
    '2 /tmp/other/a',
    '2  /tmp/runs/a',
    ' 2 /tmp/runs/a',
    '2\t/tmp/runs/a',
    '-2 /tmp/runs/a',
    '2.5 /tmp/runs/a',
    '/tmp/runs/a',
    '2',
    'second half of a name',
  ])('drops another line: %j', (line) => {
    const listed = { kind: 'listed', entries: [] }
    expect(parseJournalMtimeListing(`${line}\n1 /tmp/runs\n${line}`, dir)).toStrictEqual(listed)
  })

  it('ends a line at \\n and at nothing else', () => {
    const { entries } = parseJournalMtimeListing(`1 ${dir}\n2 ${dir}/a\r\n3 ${dir}/\u2028b`, dir)
    expect(entries.map(({ name }) => name)).toEqual(['a\r', '\u2028b'])
  })
})

describe.runIf(isNative)('an argument that is no string', () => {
  const paths = journalPaths('r')

  it.each([
    ['encodeRunId', [5], 'runId must be a string, and this is the number 5'],
    ['decodeJournalRunId', [undefined], 'fileName must be a string, and this is undefined'],
    ['journalPaths', ['r', null], 'dir must be a string, and this is null'],
    ['shellQuote', [{}], 'the text to quote must be a string, and this is an object of Object'],
    [
      'parseExitSentinel',
      [Buffer.from('x'), paths],
      'line must be a string, and this is an object of Buffer',
    ],
    [
      'journaledCommand',
      [['a'], paths],
      'command must be a string, and this is an object of Array',
    ],
    ['journalExistsCommand', [{}], 'paths.journal must be a string, and this is undefined'],
    [
      'journalCleanupCommand',
      [{ journal: 'x' }],
      'paths.stderr must be a string, and this is undefined',
    ],
  ])('%s throws a TypeError that says what came', (name, args, message) => {
    expect(() => journal[name](...args)).toThrow(new TypeError(`journal: ${message}`))
  })
})
