/** Which packages are a project's own. */

import { realpathSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectFolders } from '../../js/swap/project.js'
import { temporaryFolder, writeFiles } from '../packaging/support/app.js'

const PLACES = [
  '',
  'packages/a',
  'packages/b',
  'packages/group',
  'packages/group/nested/c',
  'other',
  'other/far/away/d',
  'packages/a/node_modules/dependency',
  'node_modules/dependency',
  '.cache/copy',
]
const SHALLOW = ['', 'other', 'packages/a', 'packages/b', 'packages/group']
const ALL = [...SHALLOW, 'other/far/away/d', 'packages/group/nested/c'].sort()

describe('declared', () => {
  const npm = (workspaces) => ({ 'package.json': JSON.stringify({ workspaces }) })
  const pnpm = (text) => ({ 'package.json': '{}', 'pnpm-workspace.yaml': text })

  test.each([
    ['by npm, a list', npm(['packages/*']), SHALLOW],
    ['by yarn, an object', npm({ packages: ['./packages/*'], nohoist: ['**/d'] }), SHALLOW],
    ['by npm, with a pattern that is left out', npm(['packages/*', '!packages/**/c']), SHALLOW],
    ['by npm, at any depth', npm(['packages/**']), ALL],
    ['by npm, deep down', npm(['other/*/*/d']), ALL],
    ['by pnpm', pnpm('packages:\n  - "packages/*"\n  - \'!**/test/**\'\n'), SHALLOW],
    ['by pnpm, at any depth', pnpm('# All.\npackages:\n- packages/**\n'), ALL],
    ['by pnpm, on one line', pnpm("packages: ['packages/*', '**']\n"), ALL],
    ['by pnpm, which has settings alone', pnpm('overrides:\n  a/b/c: npm:d\n'), ['']],
    ['by nobody', { 'package.json': '{}' }, ['']],
    ['an empty list', npm([]), ['']],
    ['by no list', npm('packages/*'), ['']],
    ['a package.json that is none', { 'package.json': '{' }, ['']],
    ['a package.json that is null', { 'package.json': 'null' }, ['']],
    ['a package.json that is no object', { 'package.json': 'false' }, ['']],
  ])('%s', (_, files, expected) => {
    const folder = makeTree(files)
    const folders = projectFolders(folder)
    expect(placesOf(folders, folder).sort()).toEqual(expected)
  })
})

describe('from within', () => {
  test('the nearest comes first, then all on the way up, then the others', () => {
    const folder = makeTree({ 'package.json': '{ "workspaces": ["packages/*"] }' })
    const places = placesOf(projectFolders(join(folder, 'packages/group/nested/c/src')), folder)
    expect(places.slice(0, 3)).toEqual(['packages/group/nested/c', 'packages/group', ''])
    expect(places.slice(3).sort()).toEqual(['other', 'packages/a', 'packages/b'])
  })

  test('the nearest workspace counts', () => {
    const folder = makeTree({
      'package.json': '{ "workspaces": ["**"] }',
      'packages/group/package.json': '{ "workspaces": ["nested/*"] }',
    })
    const places = placesOf(projectFolders(join(folder, 'packages/group')), folder)
    expect(places).toEqual(['packages/group', '', 'packages/group/nested/c'])
  })

  test('a root that is relative, and one that is a link', () => {
    const folder = makeTree({ 'package.json': '{ "private": true }' })
    const expected = ['other', '']
    const other = join(folder, 'other')
    expect(placesOf(projectFolders(relative(process.cwd(), other)), folder)).toEqual(expected)
    const link = join(temporaryFolder(), 'link')
    symlinkSync(other, link, 'junction')
    expect(placesOf(projectFolders(link), folder)).toEqual(expected)
  })

  test('a root that is not there', () => {
    const folder = makeTree({ 'package.json': '{}' })
    expect(placesOf(projectFolders(join(folder, 'absent')), folder)).toEqual([''])
  })
})

/** A project of many packages; what the files say of it comes on top. */
function makeTree(files) {
  const folder = realpathSync(temporaryFolder())
  const manifests = PLACES.map((place) => [join(place, 'package.json'), '{"type":"module"}'])
  writeFiles(folder, { ...Object.fromEntries(manifests), ...files })
  // A walk that follows links could go on for ever.
  symlinkSync(folder, join(folder, 'packages/loop'), 'junction')
  return folder
}

/** Relative to a folder, without what lies above it: the machine's own. */
function placesOf(folders, folder) {
  return folders
    .map((found) => relative(folder, found).replaceAll('\\', '/'))
    .filter((place) => !place.startsWith('..'))
}
