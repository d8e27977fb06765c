/// <reference lib="esnext.disposable" />

/**
 * A journal on a disk that this host has: read and split into lines by native code, on other threads.
 *
 * For a sandbox that is elsewhere, read the journal through the sandbox's shell instead.
 *
 * @module
 */

import type { JournalIterator, JournalLine } from './journal-bytes.js'

/** Options of {@link JournalFile}. */
export interface JournalFileOptions {
  /**
   * The offset in bytes to start from: 0, or the `endPosition` of a line. Default: 0.
   */
  position?: number | undefined
  /**
   * Whether to go on at the end of the file and wait for more, until it is closed. Default: `false`:
   * the reading ends at the end of the file, as it is when that is reached.
   */
  follow?: boolean | undefined
  /**
   * With `follow`: how long to wait at the end of the file before looking again, in milliseconds,
   * at least 1. The first waits after a growth are shorter, from 10 ms on. Default: 100.
   */
  pollIntervalMs?: number | undefined
}

/**
 * The lines of a journal file, once to its end or as it grows.
 *
 * The lines are those of `toJournalLines` over the bytes of the file from `position` on. A last line
 * without its newline isn't delivered: it is still being written.
 *
 * An object is read once, by a loop over it or over {@link batches}. Its reading is closed by its
 * end, by an error, by leaving the loop and by {@link close}. Until then it has the file open, from
 * the first `next()` on, and a follower that waits keeps the process alive.
 *
 * Errors come behind all lines that can be read of the file, and have a `code` and the `path`:
 *
 * | `code` | |
 * | --- | --- |
 * | `ENOENT`, `EACCES`, … | the file isn't there or can't be read; as from `node:fs` |
 * | `EAGAIN` | there is no thread to read with: the system, or the container, gives no more |
 * | `ERR_JOURNAL_NOT_A_FILE` | the path names a folder, a FIFO, a socket or a device |
 * | `ERR_JOURNAL_POSITION` | a `RangeError`: the file ends before `position` |
 * | `ERR_JOURNAL_TRUNCATED` | the file has become shorter than what was read of it |
 * | `ERR_JOURNAL_REPLACED` | with `follow`: the path names another file now |
 * | `ERR_JOURNAL_REMOVED` | with `follow`: the path names no file any more |
 *
 * A line that is too long for a JavaScript string is a `RangeError`, as in `toJournalLines`.
 *
 * A file that was truncated and has grown past what was read again, between two looks at it, is
 * taken for the same that has grown.
 *
 * @example
 * ```ts
 * const file = new JournalFile('/tmp/tanstack-runs/run-1.ndjson', { position, follow: true })
 * for await (const { line, endPosition } of file) {
 *   await handle(JSON.parse(line))
 *   await store(endPosition)
 * }
 * ```
 */
export class JournalFile implements AsyncIterable<JournalLine> {
  /**
   * Opens nothing yet: what is wrong with the file is an error of the first `next()`.
   *
   * @param path - The file. A relative path is relative to where the process is now.
   * @throws {TypeError} For an argument of the wrong type.
   * @throws {RangeError} For a `position` that is no non-negative safe integer, or a
   *   `pollIntervalMs` below 1.
   */
  constructor(path: string, options?: JournalFileOptions)

  /**
   * The absolute offset in bytes behind the last line that was delivered, by `next()` or as part of
   * an array: where to resume.
   */
  readonly position: number;

  /**
   * The lines, one by one. `return()` and `throw()` of the iterator end a `next()` that waits.
   *
   * @throws {TypeError} When the object is or was being read.
   */
  [Symbol.asyncIterator](): JournalIterator<JournalLine>

  /**
   * The lines in arrays of at least one and about 24 KiB: the same, with no promise for each line.
   *
   * @throws {TypeError} When the object is or was being read.
   */
  batches(): JournalIterator<JournalLine[]>

  /**
   * Ends the reading: a `next()` that waits is answered with `done` at once, and lines that weren't
   * delivered never are. May be called at any time and any number of times.
   *
   * @returns A promise that is fulfilled when the file is closed. Where a thread reads just then,
   *   that read is waited for.
   */
  close(): Promise<void>

  /** As {@link close}, for `await using`, where the runtime has `Symbol.asyncDispose`. */
  [Symbol.asyncDispose](): Promise<void>
}
