/** `stats`: the counts equal naive ones, and the exit code tells whether all is well. */

import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { runFiles } from './support/runs.js'
import { hasShell, makeFolder, program, runShell, runTool } from './support/tool.js'

const NEWLINE = 0x0a
const RUNS = 40
const folder = makeFolder()
afterAll(() => folder.remove())

test('the counts equal a naive count on random files', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '{"type":"a"}\n',
      '{"type":"a","subtype":"b"}\n',
      '{"type":7}\n',
      '[]\n',
      'null\n',
    ),
    fc.constantFrom('\n', '  \r\n', '\0', '\ufeff', '\ufffd', '"é\ufffd🙂"\n', '\u2028', 'x', '{'),
    fc.constantFrom('{"type":"constructor"}\n', '{"__exit":3,"__nonce":"n"}\n', '\ufeff{"a":1}\n'),
    fc.constantFrom([0xff], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0x0a]),
  )
  const bytes = fc
    .array(piece, { maxLength: 60 })
    .map((pieces) => Buffer.concat(pieces.map((one) => Buffer.from(one))))
  const check = async (content) => {
    const { code, stdout } = await runTool(['stats', folder.write('random', content), '--json'])
    const { file: _file, seconds, mbPerSecond, ...figures } = JSON.parse(stdout)
    const expected = naiveStats(content)
    expect(figures).toEqual(expected)
    expect(seconds).toBeGreaterThan(0)
    expect(mbPerSecond).toBeGreaterThanOrEqual(0)
    expect(code).toBe(expected.notJson.lines + expected.notUtf8.lines > 0 ? 1 : 0)
  }
  await fc.assert(fc.asyncProperty(bytes, check), { numRuns: RUNS })
})

describe('the exit', () => {
  const own = runFiles('own')
  const other = runFiles('other').sentinel(7)

  test.each([
    ['none', '{"type":"a"}\n', 'no sentinel: the run goes on, or was killed'],
    ['of the run that the file is named for', own.sentinel(3), 'code 3 of the run own, at byte 0'],
    ['of another run', other, 'code 7, at byte 0'],
    [
      'of both: the own one counts',
      own.sentinel(0) + other,
      'code 0 of the run own, at byte 0; 2 sentinels in all',
    ],
  ])('%s', async (_which, content, expected) => {
    const { stdout } = await runTool(['stats', folder.write(own.name, content)])
    expect(stdout).toMatch(new RegExp(`^exit +${expected}$`, 'm'))
  })
})

test('the table is plain and aligned', async () => {
  const content = `{"type":"assistant"}\n{"type":"assistant"}\n{"type":"a\\u001bb","text":"${'x'.repeat(2000)}"}\n{"type":`
  const path = folder.write('table', content)
  const { code, stdout, stderr } = await runTool(['stats', path])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.replace(/^read in .*\n/m, '')).toBe(`file          ${path}
size          2,080 bytes (2.1 kB)
lines         3
blank lines   0
longest line  2,029 bytes (2.0 kB), at byte 42
not JSON      0
not UTF-8     0
unterminated  8 bytes
exit          no sentinel: the run goes on, or was killed

type       lines     %
---------  -----  ----
assistant      2  66.7
a\\u001bb       1  33.3
`)
  expect(stdout).toMatch(/^read in {7}[\d.]+ s \([\d.]+ MB\/s\)$/m)
})

test('lines that are not JSON or not UTF-8 end it with 1, and the first of each is named', async () => {
  const content = Buffer.concat([Buffer.from('{}\nnot json\n"'), Buffer.from([0xff, 0x22, 0x0a])])
  const { code, stdout } = await runTool(['stats', folder.write('ill', content)])
  expect(code).toBe(1)
  expect(stdout).toContain('not JSON      1, the first at byte 3\n')
  expect(stdout).toContain('not UTF-8     1, the first at byte 12\n')
})

test('--json escapes all that could steer a terminal, and stays the same JSON', async () => {
  const type = 'a\x1b\x7f\x9b31m\u202e\u2028\n'
  const { stdout } = await runTool([
    'stats',
    folder.write('steer', `${JSON.stringify({ type })}\n`),
    '--json',
  ])
  expect(JSON.parse(stdout).types).toEqual([{ type, lines: 1 }])
  expect(stdout).toMatch(/^[\n -~]*$/)
})

