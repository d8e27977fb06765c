/**
 * `good`: what a good engineer writes in an hour. Linear, `Buffer` for the heavy work, async
 * generators for the streams.
 */

const NEWLINE = 0x0a
const BYTE_ORDER_MARK = 0xfeff
const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/

/** @param {AsyncIterable<string>} source */
export function base64Lines(source, startPosition) {
  return linesOf(base64Bytes(source), startPosition)
}

/** @param {AsyncIterable<Uint8Array>} source */
export function byteLines(source, startPosition) {
  return linesOf(source, startPosition)
}

/** @param {AsyncIterable<string>} source */
export function textLines(source, startPosition) {
  return linesOf(textBytes(source), startPosition)
}

async function* base64Bytes(source) {
  let carry = ''
  for await (const chunk of source) {
    const text = carry + chunk.replace(/\s+/g, '')
    const whole = text.length - (text.length % 4)
    carry = text.slice(whole)
    if (whole > 0) yield Buffer.from(text.slice(0, whole), 'base64')
  }
  if (carry !== '') {
    throw new Error(
      `journal: base64 frame ended mid-quantum with ${carry.length} character(s) pending`,
    )
  }
}

async function* textBytes(source) {
  let carry = ''
  for await (const chunk of source) {
    const text = carry + chunk
    carry = HIGH_SURROGATE_AT_END.test(text) ? text.slice(-1) : ''
    if (text.length > carry.length) yield Buffer.from(carry ? text.slice(0, -1) : text)
  }
  if (carry !== '') yield Buffer.from(carry)
}

async function* linesOf(source, startPosition) {
  let position = startPosition
  let carried = []
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      let line
      if (carried.length > 0) {
        carried.push(bytes.subarray(from, end))
        const whole = Buffer.concat(carried)
        carried = []
        line = whole.utf8Slice(0, whole.length)
        position += whole.length + 1
      } else {
        line = bytes.utf8Slice(from, end)
        position += end - from + 1
      }
      from = end + 1
      yield { line: dropMark(line), endPosition: position }
    }
    // A copy: the producer may reuse its buffer.
    if (from < bytes.length) carried.push(Buffer.from(bytes.subarray(from)))
  }
}

function dropMark(line) {
  return line.charCodeAt(0) === BYTE_ORDER_MARK ? line.slice(1) : line
}
