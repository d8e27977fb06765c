/** Takes the lock whose path is given, and notes in a log when it held it. */

import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { withLock } from '../../../scripts/lib/lock.js'

const [lock, log] = process.argv.slice(2)
await withLock(lock, async () => {
  appendFileSync(log, `${process.pid} in\n`)
  await sleep(30)
  appendFileSync(log, `${process.pid} out\n`)
})
