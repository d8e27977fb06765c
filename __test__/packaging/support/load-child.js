/** Imports the loader whose path is given, and prints what it found. */

import { createHook } from 'node:async_hooks'
import { pathToFileURL } from 'node:url'

const kinds = new Set()
createHook({ init: (_id, type) => kinds.add(type) }).enable()

const startedAt = performance.now()
const outcome = await import(pathToFileURL(process.argv[2])).then(({ binding, failure }) =>
  failure ? describe(failure) : { version: binding.version() },
)
const ms = performance.now() - startedAt
console.log(JSON.stringify({ ...outcome, ms, kinds: [...kinds] }))

function describe(error) {
  return {
    isError: error instanceof Error,
    code: error.code,
    message: error.message,
    cause: error.cause?.code,
  }
}
