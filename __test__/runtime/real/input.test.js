/** Agents and their input, where pipes hold only so much. */

import { describe, expect, test } from 'vitest'
import { spawnNdjson } from '../../../api/native.js'
import { rejectionOf } from '../../workspace/support/settle.js'
import { journalEnvironments } from '../support/real.js'
import { useJournals } from '../support/suite.js'

/** Much more than a pipe holds. */
const BYTES = 3_000_000
const INPUT = `${JSON.stringify({ text: 'x'.repeat(BYTES) })}\n`

describe.each(journalEnvironments)('$name', (environment) => {
  const journals = useJournals(environment)

  const eventsOf = async (command, options) => {
    const events = []
    for await (const event of spawnNdjson(journals.sandbox, command, options)) events.push(event)
    return events
  }

  describe('an agent that is a child of its reader', () => {
    test('may print more than a pipe holds before it has read its input', async () => {
      const events = await eventsOf('cat', { input: INPUT })
      expect(events.length).toBe(1)
      expect(events[0].text.length).toBe(BYTES)
    })

    test('may complain more than a pipe holds before it has read its input', async () => {
      const command = `head -c ${BYTES} /dev/zero >&2; cat >/dev/null; echo 1`
      expect(await eventsOf(command, { input: INPUT })).toEqual([1])
    })
  })

  describe.each([
    ['a child of its reader', false],
    ['journaled', true],
  ])('an agent that is %s, and ends without reading its input', (_, isJournaled) => {
    const optionsOf = (input, runId) => ({
      input,
      ...(isJournaled && { journal: { runId, dir: journals.dir } }),
    })

    // With a small input the two race: each of these once failed every other time.
    test.each([
      ['small', 'x'],
      ['big', INPUT],
    ])('is read to its end, %s input', async (size, input) => {
      for (let round = 0; round < 5; round += 1) {
        const options = optionsOf(input, `${size} ${round}`)
        expect(await eventsOf('echo 1', options)).toEqual([1])
      }
    })

    test('is known by its exit code', async () => {
      const options = optionsOf(INPUT, 'fails')
      const error = await rejectionOf(eventsOf('echo 1; echo bad key >&2; exit 4', options))
      expect(error.message).toBe('Agent process exited with code 4: bad key')
    })
  })
})
