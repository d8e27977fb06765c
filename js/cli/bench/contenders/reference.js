/**
 * `reference`: the algorithm of the original TypeScript, step by step.
 *
 * It stays quadratic on purpose: the rest of the buffer is copied for each chunk and again for
 * each line. That is what a caller of the original pays.
 */

const NEWLINE = 0x0a

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
  let waiting = ''
  for await (const text of source) {
    waiting += text.replace(/\s+/g, '')
    const whole = waiting.length - (waiting.length % 4)
    if (whole > 0) {
      const complete = waiting.slice(0, whole)
      waiting = waiting.slice(whole)
      yield decode(complete)
    }
  }
  if (waiting !== '') throw midQuantumError(waiting.length)
}

function decode(complete) {
  const characters = atob(complete)
  const bytes = new Uint8Array(characters.length)
  for (let at = 0; at < characters.length; at += 1) bytes[at] = characters.charCodeAt(at)
  return bytes
}

async function* textBytes(source) {
  const encoder = new TextEncoder()
  for await (const text of source) {
    if (text !== '') yield encoder.encode(text)
  }
}

async function* linesOf(source, startPosition) {
  const decoder = new TextDecoder()
  let rest = new Uint8Array(0)
  let endPosition = startPosition
  for await (const bytes of source) {
    rest = join(rest, bytes)
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      endPosition += end + 1
      yield { line: decoder.decode(rest.subarray(0, end)), endPosition }
      rest = rest.slice(end + 1)
    }
  }
}

function join(first, second) {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

function midQuantumError(count) {
  return new Error(`journal: base64 frame ended mid-quantum with ${count} character(s) pending`)
}
