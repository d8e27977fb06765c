/** The example sandbox started where there is no shell around: by a service, say, or in a container. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLocalSandbox } from '../../../examples/local-sandbox/index.js'
import { shellEnvironments } from '../support/environments.js'

let home
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-'))
  writeFileSync(join(home, '.bashrc'), 'echo from .bashrc\n')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

describe.each(shellEnvironments)('$name', ({ shell }) => {
  it.each([['0'], [''], [undefined]])('a job reads no .bashrc where SHLVL is %j', async (level) => {
    vi.stubEnv('SHLVL', level)
    const sandbox = await createLocalSandbox({ shell, env: { HOME: home } })
    try {
      const { stdout } = await sandbox.process.spawn('echo from the job')
      let output = ''
      for await (const chunk of stdout) output += chunk
      expect(output).toBe('from the job\n')
    } finally {
      await sandbox.destroy()
    }
  })
})
