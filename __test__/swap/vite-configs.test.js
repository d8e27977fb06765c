/** `ai-sandbox-native/vite` in configs that have more to say than its line. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeFiles } from '../packaging/support/app.js'
import { linkPackages, makeApp, runProgram } from './support/apps.js'
import { WHOSE } from './support/programs.js'
import { build, config } from './support/vite.js'

const SETUP_LIMIT_MS = 240_000

let app
beforeAll(async () => {
  app = await makeApp({ original: 'later' })
  linkPackages(['vite', 'vitest'], app.folder)
}, SETUP_LIMIT_MS)
afterAll(() => app?.remove(), SETUP_LIMIT_MS)

describe('options that are none', () => {
  test('of another type', async () => {
    const errors = await runProgram(
      app.folder,
      `import { aiSandboxNative } from 'ai-sandbox-native/vite'
      const thrownBy = (options) => {
        try { aiSandboxNative(options) } catch (error) { return [error.name, error.message] }
      }
      const modules = ['journal', null, 1, {}, new Set(['journal'])]
      console.log(JSON.stringify([
        modules.map((modules) => thrownBy({ modules })),
        [null, 'journal', ['journal']].map(thrownBy),
      ]))`,
    )
    const modules = ["'journal'", 'null', '1', '{}', "Set(1) { 'journal' }"]
    const options = ['null', "'journal'", "[ 'journal' ]"]
    expect(errors).toEqual([
      modules.map((given) => [
        'TypeError',
        expect.stringContaining(`the option modules must be a list of names, not ${given}. The `),
      ]),
      options.map((given) => [
        'TypeError',
        expect.stringContaining(`must be an object, as { modules: ['journal'] }, not ${given}`),
      ]),
    ])
  })

  test('an empty list swaps nothing', async () => {
    configure('aiSandboxNative({ modules: [] })')
    expect(await build(app.folder, WHOSE)).toMatchObject({ native: [] })
  })
})

function configure(plugins, settings) {
  writeFiles(app.folder, { 'vite.config.js': config(plugins, settings) })
}
