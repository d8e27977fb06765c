/** An app that Vite builds for a server. No setting; `ssr.external` where all else goes inside. */

import { expect, test } from 'vitest'
import { EXPECTED, useProject } from './support/project.js'

const project = useProject('vite')

test('a build for a server', async () => {
  await project.script('build')
  expect(await project.node('dist/main.js')).toEqual(EXPECTED)
})

test('a build with all other packages inside', async () => {
  await project.script('build:whole')
  expect(await project.node('dist-whole/main.js')).toEqual(EXPECTED)
})

test('the development server', async () => {
  expect(await project.node('dev.js')).toEqual(EXPECTED)
})
