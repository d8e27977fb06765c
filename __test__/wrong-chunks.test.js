import { describe, expect, it } from 'vitest'
import { collectWithError, utf8 } from './support/collect.js'
import { paths } from './support/paths.js'
import { loggedSource } from './support/sources.js'

/** Values that are neither text nor bytes, and how a message may call them. */
const WRONG = [
  [null, /null/],
  [undefined, /undefined/],
  [7, /7|number/],
  [7n, /7|bigint/],
  [true, /true|boolean/],
  [Symbol('chunk'), /symbol/i],
  [{}, /object/i],
  [[97, 10], /array/i],
  [() => {}, /function/i],
  [new Date(0), /Date/],
  [Object.create(null), /object/i],
  [new ArrayBuffer(4), /ArrayBuffer/],
  [new DataView(new ArrayBuffer(4)), /DataView/],
  [new Int8Array(4), /Int8Array/],
  [new Uint8ClampedArray(4), /Uint8ClampedArray/],
  [new Uint16Array(4), /Uint16Array/],
  [new Float64Array(4), /Float64Array/],
  [new BigUint64Array(4), /BigUint64Array/],
  [new Proxy(new Uint8Array(4), {}), /object|proxy|Uint8Array/i],
  [Object.create(Uint8Array.prototype), /object|Uint8Array/i],
  [new String('QUJD\n'), /String/],
]

for (const path of paths) {
  const wrong = path.takesText
    ? [...WRONG, [utf8('QUJD'), /Uint8Array/], [Buffer.from('QUJD'), /Buffer|Uint8Array/]]
    : [...WRONG, ['QUJD', /string/]]

  describe(`${path.name}: a chunk of the wrong type (rule 7)`, () => {
    it.each(wrong.map(([chunk, message]) => [String(message), chunk, message]))(
      'is a TypeError that says %s; the source is closed',
      async (_name, chunk, message) => {
        const source = loggedSource([path.chunks[0], chunk, path.chunks[1]])
        const iterator = path.open(source)
        const { items, error } = await collectWithError(iterator)
        expect(items.map(path.plain)).toEqual([path.items[0]])
        expect(error).toBeInstanceOf(TypeError)
        expect(error.message).toMatch(message)
        expect(source.log).toEqual(['open', 'next', 'next', 'return'])
        expect(await iterator.next()).toEqual({ value: undefined, done: true })
      },
    )

    it('is the error that counts when closing fails too', async () => {
      const failures = [
        () => Promise.reject(new Error('close')),
        () => {
          throw new Error('close')
        },
        () => 7,
      ]
      for (const onReturn of failures) {
        const { error } = await collectWithError(path.open(loggedSource([null], { onReturn })))
        expect(error).toBeInstanceOf(TypeError)
        expect(error.message).toMatch(/null/)
      }
    })
  })
}
