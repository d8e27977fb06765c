/** A route of Next.js. The setting: `serverExternalPackages`. */

import { createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { EXPECTED, useProject } from './support/project.js'

const START_LIMIT_MS = 60_000
const NEXT = 'node_modules/next/dist/bin/next'

const project = useProject('next')
let server
afterAll(() => server?.stop())

test('a route, built and started', async () => {
  await project.script('build')
  const port = await freePort()
  const args = [NEXT, 'start', '--hostname', '127.0.0.1', '--port', `${port}`]
  server = project.start(process.execPath, args)
  const response = await firstAnswer(`http://127.0.0.1:${port}/api/journal`)
  expect(await response.json()).toEqual(EXPECTED)
})

/** Asks until the server listens. */
async function firstAnswer(url) {
  const limit = Date.now() + START_LIMIT_MS
  let hasEnded = false
  server.ended.then(() => {
    hasEnded = true
  })
  for (;;) {
    try {
      return await fetch(url)
    } catch (error) {
      const { stdout, stderr } = server.output
      if (hasEnded || Date.now() > limit) {
        throw new Error(`the server gave no answer:\n${stdout}${stderr}`, { cause: error })
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return port
}
