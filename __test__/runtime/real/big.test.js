/** A journal of 100 MB, in a process of its own, whose memory is its alone. */

import { describe, expect, test } from 'vitest'
import { endedWell, runFixture } from '../../support/child.js'
import { journalReadings } from '../support/real.js'
import { useJournals } from '../support/suite.js'

const MB = 1_000_000
/** A follower holds what is under way; a poller has the whole frame, as text and as its pieces. */
const MOST_BYTES = { follow: 250 * MB, poll: 1000 * MB }

/** bash has the same tools as dash. */
const readings = journalReadings.filter(({ environment }) => environment.shell[0] !== 'bash')

describe.each(readings)('$name', ({ environment, strategy }) => {
  const journals = useJournals(environment)

  test('a journal of 100 MB is read to the byte, in bounded memory', async () => {
    const { sandboxOptions, dir } = journals
    const options = { sandboxOptions, dir, strategy }
    const ended = await runFixture('../runtime/fixtures/big-journal.js', {
      args: [JSON.stringify(options)],
    })
    expect(ended).toEqual(endedWell(expect.anything()))
    const { written, read, peakBytes } = ended.result
    expect(written.bytes).toBeGreaterThanOrEqual(100 * MB)
    expect(read).toEqual(written)
    expect(peakBytes).toBeLessThan(MOST_BYTES[strategy])
  })
})
