/**
 * What one call into the addon costs when it does nothing, beside the same call in JavaScript.
 */

import { JournalFramer } from '../../api/native.js'
import { measureInterleaved } from '../../js/cli/bench/measure.js'
import { answerParent } from '../child.js'

const CALLS = 200_000

await answerParent(async ({ plan }) => {
  const framer = new JournalFramer()
  const plain = { push: (chunk) => (chunk.length > 0 ? [chunk] : []) }
  const empty = new Uint8Array(0)
  const timings = await measureInterleaved(
    [
      { name: 'push of an empty Uint8Array', run: async () => repeat(() => framer.push(empty)) },
      { name: 'push of an empty string', run: async () => repeat(() => framer.push('')) },
      { name: 'pendingBytes', run: async () => repeat(() => framer.pendingBytes) },
      { name: 'the same in JavaScript', run: async () => repeat(() => plain.push(empty)) },
    ],
    plan,
  )
  return Object.entries(timings).map(([name, { medianMs }]) => ({
    name,
    nsPerCall: (medianMs * 1e6) / CALLS,
  }))
})

function repeat(call) {
  for (let left = CALLS; left > 0; left -= 1) call()
}
