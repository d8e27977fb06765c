/**
 * Real runs of Vite and Vitest in an app.
 *
 * @module
 */

import { join } from 'node:path'
import { expect } from 'vitest'
import { execute, writeFiles } from '../../packaging/support/app.js'
import { runProgram } from './apps.js'

export const POOLS = ['threads', 'forks']

/** This suite's own Vitest tells its programs about itself. */
const ownVariables = Object.keys(process.env).filter((name) =>
  /^(VITEST.*|NODE_ENV|TEST|DEV|PROD|MODE|SSR|BASE_URL)$/.test(name),
)
const env = Object.fromEntries(ownVariables.map((name) => [name, undefined]))

/** A config of one plugin line, or with more settings behind it. */
export function config(plugin, settings = '') {
  return `import { aiSandboxNative } from 'ai-sandbox-native/vite'
    export default { plugins: [${plugin}], ${settings} }`
}

/** Builds a program for the server, and gives what it prints when Node runs it. */
export async function build(folder, source, args = []) {
  writeFiles(folder, { 'entry.js': source })
  const { code, stdout, stderr } = await vite(folder, ['build', '--ssr', 'entry.js', ...args])
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
  return runProgram(folder, `import './dist/entry.js'`)
}

/**
 * What a program prints that a development server loads for the server.
 *
 * @param {string} folder
 * @param {string} source
 * @param {{ setup?: string, options?: string, beside?: string }} [more] - Code that runs before there
 *   is a server, the server's options, and code that runs beside it before it loads anything.
 */
export function develop(folder, source, { setup = '', options = '', beside = '' } = {}) {
  writeFiles(folder, { 'entry.js': source })
  return runProgram(
    folder,
    `import { createServer } from 'vite'
    ${setup}
    const server = await createServer({
      // Nothing changes here, and a machine watches only so many files.
      server: { middlewareMode: true, ws: false, watch: null },
      appType: 'custom',
      logLevel: 'warn',
      ${options}
    })
    ${beside}
    await server.ssrLoadModule('/entry.js')
    await server.close()`,
    { env },
  )
}

/** Runs a test file of Vitest in an environment like a browser's, but in Node. */
export function runLikeBrowser(folder, source, pool) {
  writeFiles(folder, {
    'like-a-browser.js': `export default {
      name: 'like-a-browser',
      viteEnvironment: 'client',
      setup: () => ({ teardown() {} }),
    }`,
  })
  return runInVitest(folder, source, pool, ['--environment', './like-a-browser.js'])
}

/** What a program prints that is a test file of Vitest. */
export async function runInVitest(folder, source, pool, args = []) {
  const body = source.replace('console.log(', 'output(')
  writeFiles(folder, {
    'program.test.js': `import { writeFileSync } from 'node:fs'
      import { test } from 'vitest'
      const output = (text) => writeFileSync('printed.json', text)
      ${body}
      test('it ran', () => {})`,
    'printed.json': 'null',
  })
  const { code, stdout, stderr } = await vitest(folder, ['run', '--pool', pool, ...args])
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' })
  return runProgram(
    folder,
    `import { readFileSync } from 'node:fs'
    console.log(readFileSync('printed.json', 'utf8'))`,
  )
}

export function vite(folder, args, variables) {
  return runTool(folder, 'vite/bin/vite.js', args, variables)
}

export function vitest(folder, args, variables) {
  return runTool(folder, 'vitest/vitest.mjs', args, variables)
}

function runTool(folder, file, args, variables) {
  return execute(process.execPath, [join(folder, 'node_modules', file), ...args], {
    cwd: folder,
    env: { ...env, NO_COLOR: '1', ...variables },
  })
}
