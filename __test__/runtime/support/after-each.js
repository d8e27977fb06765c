/** What must hold behind each test. */

import { afterEach, expect } from 'vitest'
import { leftBehind } from './real.js'

/** Longer than {@link leftBehind} takes, which names the processes. */
const LIMIT_MS = 40_000

/** Behind each test of the suite no process of a folder may be left. */
export function expectNothingLeftBehind(dirOf) {
  afterEach(async () => {
    expect(await leftBehind(dirOf())).toEqual([])
  }, LIMIT_MS)
}
