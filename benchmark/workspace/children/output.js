/**
 * A job that prints much, through a real child process: how long it takes, what is kept of its
 * output, and how far the process grows meanwhile.
 */

import { createLocalSandbox } from '../../../examples/local-sandbox/index.js'
import { answerParent } from '../../child.js'
import { loadBackend } from '../contenders.js'

const KIB = 1024

await answerParent(async ({ contender, size }) => {
  const sandbox = await createLocalSandbox()
  const backend = (await loadBackend(contender))(sandbox, { owned: true })
  try {
    await backend.spawn('echo warm-up').wait()
    const before = process.memoryUsage().rss
    const start = performance.now()
    const job = backend.spawn(`yes 'a line of output' | head -c ${size}`)
    const { exitCode } = await job.wait()
    const ms = performance.now() - start
    const outputBytes = Buffer.byteLength(job.output())
    if (exitCode !== 0 || outputBytes === 0) throw new Error(`${contender}: the job failed`)
    const extraBytes = process.resourceUsage().maxRSS * KIB - before
    return { ms, outputBytes, extraBytes }
  } finally {
    await backend.close({ reason: 'closed' })
  }
})
