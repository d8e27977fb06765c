/** What the random tests of the module `journal` are made of. */

import fc from 'fast-check'

/** Units of strings that are more telling than random ones. */
const unit = fc.constantFrom(
  ...['a', 'Z', '0', 'f', 'F', '.', '-', '_', '/', ' ', "'", '"', '\\', '$', '*', '\n', '\r', '\0'],
  ...['\x7f', '\u0085', '\ufeff', '\u2028', 'é', '€', '😀', '\ud83d', '\ude00', '\uffff', '\ufffd'],
)

/** Any text, ill-formed too. */
export const text = fc.oneof(
  fc.array(unit, { maxLength: 12 }).map((units) => units.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
)

const hex = fc.constantFrom(...'0123456789abcdef')

/** Tokens of a length about the limit, some with what looks like the hash behind a cut. */
const lengthy = fc
  .tuple(
    fc.integer({ min: 0, max: 4 }),
    fc.constantFrom(1, 30, 67, 92, 182, 183, 184, 199, 200, 201, 230),
    fc.constantFrom('a', '_', 'é', '😀', '-', '\ud83d'),
    fc.oneof(fc.constant(''), fc.array(hex, { minLength: 15, maxLength: 17 }).map(hashLike)),
  )
  .map(([more, count, filling, end]) => `${filling.repeat(count + more)}${end}`)

function hashLike(digits) {
  return `-${digits.join('')}`
}

const reserved = fc
  .tuple(
    fc.constantFrom('con', 'prn', 'aux', 'nul', 'com', 'lpt', 'com¹'),
    fc.constantFrom('', '0', '1', '5', '9', '10', '.', ' ', '_'),
    fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  )
  .map(([stem, end, upper]) => {
    const cased = [...stem].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter))
    return cased.join('') + end
  })

export const runId = fc.oneof(text, lengthy, reserved)

/** What may stand for a run id in a file name, and what may not. */
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'Q', '7', '.', '-', '_5f', '_2F', '_c3_a9') },
  { weight: 2, arbitrary: fc.tuple(hex, hex).map(([one, other]) => `_${one}${other}`) },
  { weight: 1, arbitrary: fc.constantFrom('_', '_4', '_g0', '__', '_E2_82_aC', '_ed_a0_80', 'é') },
  { weight: 1, arbitrary: fc.constantFrom('.err', '.ndjson', '-0123456789abcdef', '\ud83d', '\n') },
)
const token = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
  fc
    .tuple(lengthy, fc.array(piece, { maxLength: 2 }))
    .map(([start, pieces]) => start + pieces.join('')),
  text,
)
export const fileName = fc
  .tuple(token, fc.constantFrom('.ndjson', '.err', '.ndjson', '.err', '', '.ERR', '.err\n'))
  .map(([stem, extension]) => stem + extension)

export const dir = fc.oneof(
  text,
  fc.constantFrom('/', '//', '', '/tmp/x/', '/tmp/x//', "/it's", '-x', '/a\nb'),
)

/** A JSON string of the text, with some characters escaped. */
function spelled(plain) {
  return fc
    .array(fc.constantFrom('', '', '', 'lower', 'UPPER'), {
      minLength: plain.length,
      maxLength: plain.length,
    })
    .map((ways) => `"${[...plain].map((character, at) => escaped(character, ways[at])).join('')}"`)
}

function escaped(character, way) {
  if (way === '') return character
  const code = character.charCodeAt(0).toString(16).padStart(4, '0')
  return `\\u${way === 'UPPER' ? code.toUpperCase() : code}`
}

