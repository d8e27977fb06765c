import { readFileSync } from 'node:fs'
import { usePackage } from '../src/use-package.js'

const expected = JSON.parse(readFileSync(new URL('../src/expected.json', import.meta.url), 'utf8'))

test('the package in a test of Jest', async () => {
  expect(await usePackage()).toEqual(expected)
}, 30_000)
