import { expect } from 'vitest'
import { hex } from './collect.js'
import * as oracle from './oracle.js'
import * as native from './subject.js'

/** A step as data: what `action` of an API gives, in a form that compares well. */
export function shown(result) {
  const { value, done } = result
  return { done, value: value instanceof Uint8Array ? hex(value) : value }
}

/** Runs `use` with each API, and expects the same of both. */
export async function expectSame(use) {
  const expected = await use(oracle)
  expect(expected).not.toBe(undefined)
  expect(await use(native)).toEqual(expected)
}
