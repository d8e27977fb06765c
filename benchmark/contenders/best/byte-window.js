/**
 * A buffer that collects bytes until lines are complete, then decodes them with one call.
 *
 * The incomplete line at its end moves to the front when the next bytes come. It grows by
 * doubling, so a line of any length costs linear time.
 */

import { isAscii, transcode } from 'node:buffer'

/** Smaller windows cost more calls, larger ones leave the cache and V8's young generation. */
export const WINDOW_BYTES = 65_536

/**
 * Below this one `utf8Slice` is faster than an ASCII check and a decode, or than `transcode` with
 * its copy; above it `transcode` wins by 4 to 7 times on non-ASCII.
 */
const SMALL_BYTES = 1024
const NEWLINE = 0x0a

export class ByteWindow {
  buffer = Buffer.allocUnsafeSlow(2 * WINDOW_BYTES)
  length = 0
  #consumed = 0

  /** Makes room for `count` more bytes behind the incomplete line. */
  reserve(count) {
    if (this.#consumed > 0) {
      this.buffer.copyWithin(0, this.#consumed, this.length)
      this.length -= this.#consumed
      this.#consumed = 0
    }
    if (this.length + count <= this.buffer.length) return
    const larger = Buffer.allocUnsafeSlow(2 * (this.length + count))
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }

  /** Hands the complete lines to `lines`, given that the last `added` bytes are new. */
  completeLines(lines, added) {
    const end = lastNewline(this.buffer, this.length - added, this.length) + 1
    if (end === 0) return
    setWindow(lines, this.buffer, end)
    this.#consumed = end
  }
}

/** Makes the first `end` bytes of `buffer` the window of `lines`. */
export function setWindow(lines, buffer, end) {
  // The window before this one has been read by now.
  lines.base += lines.windowBytes
  lines.windowBytes = end
  lines.at = 0
  lines.byteAt = 0
  if (end < SMALL_BYTES) {
    lines.text = buffer.utf8Slice(0, end)
    // As many units as bytes: each byte became one unit, so offsets are the same.
    lines.bytes = lines.text.length === end ? null : buffer
  } else {
    const bytes = end === buffer.length ? buffer : buffer.subarray(0, end)
    const ascii = isAscii(bytes)
    lines.text = ascii ? buffer.latin1Slice(0, end) : lines.decode(bytes)
    lines.bytes = ascii ? null : buffer
  }
}

/** UTF-8 to a string by way of UTF-16, which skips the slow decoder of V8. */
export function decodeByTranscode(bytes) {
  try {
    const units = transcode(bytes, 'utf8', 'ucs2')
    return units.ucs2Slice(0, units.length)
  } catch {
    return decodeByUtf8Slice(bytes) // Ill-formed: `transcode` refuses it.
  }
}

/** UTF-8 to a string as everybody does it. */
export function decodeByUtf8Slice(bytes) {
  return bytes.utf8Slice(0, bytes.length)
}

/** `lastIndexOf`, in a loop where it ends soon: a call into C++ costs more than a short line. */
function lastNewline(buffer, from, to) {
  const soon = Math.max(from, to - 32)
  for (let at = to - 1; at >= soon; at -= 1) if (buffer[at] === NEWLINE) return at
  if (soon === from) return -1
  // Of the new bytes alone: a long line would be searched again from its start for each chunk.
  const found = buffer.subarray(from, soon).lastIndexOf(NEWLINE)
  return found === -1 ? -1 : from + found
}
