/** An app that Jest tests. The setting: Node's flag for modules, as Jest's own documentation has it. */

import { expect, test } from 'vitest'
import { npmCommand } from '../../scripts/lib/run.js'
import { useProject } from './support/project.js'

const project = useProject('jest')

test('both files of tests pass', async () => {
  const { code, stderr } = await project.run(...npmCommand(['run', '--silent', 'test']))
  expect(stderr).toMatch(/^Tests: +2 passed, 2 total$/m)
  expect(code).toBe(0)
})
