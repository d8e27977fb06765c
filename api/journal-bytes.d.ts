/// <reference lib="esnext.disposable" />

/**
 * The journal framing of `@tanstack/ai-sandbox`, in Rust.
 *
 * A *journal* is an append-only NDJSON file inside a sandbox. These functions turn what a host
 * reads of it into lines with absolute byte positions, so that any host can resume anywhere with
 * `tail -c +$((position + 1)) journal`.
 *
 * All three return an {@link JournalIterator}: lazy, in order, and closed like an async generator.
 *
 * @module
 */

/** One complete line of a journal. */
export interface JournalLine {
  /**
   * The text of the line without its newline, decoded as `new TextDecoder()` does: ill-formed
   * UTF-8 becomes U+FFFD, and one byte order mark at the start of the line is dropped.
   */
  line: string
  /**
   * The absolute offset in **bytes** just behind the newline of this line: `startPosition` plus
   * every byte read so far. Store it, and resume from it.
   */
  endPosition: number
}

/**
 * What the functions of this module return. It behaves as an async generator does:
 *
 * - nothing is pulled from the source before the first `next()`, and nothing while an item waits;
 * - `next()` calls that were not awaited are answered in order;
 * - `return()`, `throw()` and leaving a `for await` early close the source, once, and wait for it;
 * - an error of the source arrives behind all that came before it, as the same object.
 */
export interface JournalIterator<T> extends AsyncIterable<T> {
  /** The next item, or `{ done: true }`. Rejects with the error of the source. */
  next(): Promise<IteratorResult<T, undefined>>
  /** Closes the source, waits for it, and ends the iteration. Resolves to `{ value, done: true }`. */
  return<V = undefined>(value?: V | PromiseLike<V>): Promise<IteratorReturnResult<V>>
  /** Closes the source, waits for it, ends the iteration, and rejects with `error`. */
  throw(error?: unknown): Promise<IteratorReturnResult<undefined>>
  /** The iterator itself. */
  [Symbol.asyncIterator](): this
  /** As `return()`, for `await using`, where the runtime has `Symbol.asyncDispose`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** A source: async, or (as `for await` takes it) a plain iterable such as an array. */
export type JournalSource<T> = AsyncIterable<T> | Iterable<T | PromiseLike<T>>

/**
 * Decodes base64 text, in whatever pieces it comes, to bytes.
 *
 * White space (what `\s` matches) is dropped wherever it stands. Whole groups of four characters
 * are decoded, by the rules of `atob`; up to three characters wait for the next chunk. A chunk
 * that completes a group gives exactly one `Uint8Array`, any other chunk none.
 *
 * @param chunks - Base64 text. What one chunk completes is one unit: `=` may only end it.
 * @throws {DOMException} `InvalidCharacterError`, for a character that isn't base64 or padding
 *   within a unit. The message tells the character and its index in the stream, counted from 0 in
 *   UTF-16 code units, white space included. Nothing of that chunk is delivered, and the source is
 *   closed.
 * @throws {Error} `journal: base64 frame ended mid-quantum with N character(s) pending`, when the
 *   input ends inside a group.
 * @throws {TypeError} For a chunk that isn't a string. The source is closed.
 */
export function decodeBase64Stream(
  chunks: JournalSource<string>,
): JournalIterator<Uint8Array<ArrayBuffer>>

/**
 * Encodes text, in whatever pieces it comes, as UTF-8. An empty chunk is dropped; a lone surrogate
 * becomes U+FFFD (`EF BF BD`).
 *
 * One difference from the original: a surrogate pair that is cut between two chunks is the one
 * character it was. The original makes two U+FFFD of it, and all positions behind are off by two.
 *
 * @param chunks - Text.
 * @throws {TypeError} For a chunk that isn't a string. The source is closed.
 */
export function encodeUtf8Stream(
  chunks: JournalSource<string>,
): JournalIterator<Uint8Array<ArrayBuffer>>

/**
 * Splits bytes into lines with absolute positions.
 *
 * A line ends at the byte `0x0A` and at nothing else. A line without its newline is never
 * delivered and its bytes never counted: it is a line that the agent still writes.
 *
 * Over a stream of {@link decodeBase64Stream} or {@link encodeUtf8Stream} the two work as one, and
 * no bytes are made in between.
 *
 * @param byteChunks - Bytes, in any pieces. The producer may reuse a buffer when it is asked for
 *   the next one.
 * @param startPosition - The absolute offset in bytes of the first byte of `byteChunks`.
 * @throws {TypeError} For a chunk that isn't a `Uint8Array`. The source is closed.
 * @throws {RangeError} For a line that is too long for a JavaScript string (about 512 MiB of
 *   characters); it names where the line starts. The source is closed.
 */
export function toJournalLines(
  byteChunks: JournalSource<Uint8Array>,
  startPosition: number,
): JournalIterator<JournalLine>
