/**
 * All that has a native implementation. Loads nothing of `@tanstack/ai-sandbox`, and throws the load
 * error where the native library doesn't load.
 *
 * @module
 */

import type { JournalIterator, JournalLine, JournalSource } from './journal-bytes.js'

export * from './attach-preflight.js'
export * from './journal.js'
export type { JournalIterator, JournalLine, JournalSource } from './journal-bytes.js'
export { decodeBase64Stream, encodeUtf8Stream, toJournalLines } from './journal-bytes.js'
export * from './journal-file.js'
export * from './journal-reader.js'
export * from './journal-sweep.js'
export * from './runner.js'
export * from './workspace-backend.js'

/**
 * {@link toJournalLines} in arrays: the same lines, with no promise for each. For consumers that
 * handle many lines at once.
 *
 * An array holds at least one line and about 16 KiB of the journal. It comes as soon as its lines
 * have arrived: nothing waits for an array to fill.
 *
 * @param byteChunks - As for {@link toJournalLines}.
 * @param startPosition - As for {@link toJournalLines}.
 * @throws As {@link toJournalLines}.
 *
 * @example
 * ```ts
 * for await (const lines of toJournalLineBatches(decodeBase64Stream([stdout]), position)) {
 *   for (const { line, endPosition } of lines) handle(JSON.parse(line), endPosition)
 * }
 * ```
 */
export function toJournalLineBatches(
  byteChunks: JournalSource<Uint8Array>,
  startPosition: number,
): JournalIterator<JournalLine[]>

/**
 * The framing without streams, for who has the bytes in hand: push what came, get the lines that
 * it completes.
 *
 * @example
 * ```ts
 * const framer = new JournalFramer(position)
 * socket.on('data', (bytes) => {
 *   for (const { line, endPosition } of framer.push(bytes)) handle(line, endPosition)
 * })
 * ```
 */
export class JournalFramer {
  /**
   * @param startPosition - The absolute offset in bytes of the first byte that will be pushed.
   *   Default: 0.
   */
  constructor(startPosition?: number)

  /** The absolute offset in bytes behind the last complete line: where a later read resumes. */
  readonly position: number

  /**
   * How many bytes behind {@link position} wait for their newline. What could still turn out to be
   * something else isn't counted: a half of a surrogate pair, an incomplete group of base64.
   */
  readonly pendingBytes: number

  /**
   * Takes bytes, or text as {@link encodeUtf8Stream} does, and returns the lines that it completes.
   * The chunk is used during the call only. An empty one changes nothing, also between two halves of a
   * surrogate pair.
   *
   * @throws {TypeError} For a chunk that is neither a `Uint8Array` nor a string; after `finish()`.
   * @throws {RangeError} For a line that is too long for a JavaScript string. The framer is then
   *   finished.
   */
  push(chunk: Uint8Array | string): JournalLine[]

  /**
   * Takes base64 text as {@link decodeBase64Stream} does, and returns the lines that it completes.
   *
   * @throws {DOMException} `InvalidCharacterError`; nothing of `text` was taken.
   * @throws {TypeError} When `text` isn't a string; after `finish()`.
   * @throws {RangeError} As {@link push}.
   */
  pushBase64(text: string): JournalLine[]

  /**
   * Says that the input has ended. A line without its newline is not delivered.
   *
   * @throws {Error} `journal: base64 frame ended mid-quantum with N character(s) pending`.
   */
  finish(): void
}

/** The version of this package, which is also the version of the native library it loaded. */
export const version: string
