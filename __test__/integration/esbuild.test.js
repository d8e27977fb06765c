/** An app that esbuild bundles. The setting: `external`. */

import { expect, test } from 'vitest'
import { EXPECTED, useProject } from './support/project.js'

const project = useProject('esbuild')

test('a bundle that leaves the package out', async () => {
  await project.script('build')
  expect(await project.node('dist/main.js')).toEqual(EXPECTED)
})

test('a CommonJS bundle that leaves the package out', async () => {
  await project.script('build:cjs')
  expect(await project.node('dist/main.cjs')).toEqual(EXPECTED)
})

test('a bundle with the package inside says what to do', async () => {
  await project.script('build:inside')
  const { code, stderr } = await project.run(process.execPath, ['dist/inside.js'])
  expect(code).toBe(1)
  expect(stderr).toContain('keep ai-sandbox-native out of the bundle')
})
