/** The race of a command with its timeout and its signal. */

import { binding } from '../load.js'

const { EXIT_CODE_NOT_RUN, EXIT_CODE_SIGNAL, EXIT_CODE_TIMEOUT, timerMs } = binding

/** Runs a command. The result doesn't wait for a sandbox that can't stop it. */
export function exec(handle, command, options = {}) {
  const { cwd, env, timeoutMs, signal } = options
  const controller = new AbortController()
  let stop
  const stopped = new Promise((resolve) => {
    stop = (exitCode) => {
      resolve({ exitCode, stdout: '', stderr: '' })
      controller.abort()
    }
  })
  const onAbort = () => stop(EXIT_CODE_SIGNAL)
  // First, as a signal that is none throws, and no timer may be left then.
  signal?.addEventListener('abort', onAbort)
  const delay = timeoutMs ? timerMs(Number(timeoutMs)) : null
  const timer = delay === null ? undefined : setTimeout(() => stop(EXIT_CODE_TIMEOUT), delay)
  if (signal?.aborted) onAbort()
  const run = start(() => handle.process.exec(command, { cwd, env, signal: controller.signal }))
  return Promise.race([stopped, run.catch(notRun)]).finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  })
}

/** What `call` gives, awaited: also where it throws, or gives a promise with methods of its own. */
export async function start(call) {
  return await call()
}

function notRun(error) {
  return { exitCode: EXIT_CODE_NOT_RUN, stdout: '', stderr: String(error) }
}
