import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collect, collectWithError, hex } from './support/collect.js'
import * as oracle from './support/oracle.js'
import * as native from './support/subject.js'

const NUM_RUNS = 300

/** Bytes that are more telling than random ones: newlines, marks, pieces of characters. */
const telling = fc.constantFrom(
  ...['0a', '0a0a', '0d0a', '00', 'efbbbf', 'efbb', 'e282ac', 'e282', 'f09f9880', 'f09f98', '9f'],
  ...['c3a9', 'c3', '80', 'eda0bd', 'ff', 'c080', 'f4908080', '7b7d', '61', '6162636465666768'],
)
const bytes = fc.oneof(
  fc.array(telling, { maxLength: 40 }).map((parts) => Buffer.from(parts.join(''), 'hex')),
  fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
  fc
    .array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 12 })
    .map((lines) => Buffer.from(`${lines.join('\n')}\n`)),
)

/** Text of which some is ill-formed, in chunks. */
const unit = fc.constantFrom('a', '\n', 'é', '€', '😀', '\ud83d', '\ude00', '\ufeff', '\0', '\r')
const textChunks = fc.array(
  fc.array(unit, { maxLength: 6 }).map((units) => units.join('')),
  {
    maxLength: 12,
  },
)

/** Base64 with white space anywhere, and now and then a character too many, too few or wrong. */
const noise = fc.constantFrom(
  ...[
    ' ',
    '\n',
    '\r\n',
    '\t',
    '\ufeff',
    '\u00a0',
    '\u2028',
    '\u0085',
    '=',
    '==',
    '*',
    '-',
    '\u0141',
  ],
  ...['A', '\ud83d', '\0', '\u200b'],
)
const edits = fc.array(fc.tuple(fc.nat(400), noise), { maxLength: 3 })

const cuts = fc.array(fc.nat(300), { maxLength: 12 })

const startPosition = fc.oneof(
  fc.nat(),
  fc.constantFrom(0, -1, 1.5, Number.NaN, 2 ** 31, 2 ** 32 + 5, 2 ** 53 - 1e6, -0.5, -(2 ** 40)),
)

/** Cuts `input` at the numbers of `places`, wherever they fall. */
function cutAtPlaces(input, places) {
  const inside = [0, ...places.map((place) => place % (input.length + 1)), input.length]
  const sorted = inside.sort((a, b) => a - b)
  return sorted.slice(1).map((end, index) => input.slice(sorted[index], end))
}

function edited(text, list) {
  return list.reduce((result, [place, insert]) => {
    const at = place % (result.length + 1)
    return result.slice(0, at) + insert + result.slice(at)
  }, text)
}

/** What a stream gives, and how it ends, in a form that compares well. */
async function outcome(iterable) {
  const { items, error } = await collectWithError(iterable)
  return {
    items: items.map((item) => (item instanceof Uint8Array ? hex(item) : item)),
    error: error && {
      name: error.name,
      code: error.code,
      index: /\b\d+\b/.exec(error.message)?.[0],
    },
  }
}

async function expectSame(open) {
  expect(await outcome(open(native))).toEqual(await outcome(open(oracle)))
}

function check(...args) {
  return fc.assert(fc.asyncProperty(...args), { numRuns: NUM_RUNS })
}

