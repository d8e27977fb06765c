/** `tail` without --follow: what is printed, of which file, and from where. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runFiles } from './support/runs.js'
import { hasShell, makeFolder, runShell, runTool } from './support/tool.js'

const folder = makeFolder()
afterAll(() => folder.remove())

const message = (content, role = 'assistant') =>
  JSON.stringify({ type: role, uuid: 'x', message: { role, content } })

/** The only printed line for an only line of a journal. */
async function shown(line) {
  const { code, stdout, stderr } = await runTool(['tail', folder.write('one', `${line}\n`)])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.match(/\n/g)).toHaveLength(1)
  return stdout.slice(0, -1)
}

describe('an event is one line that says what matters', () => {
  test.each([
    [message([{ type: 'text', text: 'I read\n\nthe file.' }]), 'assistant   I read the file.'],
    [message('hello', 'user'), 'user        hello'],
    [
      message([{ type: 'tool_use', name: 'Bash', input: { timeout: 1, command: 'git status' } }]),
      'assistant   Bash git status',
    ],
    [
      message([{ type: 'tool_result', content: [{ type: 'text', text: 'ok' }] }], 'user'),
      'user        result: ok',
    ],
    [
      message([{ type: 'tool_result', is_error: true, content: 'no such file' }], 'user'),
      'user        failed: no such file',
    ],
    [
      message([
        { type: 'image', source: { media_type: 'image/png', data: 'A'.repeat(8000) } },
        { type: 'text', text: 'what is this?' },
      ]),
      'assistant   image/png of 6 kB · what is this?',
    ],
    [
      '{"type":"system","subtype":"init","model":"m-1","cwd":"/w","tools":["a","b"]}',
      'system      init: m-1, /w, 2 tools',
    ],
    [
      '{"type":"result","subtype":"success","num_turns":3,"duration_ms":1500,"result":"Done."}',
      'result      success: 3 turns, 1.5 s: Done.',
    ],
    [
      '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"Hi"}}',
      'item.completed  agent_message: Hi',
    ],
    [
      '{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"Hi"}}}',
      'stream_event  Hi',
    ],
    ['{"type":"TEXT_MESSAGE_CONTENT","delta":"Hi"}', 'TEXT_MESSAGE_CONTENT  Hi'],
    ['{"type":"odd","id":"1","a":{"b":[1]}}', 'odd         {"a":{"b":[1]}}'],
    ['{"a":1}', 'event       {"a":1}'],
    ['[1,2]', 'JSON        [1,2]'],
    ['not { json', 'not JSON    not { json'],
    ['', 'blank'],
    ['{"__exit":3,"__nonce":"abc"}', 'exit        code 3'],
    [
      '{"type":"constructor","message":{"content":[null,7,{"type":"__proto__"}]}}',
      'constructor  · · __proto__',
    ],
    [
      '{"type":{"toString":1},"content":[{"type":{"toString":1}},{"type":{"toString":1},"text":"a"}]}',
      'event       · a',
    ],
    ['{"type":{"toString":1},"text":"a"}', 'event       a'],
  ])('%s', async (line, expected) => {
    expect(await shown(line)).toBe(expected)
  })

  test('a long text is cut', async () => {
    const line = await shown(message('word '.repeat(1000)))
    expect(line).toMatch(/^assistant {3}word word .*…$/)
    expect(line.length).toBeLessThanOrEqual(160)
  })

  test('a line that nests deeper than the stack is shown all the same', async () => {
    const deep = `{"type":"deep","content":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    expect(await shown(deep)).toMatch(/^deep {8}/)
  })
})

describe('control characters never arrive raw', () => {
  const raw = '\0\x07\b\x1b[31m\x7f\x9b\u202e\u2028'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const unsafe = /[\0-\t\v-\x1f\x7f-\x9f\u2028\u202e]/

  test.each([
    ['in a string of JSON', JSON.stringify({ type: raw, text: `a${raw}b` })],
    ['in what is not JSON', `a${raw}b\rc`],
  ])('%s', async (_where, line) => {
    const printed = await shown(line)
    expect(printed).not.toMatch(unsafe)
    expect(printed).toContain('\\u001b[31m')
  })
})

describe('where it starts, and where it ends', () => {
  const path = folder.write('three', '{"type":"á"}\n{"type":"b"}\n{"type":"c"}\n{"type":')

  test('a line without its newline is not printed', async () => {
    expect((await runTool(['tail', path])).stdout).toBe('á\nb\nc\n')
  })

  test('--positions prints the position behind each line, in bytes', async () => {
    const { stdout } = await runTool(['tail', path, '--positions'])
    expect(stdout).toBe('        14  á\n        27  b\n        40  c\n')
  })

  test('--from goes on from such a position', async () => {
    const { stdout } = await runTool(['tail', path, '--from', '14', '--positions'])
    expect(stdout).toBe('        27  b\n        40  c\n')
  })
})

describe.runIf(hasShell)('--json prints the bytes of the file', () => {
  const lines = [
    Buffer.from('{"type":"plain"}\n'),
    Buffer.from('\ufeff{"mark":1}\r\n'),
    Buffer.from([0x61, 0xe2, 0x82, 0x0a]),
    Buffer.from([0xf0, 0x9f, 0x98, 0x0a, 0xff, 0x0a]),
    Buffer.from('genuine \ufffd, NUL \0, CR \r, 🙂\n\n'),
  ]
  const bytes = Buffer.concat(lines)
  const path = folder.write('raw', Buffer.concat([bytes, Buffer.from('rest')]))

  test('also of lines that are ill-formed', async () => {
    const { stdout } = await runShell(`$TOOL tail ${path} --json | base64 -w 0`)
    expect(Buffer.from(stdout, 'base64').toString('latin1')).toBe(bytes.toString('latin1'))
  })

  test('from a position', async () => {
    const { stdout } = await runShell(`$TOOL tail ${path} --json --from 17 | base64 -w 0`)
    const expected = bytes.subarray(17).toString('latin1')
    expect(Buffer.from(stdout, 'base64').toString('latin1')).toBe(expected)
  })

  test('with --positions behind position and tab', async () => {
    const { stdout } = await runShell(`$TOOL tail ${path} --json --positions | base64 -w 0`)
    let from = 0
    let expected = ''
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      expected += `${end + 1}\t${bytes.subarray(from, end + 1).toString('latin1')}`
      from = end + 1
    }
    expect(Buffer.from(stdout, 'base64').toString('latin1')).toBe(expected)
  })

  test('of a line of 100 MB, and after it', async () => {
    const script = `head -c 100000000 /dev/zero | tr '\\0' x > big; printf '\\n{"a":1}\\n' >> big
      $TOOL tail big --json | cmp - big && $TOOL tail big --positions | cut -c 1-40; rm big`
    const { stdout, stderr } = await runShell(script, { cwd: folder.path })
    expect({ stdout, stderr }).toEqual({
      stdout: ` 100000001  not JSON    ${'x'.repeat(16)}\n 100000009  event       {"a":1}\n`,
      stderr: '',
    })
  })
})

describe('which file it is', () => {
  const { name, sentinel } = runFiles('run-42')
  folder.write(name, `{"type":"a"}\n${sentinel(0)}`)
  const printed = 'a\nexit        code 0\n'

  test('the journal of a run, by its id', async () => {
    const { code, stdout } = await runTool(['tail', 'run-42', '--dir', `${folder.path}/`])
    expect({ code, stdout }).toEqual({ code: 0, stdout: printed })
  })

  test('a file, by its name', async () => {
    const { stdout } = await runTool(['tail', name], { cwd: folder.path })
    expect(stdout).toBe(printed)
  })

  test('a run, where a folder has its name', async () => {
    mkdirSync(join(folder.path, 'run-42'))
    const { stdout } = await runTool(['tail', 'run-42', '--dir', '.'], { cwd: folder.path })
    expect(stdout).toBe(printed)
  })
})

describe('an error is one line with the name', () => {
  test.each([
    [
      'no file and no run',
      ['tail', 'nowhere', '--dir', '/no/dir'],
      /nowhere: .*\/no\/dir\/nowhere\.ndjson/,
    ],
    [
      'an id that no file can have',
      ['tail', `${'a/'.repeat(3000)}b`, '--dir', '/no/dir'],
      /\/no\/dir\//,
    ],
    ['a folder', ['tail', '/tmp'], /\/tmp: is a folder/],
    ['a control character in the name', ['tail', 'a\x1bb'], /a\\u001bb/],
  ])('%s', async (_what, args, message) => {
    const { code, stdout, stderr } = await runTool(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^ai-sandbox-native: [^\n]*\n$/)
    expect(stderr).toMatch(message)
  })
})

test.runIf(hasShell).each([
  ['tail', 'head -1'],
  ['tail --json', 'head -1'],
  ['tail', 'true'],
])('a reader that goes away ends %s | %s quietly', async (command, reader) => {
  const path = folder.write('many', '{"type":"a","text":"b"}\n'.repeat(200_000))
  const pipe = `$TOOL ${command} ${path} | ${reader} > /dev/null; echo "\${PIPESTATUS[@]}"`
  const { stdout, stderr } = await runShell(pipe)
  expect({ stdout, stderr }).toEqual({ stdout: '0 0\n', stderr: '' })
})
