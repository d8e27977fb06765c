/** What the agent of the tests prints: each event follows from its number. */

const TEXTS = [
  'plain',
  'größe, 日本, 😀 and 👩‍💻',
  'quotes " \' \\ and\nnewlines\tin JSON',
  '\u2028 \ufeff \u0000',
  '',
]
/** Now and then a line that is longer than a pipe takes at once. */
const LONG_EVERY = 17
const LONG_REPEATS = 3000

/** The event with number `seq`, counted from 0. */
export function eventAt(seq) {
  const text = TEXTS[seq % TEXTS.length]
  return { type: 'message', seq, text: seq % LONG_EVERY === 5 ? text.repeat(LONG_REPEATS) : text }
}

/** The first `count` events. */
export function eventsUpTo(count) {
  return Array.from({ length: count }, (_, seq) => eventAt(seq))
}
