import { describe, expect, it } from 'vitest'
import { chunkings, pieces } from './support/chunkings.js'
import { base64, collect, collectWithError, hex } from './support/collect.js'
import { decodeBase64Stream, JournalFramer, toJournalLines } from './support/subject.js'

const WHITE_SPACE = [
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
  0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
]

/** What the stream over `chunks` gives, each item in hexadecimal. */
async function decode(chunks) {
  return (await collect(decodeBase64Stream(chunks))).map((bytes) => hex(bytes))
}

async function decodeWithError(chunks) {
  const { items, error } = await collectWithError(decodeBase64Stream(chunks))
  return { items: items.map((bytes) => hex(bytes)), error }
}

/** Asserts the error that tells that `character` at `index` isn't base64. */
function expectInvalidCharacter(error, character, index) {
  expect(error).toBeInstanceOf(DOMException)
  expect(error).toBeInstanceOf(Error)
  expect(error.name).toBe('InvalidCharacterError')
  expect(error.code).toBe(5)
  const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')
  const isNamed = error.message.includes(character) || error.message.includes(`U+${code}`)
  expect(isNamed, error.message).toBe(true)
  expect(error.message).toMatch(new RegExp(`\\b${index}\\b`))
}

describe('rule 1: white space', () => {
  it.each(WHITE_SPACE.map((code) => [code.toString(16).padStart(4, '0'), code]))(
    'U+%s is dropped wherever it stands',
    async (_name, code) => {
      const space = String.fromCharCode(code)
      const text = `${space}Q${space}${space}UJ${space}D${space}`
      for (const { name, chunks } of chunkings(text)) {
        expect((await decode(chunks)).join(''), name).toBe('414243')
      }
    },
  )

  it('drops what \\s matches and no other UTF-16 code unit', async () => {
    const others = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      (character) => !/[A-Za-z0-9+/]/.test(character),
    )
    // A framer takes nothing of bad text, so one serves for all.
    const framer = new JournalFramer()
    const isDropped = (character) => {
      const before = framer.pendingBytes
      try {
        framer.pushBase64(`QU${character}JD`)
      } catch {
        return false
      }
      return framer.pendingBytes === before + 3
    }
    const dropped = others.filter(isDropped)
    expect(dropped).toEqual(others.filter((character) => /\s/.test(character)))
  })

  it('takes the lines of base64(1), wrapped at 76 columns', async () => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index & 0xff))
    const wrapped = pieces(bytes.toString('base64'), 76).join('\r\n')
    for (const { name, chunks } of chunkings(wrapped)) {
      expect((await decode(chunks)).join(''), name).toBe(bytes.toString('hex'))
    }
  })

  it('gives nothing for white space alone', async () => {
    expect(await decode([' \n', '\u2028', ''])).toEqual([])
  })
})

describe('rule 2: whole groups', () => {
  it('yields one array per chunk that completes a group, none for others', async () => {
    expect(await decode(['Q', 'U', 'J', 'D', 'QUJDQ', '', 'UJDQU', 'JD'])).toEqual([
      '414243',
      '414243',
      '414243',
      '414243',
    ])
  })

  it('yields one array for a big chunk', async () => {
    const bytes = Buffer.alloc(3 * 1024 * 1024, 'abc')
    const items = await collect(decodeBase64Stream([bytes.toString('base64')]))
    expect(items.length).toBe(1)
    expect(bytes.equals(items[0])).toBe(true)
  })

  it('yields plain arrays that belong to the caller', async () => {
    const iterator = decodeBase64Stream(['QUJD', 'REVG', 'R0hJ'])
    const first = (await iterator.next()).value
    expect(Object.getPrototypeOf(first)).toBe(Uint8Array.prototype)
    const second = (await iterator.next()).value
    structuredClone(first, { transfer: [first.buffer] })
    second.fill(0)
    expect(hex((await iterator.next()).value)).toBe('474849')
  })

  it('decodes every value of a byte, in every place of a group', async () => {
    const bytes = Buffer.from(Array.from({ length: 3 * 256 }, (_, i) => (i + (i >> 8)) & 0xff))
    for (const { name, chunks } of chunkings(bytes.toString('base64'))) {
      expect((await decode(chunks)).join(''), name).toBe(bytes.toString('hex'))
    }
  })
})

describe('rule 3: one chunk is one unit', () => {
  it.each([
    ['QQ==', ['41']],
    ['QR==', ['41']],
    ['QUI=', ['4142']],
    ['QUJ=', ['4142']],
    ['Q Q = =', ['41']],
    ['QUJDQQ==', ['41424341']],
  ])('%s is decoded, left-over bits ignored', async (text, expected) => {
    expect(await decode([text])).toEqual(expected)
  })

  it('decodes units of different chunks on their own', async () => {
    expect(await decode(['QQ==', 'Qg=='])).toEqual(['41', '42'])
    expect(await decode(['QQ=', '=', 'Qg', '=='])).toEqual(['41', '42'])
    expect((await decodeWithError(['QQ=', '=Qg'])).items).toEqual(['41'])
  })

  it.each([
    ['QQ==Qg==', '=', 2],
    ['====', '=', 0],
    ['A===', '=', 1],
    ['=QQQ', '=', 0],
    ['Q=QQ', '=', 1],
    ['QQ=Q', '=', 2],
    ['QUI=QUI=', '=', 3],
    ['QUJDA===', '=', 5],
  ])('%s has padding where none may be', async (text, character, index) => {
    const { items, error } = await decodeWithError([text])
    expect(items).toEqual([])
    expectInvalidCharacter(error, character, index)
  })
})

