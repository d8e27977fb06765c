/** The package, the crate and the eight platform packages have one version and one list. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../../js/version.js'
import { manifest, platformManifest, root } from './support/app.js'

const names = readdirSync(join(root, 'npm')).sort()

test('the crate has the version of the package', () => {
  const cargo = readFileSync(join(root, 'Cargo.toml'), 'utf8')
  expect(/^version = "(.+)"$/m.exec(cargo)?.[1]).toBe(manifest.version)
})

test('the package knows its version', () => {
  expect(VERSION).toBe(manifest.version)
})

test('there is a folder in npm/ for each target that is built', () => {
  expect(names).toEqual(manifest.napi.targets.map(nameOfTriple).sort())
})

test.each(names)('npm/%s', (name) => {
  const [os, cpu, abi] = name.split('-')
  const file = `${manifest.napi.binaryName}.${name}.node`
  const { description, ...fields } = platformManifest(name)
  expect(fields).toEqual({
    name: `${manifest.name}-${name}`,
    version: manifest.version,
    license: manifest.license,
    main: file,
    files: [file],
    os: [os],
    cpu: [cpu],
    ...(os === 'linux' && { libc: [abi === 'musl' ? 'musl' : 'glibc'] }),
    engines: manifest.engines,
  })
  expect(description).toContain(manifest.name)
})

test('the package asks for the peers of the original, and for the Vite of its plugin', () => {
  const original = JSON.parse(
    readFileSync(join(root, 'node_modules/tanstack-ai-sandbox/package.json'), 'utf8'),
  )
  // And, for those who have it, the plugin's Vite.
  expect(manifest.peerDependencies).toEqual({ ...original.peerDependencies, vite: '>=6' })
  expect(manifest.peerDependenciesMeta).toEqual({
    ...original.peerDependenciesMeta,
    vite: { optional: true },
  })
})

test('the changelog knows the version', () => {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  expect(changelog).toContain(`## [${manifest.version}]`)
})

/** As napi-rs names the targets that cargo calls `x86_64-unknown-linux-gnu`. */
function nameOfTriple(triple) {
  const [cpu, , os, abi] = triple.split('-')
  return [
    os === 'windows' ? 'win32' : os,
    { x86_64: 'x64', aarch64: 'arm64' }[cpu],
    ...(abi ? [abi] : []),
  ].join('-')
}
