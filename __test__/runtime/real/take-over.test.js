/**
 * A reader that dies in mid-run, and another process that takes over. `fixtures/take-over.js` does
 * the same as often as one likes.
 */

import { describe, expect, test } from 'vitest'
import { journalReadings } from '../support/real.js'
import { useJournals } from '../support/suite.js'
import { faultsOf, takeOver } from '../support/take-over.js'

describe.each(journalReadings)('$name', ({ environment, strategy }) => {
  const journals = useJournals(environment)

  test.each([1, 30])(
    'a reader that is killed behind line %d loses and doubles nothing',
    async (killAfter) => {
      const outcome = await takeOver(journals, { runId: `${killAfter}`, strategy, killAfter })
      expect(faultsOf(outcome)).toEqual([])
      const [first, second] = outcome.counts
      expect(first).toBeGreaterThanOrEqual(killAfter)
      // Past what was there when it started, since the agent ends only then.
      expect(second).toBeGreaterThan(3)
    },
  )
})
