/** An app that Rolldown bundles. The setting: `external`. */

import { expect, test } from 'vitest'
import { EXPECTED, useProject } from './support/project.js'

const project = useProject('rolldown')

test('a bundle that leaves the package out', async () => {
  await project.script('build')
  expect(await project.node('dist/main.js')).toEqual(EXPECTED)
})