describe('rule 4: another character', () => {
  it.each(['!', '-', '_', '.', '\0', '\u007f', '\u0085', '\u200b', '\u00e9', '\u0141', '\ud83d'])(
    '%j is an error that names it and where it is',
    async (character) => {
      for (let place = 0; place < 4; place += 1) {
        const group = 'QUJD'.slice(0, place) + character + 'QUJD'.slice(place + 1)
        const { items, error } = await decodeWithError(['QU JD', `\n${group}QUJD`])
        expect(items).toEqual(['414243'])
        expectInvalidCharacter(error, character, 6 + place)
      }
    },
  )

  it('does not take a wide character for the letter in its low byte', async () => {
    for (let high = 0x01; high <= 0xff; high += 1) {
      const character = String.fromCharCode((high << 8) | 0x41)
      const { items, error } = await decodeWithError([`QUJDQU${character}D`])
      expect(items).toEqual([])
      expectInvalidCharacter(error, character, 6)
    }
  })

  it('counts the index in UTF-16 code units over all chunks, white space too', async () => {
    const { error } = await decodeWithError(['QU\u3000JD\r\n', '', 'QUJ', 'D', '  Q!JD'])
    expectInvalidCharacter(error, '!', 14)
  })

  it('finds a character in the part of an earlier chunk', async () => {
    const { items, error } = await decodeWithError(['QUJDQ !', 'J', 'D'])
    expect(items).toEqual(['414243'])
    expectInvalidCharacter(error, '!', 6)
  })

  it.each([0, 1, 2, 3])('is no error yet while its group waits (%i)', async (place) => {
    const group = `${'QUJD'.slice(0, place)}*${'QUJD'.slice(place + 1)}`
    for (let cut = place + 1; cut < 4; cut += 1) {
      const iterator = decodeBase64Stream([`QUJD${group.slice(0, cut)}`, group.slice(cut)])
      expect(hex((await iterator.next()).value)).toBe('414243')
      expectInvalidCharacter(await iterator.next().catch((error) => error), '*', 4 + place)
    }
  })

  it('is the mid-quantum error when the input ends in its group', async () => {
    const { items, error } = await decodeWithError(['QUJD*', '!'])
    expect(items).toEqual(['414243'])
    expect(error.message).toBe(
      'journal: base64 frame ended mid-quantum with 2 character(s) pending',
    )
  })

  it('yields nothing of a chunk of 5 MB whose last character is bad', async () => {
    const lines = base64('{"event":"text"}\n+'.repeat(300_000)).slice(0, 5_000_000)
    const bad = `${lines.slice(0, -1)}*`
    const { items, error } = await decodeWithError(['QUJD', bad])
    expect(items).toEqual(['414243'])
    expectInvalidCharacter(error, '*', 5_000_003)
  })

  it('yields no line of it either', async () => {
    const text = base64('{"event":"text"}\n+'.repeat(300_000)).slice(0, 5_000_000)
    for (const bad of [`${text.slice(0, -1)}*`, `${text.slice(0, -1)}\u0141`]) {
      const chunks = [base64('a\nbc\n.'), bad]
      const { items, error } = await collectWithError(toJournalLines(decodeBase64Stream(chunks), 0))
      expect(items.map(({ line }) => line)).toEqual(['a', 'bc'])
      expectInvalidCharacter(error, bad.at(-1), 5_000_007)
    }
  })
})

describe('rule 5: an end inside a group', () => {
  it.each([1, 2, 3])('%i characters wait', async (count) => {
    const text = `QUJD${'QUJ'.slice(0, count)}`
    for (const { name, chunks } of chunkings(`${text}\n`)) {
      const { items, error } = await decodeWithError(chunks)
      expect(items.join(''), name).toBe('414243')
      expect(Object.getPrototypeOf(error)).toBe(Error.prototype)
      expect(error.message).toBe(
        `journal: base64 frame ended mid-quantum with ${count} character(s) pending`,
      )
    }
  })

  it('comes behind the lines that were whole', async () => {
    const source = decodeBase64Stream([`${base64('a\nbc\n.')}QU`])
    const { items, error } = await collectWithError(toJournalLines(source, 0))
    expect(items.map(({ line }) => line)).toEqual(['a', 'bc'])
    expect(error.message).toBe(
      'journal: base64 frame ended mid-quantum with 2 character(s) pending',
    )
  })
})

describe('rule 6: an empty input', () => {
  it.each([[[]], [['']], [['', '']]])('%j yields nothing', async (chunks) => {
    expect(await decode(chunks)).toEqual([])
  })
})
