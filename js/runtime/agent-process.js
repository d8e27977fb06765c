import { asProcess } from './answers.js'

/** What a write gives when its reader is gone. */
const READER_GONE = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'])

/** Starts a process of the sandbox, and gives it its input, if there is any. */
export async function startProcess(handle, command, processOptions, input) {
  const process = asProcess(await handle.process.spawn(command, processOptions))
  await giveInput(process, input)
  return process
}

/**
 * Writes the input of a process, if there is any, and closes it. That the process ends without
 * reading it is no error: how it ended is what its exit code tells.
 */
export async function giveInput({ stdin }, input) {
  if (input === undefined) return
  try {
    await stdin.write(input)
    await stdin.end()
  } catch (error) {
    if (!READER_GONE.has(error?.code)) throw error
  }
}
