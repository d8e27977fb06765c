/** The package, the crate and the eight platform packages have one version and one list. */

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../../js/version.js'
import {
  manifest,
  npm,
  pack,
  platformManifest,
  root,
  temporaryFolder,
  writeFiles,
} from './support/app.js'

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

test('the package asks for the peers of the original, and for no version of Vite', () => {
  const original = JSON.parse(
    readFileSync(join(root, 'node_modules/tanstack-ai-sandbox/package.json'), 'utf8'),
  )
  // The plugin says itself which it needs: a range would be one for those, too, who don't use it.
  expect(manifest.peerDependencies).toEqual({ ...original.peerDependencies, vite: '*' })
  expect(manifest.peerDependenciesMeta).toEqual({
    ...original.peerDependenciesMeta,
    vite: { optional: true },
  })
})

// npm would refuse, or put a second Vite beside the first.
test.each(['5.4.21', '8.0.0-beta.1'])('npm installs it beside Vite %s', async (version) => {
  const app = temporaryFolder()
  const { peerDependencies, peerDependenciesMeta } = manifest
  const packages = [
    { name: 'vite', version },
    { name: '@tanstack/ai', version: peerDependencies['@tanstack/ai'].replace('^', '') },
    { name: manifest.name, version: manifest.version, peerDependencies, peerDependenciesMeta },
  ]
  const dependencies = {}
  for (const fields of packages) {
    writeFiles(app, { 'stage/package.json': JSON.stringify(fields) })
    dependencies[fields.name] = `file:${basename(await pack(join(app, 'stage'), app))}`
  }
  writeFiles(app, { 'package.json': JSON.stringify({ dependencies }) })
  await npm(['install', '--package-lock-only', '--offline'], app)
  const { packages: locked } = JSON.parse(readFileSync(join(app, 'package-lock.json'), 'utf8'))
  const names = packages.map(({ name }) => `node_modules/${name}`)
  expect(Object.keys(locked).sort()).toEqual(['', ...names].sort())
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