const digits = fc.array(fc.constantFrom(...'0123456789'), { maxLength: 24 }).map(joined)
const number = fc.oneof(
  fc.constantFrom('0', '-0', '137', '1.0', '1e2', '5E-1', '50e-1', '1e400', '-1e400', '1e-400'),
  fc.constantFrom(
    '01',
    '1.',
    '.5',
    '+1',
    '1e',
    '- 1',
    'NaN',
    'Infinity',
    '0x1',
    '9007199254740993',
  ),
  fc.tuple(fc.constantFrom('', '-', '1', '9.', '0.', '7e'), digits).map(joined),
  fc.integer().map(String),
  fc.double().map(String),
)

function joined(parts) {
  return parts.join('')
}

const space = fc.constantFrom('', '', '', ' ', '\t', '\r', '\u00a0', '\ufeff')

/** Lines that resemble the sentinel with this nonce, the sentinel itself among them. */
export function sentinelLine(nonce) {
  const value = fc.oneof(
    { weight: 4, arbitrary: spelled(nonce) },
    { weight: 4, arbitrary: number },
    { weight: 1, arbitrary: fc.json() },
    {
      weight: 1,
      arbitrary: fc.constantFrom('null', 'tru', '"\\ud800"', '"\ud800"', '"\\x"', '"\n"'),
    },
    { weight: 1, arbitrary: fc.constantFrom(300, 3_000).map(nested) },
    { weight: 1, arbitrary: spelled(nonce).map((text) => `{"__exit":0,"__nonce":${text}}`) },
  )
  const key = fc.oneof(
    { weight: 4, arbitrary: spelled('__exit') },
    { weight: 4, arbitrary: spelled('__nonce') },
    { weight: 1, arbitrary: fc.constantFrom('"x"', '"__proto__"', '"\\udfff"', 'x', '"\t"', '""') },
  )
  const field = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(spelled('__exit'), number) },
    { weight: 3, arbitrary: fc.tuple(spelled('__nonce'), spelled(nonce)) },
    { weight: 2, arbitrary: fc.tuple(key, value) },
  )
  const spaced = (fields) =>
    fc.tuple(space, space).map(([gap, end]) => {
      const members = fields.map(([name, held]) => `${gap}${name}${end}:${gap}${held}`)
      return `{${members.join(',')}${end}}`
    })
  const whole = fc
    .tuple(spelled('__exit'), fc.integer().map(String), spelled('__nonce'), spelled(nonce))
    .map(([exit, code, name, held]) => [
      [exit, code],
      [name, held],
    ])
  const object = fc.oneof(
    fc.array(field, { maxLength: 5 }).chain(spaced),
    fc
      .tuple(fc.array(field, { maxLength: 2 }), whole, fc.array(field, { maxLength: 1 }))
      .chain((fields) => spaced(fields.flat())),
  )
  return fc.oneof(
    { weight: 8, arbitrary: fc.tuple(space, object, space).map(joined) },
    { weight: 2, arbitrary: fc.tuple(object, fc.nat(), text).map(damaged) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('[', '', '"'), object, text).map(joined) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: text },
  )
}

function nested(depth) {
  return '['.repeat(depth) + ']'.repeat(depth)
}

function damaged([object, place, insert]) {
  const at = place % (object.length + 1)
  return object.slice(0, at) + insert + object.slice(at + (place % 2))
}

/** What `stat` may print of a folder, and other lines. */
export function mtimeListing(folder) {
  const path = fc.oneof(
    { weight: 2, arbitrary: fc.constant(folder) },
    { weight: 4, arbitrary: text.map((name) => `${folder}/${name}`) },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom(`${folder}/`, `${folder}x`, `${folder}//a`, '') },
  )
  const seconds = fc.oneof(
    { weight: 3, arbitrary: fc.nat().map(String) },
    { weight: 1, arbitrary: digits },
    {
      weight: 1,
      arbitrary: fc.constantFrom('-1', '1.5', '1e3', ' 1', '٣', '0x1', '9'.repeat(400)),
    },
  )
  const line = fc
    .tuple(seconds, fc.constantFrom(' ', ' ', ' ', ' ', '  ', '\t', ''), path)
    .map(joined)
  return fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'))
}
