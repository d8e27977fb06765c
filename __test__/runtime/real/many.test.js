/** Many runs that one process follows at once. */

import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readJournalNdjson } from '../../../api/native.js'
import { endedWell, runFixture } from '../../support/child.js'
import { journalEnvironments, processesOf } from '../support/real.js'
import { useJournals } from '../support/suite.js'

const RUNS = 200
const EVENTS = 50
const WAIT = { timeout: 30_000, interval: 200 }

describe.each(journalEnvironments)('$name', (environment) => {
  const journals = useJournals(environment)

  test('200 runs followed at once: each event arrives, in order', async () => {
    const { sandbox, dir } = journals
    const runIds = Array.from({ length: RUNS }, (_, index) => `run ${index}`)
    const read = async (runId) => {
      const seen = []
      // The writer starts when all are there.
      const journal = { runId, dir, attachWaitMs: 50_000 }
      for await (const event of readJournalNdjson(sandbox, { journal })) seen.push(event)
      return seen
    }
    const reading = Promise.all(runIds.map(read))
    await expect
      .poll(() => processesOf(dir).filter((row) => /^\s*\d+ tail -c/.test(row)).length, WAIT)
      .toBe(RUNS)
    const options = { dir, runIds, events: EVENTS }
    const writer = runFixture('../runtime/fixtures/writer.js', { args: [JSON.stringify(options)] })
    expect(await writer).toEqual(endedWell(undefined))
    const expected = runIds.map((runId) =>
      Array.from({ length: EVENTS }, (_, seq) => ({ runId, seq })),
    )
    expect(await reading).toEqual(expected)
    expect(readdirSync(dir)).toEqual([])
  })
})
