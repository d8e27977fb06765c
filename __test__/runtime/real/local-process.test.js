/** On the original's own provider for this machine. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { localProcessSandbox } from '@tanstack/ai-sandbox-local-process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { journalReadStrategy, spawnNdjson } from '../../../api/native.js'
import { rejectionOf } from '../../workspace/support/settle.js'
import { eventsUpTo } from '../support/agent-events.js'
import { prepareRun } from '../support/real.js'
import { expectNothingLeftBehind } from '../support/suite.js'

describe('@tanstack/ai-sandbox-local-process', () => {
  let dir
  let handle
  beforeAll(async () => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), 'journals-')))
    handle = await localProcessSandbox({ dir: join(dir, 'root') }).create({})
  })
  expectNothingLeftBehind(() => dir)
  afterAll(async () => {
    await handle?.destroy()
    rmSync(dir, { recursive: true, force: true })
  })

  test.each([
    ['with', `echo '{"a":1}'`],
    ['without', `printf '{"a":1}'`],
  ])(
    'a reader that is slower than its agent comes to the end, %s a last newline',
    async (_, command) => {
      const events = []
      for await (const event of spawnNdjson(handle, command)) {
        events.push(event)
        // Its handle tells the exit code only to those who asked before.
        await sleep(300)
      }
      expect(events).toEqual([{ a: 1 }])
    },
  )

  test('says nothing of kills, so it is polled', () => {
    expect(journalReadStrategy(handle)).toBe('poll')
  })

  test('a run with a journal', async () => {
    const run = prepareRun(dir, 'run', { exitCode: 3, stderr: 'no key' })
    const events = []
    const read = async () => {
      for await (const event of spawnNdjson(handle, run.command, { journal: run.journal })) {
        events.push(event)
        if (events.length === 10) run.stop()
      }
    }
    const { message } = await rejectionOf(read())
    expect(message).toBe('Agent process exited with code 3: no key')
    expect(events.length).toBeGreaterThan(10)
    expect(events).toEqual(eventsUpTo(events.length))
    expect(run.hasFiles()).toEqual([false, false])
  })
})