test('an empty file has no lines and is no problem', async () => {
  const { code, stdout } = await runTool(['stats', folder.write('empty', '')])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^lines {9}0$/m)
})

test('thousands of types are counted in bounded memory, and a few are shown', async () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `{"type":"t${index}"}\n`)
  const path = folder.write('types', lines.join(''))
  const { types } = JSON.parse((await runTool(['stats', path, '--json'])).stdout)
  expect(types).toHaveLength(1001)
  expect(types[0]).toEqual({ type: '(other types)', lines: 2000 })
  expect((await runTool(['stats', path])).stdout).toContain('and 971 more (--json has all)\n')
})

test.runIf(hasShell)(
  '200 MB are counted with flat memory',
  async () => {
    const line = `{"type":"assistant","text":"${'word '.repeat(40)}"}`
    const script = `yes '${line}' | head -c 200000000 > big
    $NODE --max-old-space-size=64 "$PROGRAM" stats big --json; rm big`
    const { code, stdout, stderr } = await runShell(script, {
      cwd: folder.path,
      env: { PROGRAM: program },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { bytes, lines, restBytes } = JSON.parse(stdout)
    expect(bytes).toBe(200_000_000)
    expect(lines).toBe(Math.floor(200_000_000 / (line.length + 1)))
    expect(restBytes).toBe(200_000_000 % (line.length + 1))
  },
  120_000,
)

test.each([
  ['a file that is not there', '/no/such/file', 'ai-sandbox-native: /no/such/file: no such file\n'],
  ['a folder', '/', /^ai-sandbox-native: [^\n]*folder[^\n]*\n$/],
])('%s is an error of one line', async (_what, path, message) => {
  const { code, stdout, stderr } = await runTool(['stats', path])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(message)
})

test.runIf(hasShell)('a FIFO is refused, not waited for', async () => {
  const { stdout, stderr } = await runShell('mkfifo fifo; $TOOL stats fifo; echo $?', {
    cwd: folder.path,
  })
  expect(stdout).toBe('1\n')
  expect(stderr).toMatch(/^ai-sandbox-native: [^\n]*fifo[^\n]*\n$/)
})

function naiveStats(content) {
  const figures = {
    bytes: content.length,
    lines: 0,
    blankLines: 0,
    longestLine: { bytes: 0, position: 0 },
    notJson: { lines: 0 },
    notUtf8: { lines: 0 },
    exit: { sentinels: 0 },
    types: [],
  }
  const counts = new Map()
  let from = 0
  for (let end = content.indexOf(NEWLINE); end !== -1; end = content.indexOf(NEWLINE, from)) {
    const bytes = content.subarray(from, end)
    figures.lines += 1
    if (bytes.length > figures.longestLine.bytes)
      figures.longestLine = { bytes: bytes.length, position: from }
    if (!isUtf8(bytes)) count(figures.notUtf8, from)
    const text = new TextDecoder().decode(bytes)
    if (text.trim() === '') figures.blankLines += 1
    else addEvent(text, from)
    from = end + 1
  }
  figures.types = [...counts]
    .map(([type, lines]) => ({ type, lines }))
    .sort((a, b) => b.lines - a.lines)
  return { ...figures, restBytes: content.length - from }

  function addEvent(text, position) {
    let value
    try {
      value = JSON.parse(text)
    } catch {
      return count(figures.notJson, position)
    }
    const type = naiveType(value)
    if (type === '(exit sentinel)') {
      figures.exit = { sentinels: figures.exit.sentinels + 1, code: value.__exit, position }
    }
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
}

function naiveType(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return '(no object)'
  if (value.__nonce !== undefined) return '(exit sentinel)'
  if (typeof value.type !== 'string') return '(no type)'
  return value.subtype === undefined ? value.type : `${value.type}/${value.subtype}`
}

function count(counter, position) {
  counter.lines += 1
  counter.firstPosition ??= position
}
