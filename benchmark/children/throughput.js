/**
 * One case: every contender over one input in one shape. Answers first, times after.
 */

import { answerOf, assertSameAnswer, expectedAnswer } from '../../js/cli/bench/answers.js'
import { makeJournal } from '../../js/cli/bench/inputs.js'
import { measureInterleaved } from '../../js/cli/bench/measure.js'
import { cutJournal } from '../../js/cli/bench/sources.js'
import { answerParent } from '../child.js'
import { FRAMERS } from '../contenders/index.js'
import { makeFloorRunner, makeFramerRunner } from '../runners.js'

await answerParent(async ({ source, chunk, content, size, contenders, plan }) => {
  const journal = makeJournal(content, size)
  const chunks = cutJournal(journal, { source, chunk })
  // Text that was decoded has lost its ill-formed bytes already.
  const read = source === 'text' ? Buffer.from(chunks.join('')) : journal
  const expected = expectedAnswer(read, 0)

  const runners = []
  for (const name of contenders) {
    if (!FRAMERS.includes(name)) continue
    const { open, run } = await makeFramerRunner(name, source, chunks)
    assertSameAnswer(name, await answerOf(open()), expected)
    runners.push({ name, run, slow: name === 'reference' })
  }
  const answer = { lines: expected.count, bytes: journal.length, digest: expected.digest }
  if (plan === undefined) return answer

  if (contenders.includes('floor')) {
    runners.push({ name: 'floor', ...(await makeFloorRunner(journal, expected.count)) })
  }
  return { ...answer, timings: await measureInterleaved(runners, plan) }
})
