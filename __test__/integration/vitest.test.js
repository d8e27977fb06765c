/** An app that Vitest tests. No setting. */

import { expect, test } from 'vitest'
import { npmCommand } from '../../scripts/lib/run.js'
import { useProject } from './support/project.js'

const project = useProject('vitest')

test.each(['threads', 'forks', 'vm'])('both files of tests pass, pool %s', async (pool) => {
  const { code, stdout, stderr } = await project.run(
    ...npmCommand(['run', '--silent', `test:${pool}`]),
  )
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^ +Tests +2 passed \(2\)$/m)
  expect(code).toBe(0)
})
