/** Agents that end in the midst of a line: the shell writes the sentinel into the same line. */

import { beforeAll, describe, expect, test } from 'vitest'
import { spawnNdjson } from '../../../api/native.js'
import { journalReadings, prepareRun } from '../support/real.js'
import { useJournals } from '../support/suite.js'

describe.each(journalReadings)('$name', ({ environment, strategy }) => {
  const journals = useJournals(environment)
  let handle
  beforeAll(() => {
    handle = journals.handleFor(strategy)
  })

  const run = async (runId, agent) => {
    const { journal, hasFiles } = prepareRun(journals.dir, runId)
    const seen = []
    const onNonJsonLine = (line) => seen.push(`no event: ${line}`)
    const reading = spawnNdjson(handle, agent, { journal, onNonJsonLine })
    try {
      for await (const event of reading) seen.push(event)
    } catch (error) {
      seen.push(error.message)
    }
    expect(hasFiles()).toEqual([false, false])
    return seen
  }

  test('the last event needs no newline', async () => {
    expect(await run('no newline', `echo '{"a":1}'; printf '{"a":2}'`)).toEqual([
      { a: 1 },
      { a: 2 },
    ])
  })

  test('the run of one that is killed there ends', async () => {
    expect(await run('killed', `sh -c 'printf "1\\n{\\"a\\":"; kill -9 $$'`)).toEqual([
      1,
      'no event: {"a":',
      expect.stringMatching(/^Agent process exited with code 137/),
    ])
  })
})
