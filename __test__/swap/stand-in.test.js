import { existsSync, readFileSync } from 'node:fs'
import { initSync, parse } from 'es-module-lexer'
import { describe, expect, test } from 'vitest'
import { MODULE_NAMES, nativeModule, pickModules } from '../../js/swap/modules.js'
import { isMarkedOriginal, markOriginal, standIn } from '../../js/swap/stand-in.js'

const names = ['ours', 'alsoOurs']
const made = (source) => standIn(source, { names, native: 'native', original: 'original' })
const linesOf = (source) => made(source).code.trimEnd().split('\n').slice(1)

describe('a stand-in', () => {
  test('exports what the original exports: ours where we have it, its own else', () => {
    expect(linesOf('export function ours() {}\nexport const theirs = 1')).toEqual([
      'export { ours } from "native"',
      'export { theirs } from "original"',
    ])
  })

  test('leaves the original out when all is ours', () => {
    expect(linesOf('const a = 1; export { a as ours }; export class alsoOurs {}')).toEqual([
      'export { ours, alsoOurs } from "native"',
    ])
  })

  test('passes on what the original passes on', () => {
    expect(
      linesOf(`export * from './a.js'\nexport * as theirs from './b.js'\nexport const ours = 1`),
    )
      // Ours is by name, so it wins over the star.
      .toEqual([
        'export { ours } from "native"',
        'export { theirs } from "original"',
        'export * from "original"',
      ])
  })

  test('has a default export and names in quotes', () => {
    expect(linesOf('const a = 1; export { a as default, a as "a-b", a as ours, a as ñ }')).toEqual([
      'export { ours } from "native"',
      'export { default, "a-b", ñ } from "original"',
    ])
  })

  test('tells whose each name is', () => {
    expect(made(`export * from './a.js'; export const ours = 1, theirs = 2`)).toMatchObject({
      native: ['ours'],
      original: ['theirs', '*'],
    })
  })

  test('is not made when nothing is ours, nor of a stand-in', () => {
    expect(made('export const theirs = 1')).toBeUndefined()
    expect(made(made('export const ours = 1').code)).toBeUndefined()
  })
})

test('the mark of the original is a part of the query', () => {
  expect(isMarkedOriginal(markOriginal('file:///a/runner.js'))).toBe(true)
  expect(isMarkedOriginal(markOriginal('file:///a/runner.js?v=1'))).toBe(true)
  expect(isMarkedOriginal('file:///ai-sandbox-native=original/runner.js')).toBe(false)
})

test.each(MODULE_NAMES)('the counterpart of %s imports nothing of the original', (name) => {
  initSync()
  const { url, names } = nativeModule(name)
  expect(names.length).toBeGreaterThan(0)
  const waiting = [new URL(url)]
  const seen = new Set()
  for (const file of waiting) {
    if (seen.has(file.href)) continue
    seen.add(file.href)
    expect(existsSync(file)).toBe(true)
    for (const { n } of parse(readFileSync(file, 'utf8'))[0]) {
      // Not known: an import of import.meta, or of what is no string.
      if (n === undefined) continue
      expect(n).toMatch(/^(\.{1,2}\/|node:)/)
      if (n.startsWith('.')) waiting.push(new URL(n, file))
    }
  }
})

test.each(MODULE_NAMES)('%s can be picked', (name) => {
  expect(pickModules([name])).toContain(name)
})

test('the error class comes along with what throws it', () => {
  expect([...pickModules(['runner'])]).toEqual(['runner', 'attach-preflight'])
  expect([...pickModules()].sort()).toEqual(MODULE_NAMES.toSorted())
})
