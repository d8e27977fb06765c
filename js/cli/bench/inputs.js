/**
 * Journals made from a seed: events in the shape of a coding agent's run.
 *
 * No file is read, so a run on another machine measures the very same bytes.
 */

const SEED = 0x5eed
const TEXTS_IN_POOL = 1024
const IMAGE_BYTES = 150_000

const ASCII_WORDS =
  'the file was read and the test runs now with error in function module return value null ' +
  'patch applied build failed retry branch commit line column expected actual string number'
const WORDS = {
  ascii: ASCII_WORDS.split(' '),
  mixed: 'größer naïve Überprüfung файл тест ошибка 函数 测试 変数 関数 에러 ✓ → … “ok” 🙂'.split(
    ' ',
  ),
  emoji: [...'😀🚀🔥🎉🐛🔧📦🧪🌍💡🛠🤖👀🙈🍀🎯'],
}

/**
 * Makes the bytes of a journal of complete lines.
 *
 * @param {'ascii' | 'mixed' | 'emoji' | 'image' | 'nasty'} content - `mixed`: every fourth line is
 *   non-ASCII; `nasty`: ill-formed bytes, marks, empty lines, for checking answers only.
 * @param {number} size - About how many bytes.
 * @returns {Buffer}
 */
export function makeJournal(content, size) {
  const random = seededRandom(SEED)
  if (content === 'nasty') return makeNasty(random, size)
  const makeLine = LINE_MAKERS[content](random)
  const blocks = []
  for (let made = 0, index = 0; made < size; ) {
    const lines = []
    for (let blockSize = 0; blockSize < 1 << 20 && made + blockSize < size; index += 1) {
      const line = makeLine(index)
      lines.push(line)
      blockSize += Buffer.byteLength(line) + 1
    }
    const block = Buffer.from(`${lines.join('\n')}\n`)
    blocks.push(block)
    made += block.length
  }
  return Buffer.concat(blocks)
}

/** Random numbers in [0, 1) that are the same in every run (mulberry32). */
export function seededRandom(seed) {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const LINE_MAKERS = {
  ascii(random) {
    const texts = makeTexts(random, 'ascii', 90, 190)
    return (index) => eventLine(random, index, pick(random, texts))
  },
  mixed(random) {
    const ascii = makeTexts(random, 'ascii', 90, 190)
    const other = makeTexts(random, 'mixed', 90, 190)
    return (index) => eventLine(random, index, pick(random, index % 4 === 3 ? other : ascii))
  },
  emoji(random) {
    const texts = makeTexts(random, 'emoji', 200, 260)
    return (index) => `{"type":"text","n":${index},"text":"${pick(random, texts)}"}`
  },
  image(random) {
    const image = randomBytes(random, IMAGE_BYTES).toString('base64')
    return (index) =>
      `{"type":"user","n":${index},"message":{"role":"user","content":[{"type":"image",` +
      `"source":{"type":"base64","media_type":"image/png","data":"${image}"}}]}}`
  },
}

function eventLine(random, index, text) {
  const id = index.toString(16).padStart(8, '0')
  switch (Math.floor(random() * 4)) {
    case 0:
      return (
        `{"type":"user","uuid":"${id}","message":{"role":"user","content":[{"type":"tool_result",` +
        `"tool_use_id":"toolu_${id}","content":"${text}"}]}}`
      )
    case 1:
      return (
        `{"type":"assistant","uuid":"${id}","message":{"role":"assistant","content":[{` +
        `"type":"tool_use","id":"toolu_${id}","name":"Bash","input":{"command":"${text}"}}]}}`
      )
    default:
      return (
        `{"type":"assistant","uuid":"${id}","timestamp":"2025-07-19T14:37:16.848Z","message":{` +
        `"role":"assistant","content":[{"type":"text","text":"${text}"}]}}`
      )
  }
}

function makeTexts(random, kind, minBytes, maxBytes) {
  return Array.from({ length: TEXTS_IN_POOL }, () => {
    const wanted = minBytes + random() * (maxBytes - minBytes)
    const separator = kind === 'emoji' ? '' : ' '
    const words = []
    for (let size = 0; size < wanted; ) {
      const word = pick(random, WORDS[kind])
      words.push(word)
      size += Buffer.byteLength(word) + separator.length
    }
    return words.join(separator)
  })
}

/** Everything that a framer can get wrong, in random order. */
function makeNasty(random, size) {
  const pieces = [
    ...['\n', '\r\n', '\0\0', 'a', '{"a":1}\n', '\u2028', 'é', '漢字', '😀', '\ufeff', '\n\ufeffB'],
    ...[[0xff], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0x80]],
  ].map((piece) => Buffer.from(piece))
  const parts = []
  for (let made = 0; made < size; ) {
    const piece = pick(random, pieces)
    parts.push(piece)
    made += piece.length
  }
  return Buffer.concat([...parts, Buffer.from('\n')])
}

function randomBytes(random, length) {
  const bytes = Buffer.alloc(length)
  for (let index = 0; index < length; index += 1) bytes[index] = random() * 256
  return bytes
}

function pick(random, list) {
  return list[Math.floor(random() * list.length)]
}
