/** A background job of the port, and the tail of its output. */

const MAX_OUTPUT_BYTES = 1_048_576
const PIECE_LENGTH = 32_768

/**
 * @param {(pid: string) => Promise<string | undefined>} startOf - When a process started.
 */
export function startJob(handle, command, options, startOf) {
  const output = new OutputTail()
  const onOutput = options?.onOutput
  const collect = async (stream) => {
    for await (const chunk of stream) {
      output.push(chunk)
      onOutput?.(chunk)
    }
  }
  const started = (async () =>
    handle.process.spawn(command, { cwd: options?.cwd, env: options?.env }))()
  const exited = started
    .then(async (child) => {
      const [exitCode] = await Promise.all([
        child.wait(),
        collect(child.stdout),
        collect(child.stderr),
      ])
      return { exitCode }
    })
    .catch((error) => {
      output.push(String(error))
      return { exitCode: 1 }
    })
  return {
    wait: () => exited,
    kill: () => {
      started.then((child) => child.kill()).catch(() => undefined)
    },
    output: () => output.text(),
    jobId: idOf(started, startOf),
  }
}

/** A caller who does not ask for the id must not hear of it, so this never rejects. */
async function idOf(started, startOf) {
  try {
    const { pid } = await started
    const start = await startOf(String(pid))
    return start === undefined ? String(pid) : `${pid}:${start}`
  } catch {
    return undefined
  }
}

/** The newest text of at most 1 MiB in UTF-8. */
class OutputTail {
  #pieces = ['']
  #length = 0

  push(chunk) {
    const text = `${chunk}`
    // Tiny chunks are joined, so that there are few pieces.
    if (this.#pieces.at(-1).length < PIECE_LENGTH) this.#pieces.push(this.#pieces.pop() + text)
    else this.#pieces.push(text)
    this.#length += text.length
    // A UTF-16 unit is at least a byte, so what is left is long enough.
    while (this.#length - this.#pieces[0].length >= MAX_OUTPUT_BYTES) {
      this.#length -= this.#pieces.shift().length
    }
  }

  text() {
    const all = this.#pieces.join('')
    const bytes = Buffer.from(all)
    if (bytes.length <= MAX_OUTPUT_BYTES) return all
    let from = bytes.length - MAX_OUTPUT_BYTES
    // Not inside a character.
    while ((bytes[from] & 0xc0) === 0x80) from += 1
    // Cut from the string: a pair of surrogates may have come by half.
    return all.slice(all.length - bytes.toString('utf8', from).length)
  }
}
