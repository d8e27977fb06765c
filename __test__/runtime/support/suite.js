/** What the suites over real sandboxes share: set-up, and what must hold behind each test. */

import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { leftBehind, openJournals } from './real.js'

/** Longer than {@link leftBehind} takes, which names the processes. */
const LIMIT_MS = 40_000

/**
 * Opens journals for the tests of a suite, and closes them behind the last.
 *
 * @param {import('../../workspace/support/environments.js').Environment} environment
 * @returns {Awaited<ReturnType<typeof openJournals>>} Filled before the first test.
 */
export function useJournals(environment) {
  const journals = {}
  beforeAll(async () => {
    Object.assign(journals, await openJournals(environment))
  })
  expectNothingLeftBehind(() => journals.dir)
  afterAll(() => journals.close?.())
  return journals
}

/** Behind each test of the suite no process of a folder may be left. */
export function expectNothingLeftBehind(dirOf) {
  afterEach(async () => {
    expect(await leftBehind(dirOf())).toEqual([])
  }, LIMIT_MS)
}
