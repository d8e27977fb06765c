/** An app that webpack bundles. The setting: `externals`. */

import { expect, test } from 'vitest'
import { EXPECTED, useProject } from './support/project.js'

const project = useProject('webpack')

test('a bundle that leaves the package out', async () => {
  await project.script('build')
  expect(await project.node('dist/main.cjs')).toEqual(EXPECTED)
})
