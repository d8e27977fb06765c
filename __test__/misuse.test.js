import { describe, expect, it } from 'vitest'
import { endedWell, runFixture } from './support/child.js'

describe('wrong arguments (case 22)', () => {
  it('give errors or sound answers, and the process lives on', async () => {
    const outcome = await runFixture('misuse.js', { flags: ['--expose-gc'] })
    expect(outcome).toEqual(endedWell(expect.any(Array)))
    expect(outcome.result.length).toBeGreaterThan(10)
  })
})