describe('native = oracle', () => {
  it('toJournalLines over any bytes, cuts and start', () =>
    check(bytes, cuts, startPosition, async (input, places, start) => {
      await expectSame((api) => api.toJournalLines(cutAtPlaces(input, places), start))
    }))

  it('toJournalLineBatches over any bytes, cuts and start', () =>
    check(bytes, cuts, startPosition, async (input, places, start) => {
      const chunks = cutAtPlaces(input, places)
      const batches = await collect(native.toJournalLineBatches(chunks, start))
      expect(batches.every((batch) => batch.length > 0)).toBe(true)
      expect(batches.flat()).toEqual(await collect(oracle.toJournalLines(chunks, start)))
    }))

  it('decodeBase64Stream over any base64, sound or not', () =>
    check(bytes, edits, cuts, async (input, list, places) => {
      const chunks = cutAtPlaces(edited(input.toString('base64'), list), places)
      await expectSame((api) => api.decodeBase64Stream(chunks))
    }))

  it('encodeUtf8Stream over any text', () =>
    check(textChunks, async (chunks) => {
      await expectSame((api) => api.encodeUtf8Stream(chunks))
    }))

  it('lines over decodeBase64Stream', () =>
    check(bytes, edits, cuts, startPosition, async (input, list, places, start) => {
      const chunks = cutAtPlaces(edited(input.toString('base64'), list), places)
      await expectSame((api) => api.toJournalLines(api.decodeBase64Stream(chunks), start))
    }))

  it('lines over encodeUtf8Stream', () =>
    check(textChunks, startPosition, async (chunks, start) => {
      await expectSame((api) => api.toJournalLines(api.encodeUtf8Stream(chunks), start))
    }))

  it('JournalFramer, pushed any mixture of bytes, text and base64', () => {
    const push = fc.oneof(
      fc.record({ method: fc.constant('push'), argument: bytes }),
      fc.record({ method: fc.constant('push'), argument: textChunks.map((list) => list.join('')) }),
      fc.record({
        method: fc.constant('pushBase64'),
        argument: fc.tuple(bytes, edits).map(([input, list]) => {
          // Whole groups, so that nothing of it waits while other pushes come.
          const whole = input.subarray(0, input.length - (input.length % 3))
          return edited(
            whole.toString('base64'),
            list.filter(([, insert]) => /\s/.test(insert)),
          )
        }),
      }),
    )
    return check(fc.array(push, { maxLength: 8 }), startPosition, async (pushes, start) => {
      const [actual, expected] = [native, oracle].map((api) => {
        const framer = new api.JournalFramer(start)
        return pushes.map(({ method, argument }) => [framer[method](argument), framer.position])
      })
      expect(actual).toEqual(expected)
    })
  })

  it('big inputs: batches and windows have edges, too', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            fill: fc.constantFrom('x', 'é', '€', '😀', '\ufeff', '\0', '\x80', '\ud83d'),
            count: fc.oneof(
              fc.nat(50),
              fc.nat(3000),
              fc.constantFrom(8191, 8192, 16_383, 16_384, 16_385, 32_768, 65_535, 65_536, 65_537),
            ),
          }),
          { minLength: 1, maxLength: 40 },
        ),
        fc.constantFrom(1e9, 65_536, 65_535, 16_384, 10_001, 4_099),
        fc.boolean(),
        async (specs, size, isIllFormed) => {
          const lines = specs.map(({ fill, count }) => `${fill.repeat(count)}\n`)
          const input = isIllFormed
            ? Buffer.concat(lines.map((line, i) => Buffer.from(line, i % 3 ? 'utf8' : 'latin1')))
            : Buffer.from(lines.join(''))
          const chunks = piecesOf(input, size)
          const expected = await collect(oracle.toJournalLines(chunks, 3))
          expectLines(await collect(native.toJournalLines(chunks, 3)), expected)
          expectLines((await collect(native.toJournalLineBatches(chunks, 3))).flat(), expected)
          const coded = piecesOf(input.toString('base64'), size)
          const decoded = native.decodeBase64Stream(coded)
          expectLines(await collect(native.toJournalLines(decoded, 3)), expected)
          const texts = piecesOf(lines.join(''), size)
          expectLines(
            await collect(native.toJournalLines(native.encodeUtf8Stream(texts), 3)),
            await collect(oracle.toJournalLines(oracle.encodeUtf8Stream(texts), 3)),
          )
        },
      ),
      { numRuns: 40 },
    ))
})

describe('resume', () => {
  it('behind any line, from its endPosition, gives the same lines in total', () =>
    check(bytes, cuts, fc.nat(20), fc.nat(1000), async (input, places, count, start) => {
      const all = await collect(native.toJournalLines(cutAtPlaces(input, places), start))
      const first = []
      if (count > 0) {
        for await (const line of native.toJournalLines(cutAtPlaces(input, places), start)) {
          first.push(line)
          if (first.length === count) break
        }
      }
      const position = first.at(-1)?.endPosition ?? start
      const rest = input.subarray(position - start)
      expect([...first, ...(await collect(native.toJournalLines([rest], position)))]).toEqual(all)
    }))

  it('over base64 and text as well', () =>
    check(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 10 }), { maxLength: 10 }),
      cuts,
      fc.nat(10),
      async (lines, places, count) => {
        const input = Buffer.from(lines.map((line) => `${line}\n`).join(''))
        const paths = [
          (buffer) => native.decodeBase64Stream(cutAtPlaces(buffer.toString('base64'), places)),
          (buffer) => native.encodeUtf8Stream(cutAtPlaces(buffer.toString(), places)),
        ]
        for (const path of paths) {
          const all = await collect(native.toJournalLines(path(input), 0))
          const first = all.slice(0, count)
          const position = first.at(-1)?.endPosition ?? 0
          const rest = native.toJournalLines(path(input.subarray(position)), position)
          expect([...first, ...(await collect(rest))]).toEqual(all)
        }
      },
    ))
})

function piecesOf(input, size) {
  const count = Math.max(1, Math.ceil(input.length / size))
  return Array.from({ length: count }, (_, index) => input.slice(index * size, (index + 1) * size))
}

/** As `toEqual`, but without printing megabytes when it fails. */
function expectLines(actual, expected) {
  expect(actual.length).toBe(expected.length)
  const differs = actual.findIndex(
    ({ line, endPosition }, index) =>
      line !== expected[index].line || endPosition !== expected[index].endPosition,
  )
  expect(differs).toBe(-1)
}
