/** Help, version, and what is wrong usage. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { hasShell, runShell, runTool } from './support/tool.js'

const { version } = createRequire(import.meta.url)('../../package.json')

test('--version prints the version of the package', async () => {
  expect(await runTool(['--version'])).toMatchObject({
    code: 0,
    stdout: `${version}\n`,
    stderr: '',
  })
})

test('--help names the commands and the exit codes', async () => {
  const { code, stdout, stderr } = await runTool(['--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  for (const part of [
    'tail [options]',
    'stats [options]',
    'bench [options]',
    'Exit codes:',
    '130',
  ]) {
    expect(stdout).toContain(part)
  }
})

describe.each([
  ['tail', ['--dir', '--from', '--follow', '--json', '--positions']],
  ['stats', ['--json']],
  ['bench', ['--html']],
])('the help of %s', (command, options) => {
  test.each([[[command, '--help']], [['help', command]]])(
    'has its options, examples and exit codes: %j',
    async (args) => {
      const { code, stdout, stderr } = await runTool(args)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      for (const part of [
        ...options,
        'Examples:',
        `ai-sandbox-native ${command} `,
        'Exit codes:',
      ]) {
        expect(stdout).toContain(part)
      }
      expect(stdout).not.toMatch(/.{101}/)
    },
  )
})

test.each([
  ['no command', [], 'Usage:'],
  ['an unknown command', ['tale'], "unknown command 'tale'"],
  ['an unknown option', ['stats', 'x', '--jsno'], "unknown option '--jsno'"],
  ['no argument', ['tail'], "missing required argument 'FILE|RUN_ID'"],
  ['one argument too many', ['stats', 'a', 'b'], 'too many arguments'],
  ['a position that is no number', ['tail', 'x', '--from', '1e3'], 'count of bytes'],
  ['a negative position', ['tail', 'x', '--from=-1'], 'count of bytes'],
  ['a position past 2^53', ['tail', 'x', '--from', '9007199254740993'], 'count of bytes'],
  ['an empty run id', ['tail', ''], 'is empty'],
])('%s is wrong usage, told on stderr', async (_what, args, message) => {
  const { code, stdout, stderr } = await runTool(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('    at ')
})

test.each([
  ['command', ['\x1b[31m']],
  ['option', ['stats', '--\x1b[31m']],
  ['position', ['tail', 'x', '--from', '\x1b[31m']],
])('a wrong %s is told with its control characters escaped', async (_what, args) => {
  const { code, stderr } = await runTool(args)
  expect(code).toBe(2)
  expect(stderr).toContain('\\u001b[31m')
  expect(stderr).not.toContain('\x1b')
})

test('help comes without the native library', async () => {
  const env = { AI_SANDBOX_NATIVE_LIBRARY: '/nowhere/at-all.node' }
  expect(await runTool(['tail', '--help'], { env })).toMatchObject({ code: 0, stderr: '' })
})

test('a native library that does not load is an error that says what to do', async () => {
  const env = { AI_SANDBOX_NATIVE_LIBRARY: '/nowhere/at-all.node' }
  const { code, stdout, stderr } = await runTool(['stats', import.meta.filename], { env })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^ai-sandbox-native: cannot load the native library/)
  expect(stderr).toContain('/nowhere/at-all.node')
  expect(stderr).not.toContain('    at ')
})

test.runIf(hasShell)('the package itself loads nothing of what the tool needs', async () => {
  const loadedBy = async (path) => {
    const url = new URL(path, import.meta.url)
    const script = `await import('${url}')
      const { cache } = (await import('node:module')).createRequire('${url}')
      console.log(Object.keys(cache).join('\\n'))`
    return (await runShell(`$NODE --input-type=module -e "$SCRIPT"`, { env: { SCRIPT: script } }))
      .stdout
  }
  const ofTool = await loadedBy('../../js/cli/program.js')
  for (const name of ['commander', 'picocolors']) expect(ofTool).toContain(`/${name}/`)
  expect(await loadedBy('../../api/native.js')).not.toMatch(/commander|picocolors|cli/)
})

test('what the package depends on beside the original depends on nothing', () => {
  const root = new URL('../../', import.meta.url)
  const read = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'))
  const names = Object.keys(read('package.json').dependencies)
  const own = names.filter((name) => name !== 'tanstack-ai-sandbox')
  expect(own).toEqual(['commander', 'es-module-lexer', 'picocolors'])
  for (const name of own) {
    expect(read(`node_modules/${name}/package.json`).dependencies ?? {}).toEqual({})
  }
})
