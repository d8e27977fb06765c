/** Agents that are killed before they could say that they have ended. */

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  awaitAttachableJournal,
  readJournalNdjson,
  spawnNdjson,
  startJournaledAgent,
} from '../../../api/native.js'
import { rejectionOf } from '../../workspace/support/settle.js'
import { eventsUpTo } from '../support/agent-events.js'
import { journalReadings, prepareRun } from '../support/real.js'
import { useJournals } from '../support/suite.js'

const EVENTS = 5
/** More than busybox's tail sleeps between two looks. */
const NO_END_WITHIN_MS = 1500

describe.each(journalReadings)('$name', ({ environment, strategy }) => {
  const journals = useJournals(environment)
  let handle
  beforeAll(() => {
    handle = journals.handleFor(strategy)
  })

  /** Starts an agent, and gives what kills its group. */
  const startAgent = async (run) => {
    let agent
    const spawn = async (...args) => {
      agent = await handle.process.spawn(...args)
      return agent
    }
    const watched = { ...handle, process: { spawn } }
    await startJournaledAgent(watched, run.command, { journal: run.journal })
    return async () => {
      await agent.kill('SIGKILL')
      await agent.wait()
    }
  }

  test('its reader goes on waiting, an abort ends it quietly, and nothing is removed', async () => {
    const run = prepareRun(journals.dir, 'killed')
    const kill = await startAgent(run)
    const controller = new AbortController()
    const events = []
    let isOver = false
    const reading = (async () => {
      const options = { journal: run.journal, signal: controller.signal }
      for await (const event of readJournalNdjson(handle, options)) {
        events.push(event)
        if (events.length === EVENTS) await kill()
      }
      isOver = true
    })()
    while (events.length < EVENTS) await sleep(20)
    await sleep(NO_END_WITHIN_MS)
    expect(isOver).toBe(false)

    controller.abort()
    await reading
    expect(events.length).toBeGreaterThanOrEqual(EVENTS)
    expect(events).toEqual(eventsUpTo(events.length))
    expect(run.hasFiles()).toEqual([true, true])
    // The line that it was in the middle of is no event.
    const whole = readFileSync(run.paths.journal, 'utf8').split('\n').slice(0, -1)
    expect(events).toEqual(whole.slice(0, events.length).map((line) => JSON.parse(line)))
  })

  test('its journal can be attached to, whatever the store says', async () => {
    const run = prepareRun(journals.dir, 'killed, then attached', { least: EVENTS })
    const kill = await startAgent(run)
    const { paths, runId } = run
    const runs = {
      get() {
        throw new Error('not asked: the journal is there')
      },
    }
    await awaitAttachableJournal(handle, { paths, runId, runs })
    const journal = { ...run.journal, attach: true, runs }
    const events = []
    for await (const event of spawnNdjson(handle, 'not started', { journal })) {
      events.push(event)
      if (events.length === EVENTS) break
    }
    await kill()

    const controller = new AbortController()
    const again = []
    const options = { journal, signal: controller.signal }
    for await (const event of spawnNdjson(handle, 'not started', options)) {
      again.push(event)
      if (again.length === EVENTS) controller.abort()
    }
    expect(again).toEqual(eventsUpTo(EVENTS))
    expect(again).toEqual(events)
    expect(run.hasFiles()).toEqual([true, true])
  })

  test('killed before it has a journal, it can’t be attached to', async () => {
    const { paths, runId } = prepareRun(journals.dir, 'never started')
    const error = async (status) => {
      const runs = { get: async () => (status === undefined ? null : { status }) }
      const options = { paths, runId, runs, waitMs: 300, probeIntervalMs: 20 }
      const { reason, message } = await rejectionOf(awaitAttachableJournal(handle, options))
      expect(message).toContain(paths.journal)
      return reason
    }
    expect(await error('aborted')).toBe('terminal-run')
    expect(await error('running')).toBe('journal-timeout')
    expect(await error(undefined)).toBe('unknown-run')
  })

  test('of a journal that stays empty the first byte is waited for so long and no longer', async () => {
    const run = prepareRun(journals.dir, 'silent')
    const kill = await startAgent({ ...run, command: 'exec sleep 441' })
    const options = { journal: { ...run.journal, attachWaitMs: 1000 } }
    const error = await rejectionOf(readJournalNdjson(handle, options).next())
    expect(error).toMatchObject({ reason: 'journal-stalled', runId: run.runId })
    await kill()
    expect(run.hasFiles()).toEqual([true, true])
  })
})
