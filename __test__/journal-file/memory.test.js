import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { endedWell, runFixture } from '../support/child.js'
import { freshPath } from './support/files.js'

async function run(...args) {
  const path = freshPath()
  const [workload, letter = ''] = args
  const outcome = await runFixture('../journal-file/fixtures/memory.js', {
    flags: ['--expose-gc'],
    args: [workload, path, letter],
  })
  rmSync(path)
  return outcome
}

describe('a kept line of 200 characters of a file holds little alive', () => {
  it.each(['x', 'é'])('of %s', async (letter) => {
    const outcome = await run('kept', letter)
    expect(outcome).toEqual(endedWell(expect.any(Number)))
    expect(outcome.result).toBeLessThan(100 * 64 * 1024)
  })
})

it('a line of a file that is too long for a string is a RangeError that names its start', async () => {
  expect(await run('tooLong')).toEqual(
    endedWell({
      lines: ['abc'],
      isRangeError: true,
      message: expect.stringMatching(/starts at byte 4\b/),
      at: 4,
      line: 'still alive',
    }),
  )
})
