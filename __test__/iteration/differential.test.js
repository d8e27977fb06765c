import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paths } from '../support/paths.js'
import { play } from '../support/scenario.js'

const CALLS = ['next', 'return', 'returnRejected', 'throw']

/** A chunk gives no item, one, or (where the path makes lines of it) several. */
const TEXTS = ['', 'ab', 'abc\n', '\n', 'ab\ncd', 'a\nb\nc\n', 'é\n\n', '\ud83d', '\ude00\n']

const step = fc.record({
  kind: fc.oneof(
    { weight: 12, arbitrary: fc.constant('chunk') },
    { weight: 1, arbitrary: fc.constantFrom('wrong', 'reject', 'throw', 'nonObject', 'getter') },
    { weight: 1, arbitrary: fc.constant('done') },
  ),
  when: fc.constantFrom('plain', 'promise', 'held'),
  text: fc.constantFrom(...TEXTS),
})

const scenario = fc.record({
  steps: fc.array(step, { maxLength: 6 }),
  closing: fc.constantFrom(
    'ok',
    'ok',
    'missing',
    'null',
    'number',
    'reject',
    'throw',
    'nonObject',
    'held',
  ),
  actions: fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant('next') },
      { weight: 2, arbitrary: fc.constantFrom('return', 'returnRejected', 'throw') },
      { weight: 4, arbitrary: fc.constant('rest') },
      { weight: 3, arbitrary: fc.constant('release') },
    ),
    { minLength: 1, maxLength: 12 },
  ),
})

/** Every order of three calls, with and without a rest between. */
function scriptedActions() {
  const orders = CALLS.flatMap((a) => CALLS.flatMap((b) => CALLS.map((c) => [a, b, c])))
  return orders.flatMap((calls) => [
    [...calls, 'rest'],
    calls.flatMap((call) => [call, 'rest']),
    ['next', 'rest', ...calls, 'rest', 'release', 'rest'],
  ])
}

describe.each(paths)('$name behaves as the async generator does', (path) => {
  const compare = async (script) => {
    const expected = await play(script, path.openOracle, path)
    expect(await play(script, path.open, path)).toEqual(expected)
  }

  it.each(['plain', 'promise', 'held'])('in every order of three calls (%s)', async (when) => {
    const steps = ['abc\n', 'a\nb\n', 'xyz\n'].map((text) => ({ kind: 'chunk', when, text }))
    for (const closing of ['ok', 'held', 'reject']) {
      for (const actions of scriptedActions()) await compare({ steps, closing, actions })
    }
  })

  it.each(['wrong', 'reject', 'throw', 'nonObject', 'getter', 'done'])(
    'when the source gives: %s',
    async (kind) => {
      for (const when of ['plain', 'promise', 'held']) {
        const steps = [
          { kind: 'chunk', when, text: 'abc\n' },
          { kind, when },
          { kind: 'chunk', when, text: 'xyz\n' },
        ]
        for (const closing of ['ok', 'missing', 'number', 'reject', 'held']) {
          await compare({ steps, closing, actions: ['next', 'rest', 'next', 'rest', 'next'] })
          await compare({ steps, closing, actions: ['next', 'next', 'next', 'return'] })
          await compare({ steps, closing, actions: ['next', 'next', 'rest', 'release', 'throw'] })
        }
      }
    },
  )

  it('in random scenarios', async () => {
    await fc.assert(fc.asyncProperty(scenario, compare), { numRuns: 400 })
  })
})
