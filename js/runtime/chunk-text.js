import { types } from 'node:util'

/**
 * The text of chunks that should be text. A stream of Node that nobody told an encoding gives the
 * bytes as they come, cut anywhere: made to text one by one they would lose the characters at the
 * cuts, and those of a `Uint8Array` would be the digits of a list.
 */
export class ChunkText {
  #decoder

  of(chunk) {
    if (!types.isUint8Array(chunk)) return `${this.end()}${chunk}`
    this.#decoder ??= new TextDecoder('utf-8', { ignoreBOM: true })
    return this.#decoder.decode(chunk, { stream: true })
  }

  /** What stands for a character that the last bytes only began. */
  end() {
    return this.#decoder?.decode() ?? ''
  }
}
