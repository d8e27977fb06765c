/** Starts a process of the sandbox, and gives it its input, if there is any. */
export async function startProcess(handle, command, processOptions, input) {
  const process = await handle.process.spawn(command, processOptions)
  if (input !== undefined) {
    await process.stdin.write(input)
    await process.stdin.end()
  }
  return process
}
