/** Sentinels behind what an agent wrote last, in the same line. */

import { expect, test } from 'vitest'
import { exitSentinelLine, journalPaths } from '../../api/native.js'
import { takeSentinel } from '../../js/runtime/sentinel.js'

const paths = journalPaths('run')
const sentinel = exitSentinelLine(paths, 3)

test.each(['{"a":1}', '{"cut', 'banner ', '"', '[', sentinel, '{"__exit":', '{"__exit":0,'])(
  'is found behind %s',
  (rest) => {
    expect(takeSentinel(rest + sentinel, paths)).toEqual({ code: 3, rest })
  },
)

test('alone in its line leaves nothing', () => {
  expect(takeSentinel(sentinel, paths)).toEqual({ code: 3, rest: '' })
})

test.each([
  ['another run’s', `1${exitSentinelLine(journalPaths('other'), 3)}`],
  ['with text behind it', `1${sentinel}1`],
  ['in an array', `[${sentinel}]`],
  ['in an object', `{"a":${sentinel}}`],
  ['in a text', JSON.stringify(`1${sentinel}`)],
  ['with an exit code that is no integer', `1{"__exit":1.5,"__nonce":"${paths.nonce}"}`],
  ['cut off', `1${sentinel.slice(0, -1)}`],
  ['without its start', `1${sentinel.slice(1)}`],
])('one %s is none', (_, line) => {
  expect(takeSentinel(line, paths)).toBeUndefined()
})
