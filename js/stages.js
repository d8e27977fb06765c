/**
 * Stages turn the chunks of a source into items. A `JournalIterator` drives one:
 *
 * - `take()` gives an item that is ready, at no cost;
 * - `refill()` makes the next items of the chunk that was accepted last;
 * - `accept(chunk)` takes a chunk, once `refill()` has nothing more;
 * - `finish()` ends the input, and may give a last item;
 * - `toPublicError(error)` is the error to throw for what one of these threw.
 *
 * All but the first may throw. An item is never `undefined`, which says that there is none.
 */

import { countLines, hasMore, mayHoldSentinel, readBatch } from './batch.js'
import { Base64Codec, BytesCodec } from './codecs.js'
import { toPublicError } from './errors.js'
import { binding } from './load.js'

const { nextLines, takeBytes, watchSentinel } = binding

/** Base64 or text to bytes: one `Uint8Array` for a chunk that completes any. */
export class DecodeStage {
  #Codec
  #codec
  #item
  /** The stage that reads lines through this one's codec, once the two are fused. */
  #reader

  /** @param {new () => import('./codecs.js').TextCodec} Codec */
  constructor(Codec) {
    this.#Codec = Codec
  }

  /** Made late, so that a stream that nobody reads costs nothing. */
  get codec() {
    this.#codec ??= new this.#Codec()
    return this.#codec
  }

  get hasReader() {
    return this.#reader !== undefined
  }

  /** Lets `reader` use the codec. Its chunk comes first, if this stage is then read directly. */
  lendTo(reader) {
    this.#reader = reader
    return this.codec
  }

  take() {
    const item = this.#item
    this.#item = undefined
    return item
  }

  refill() {
    return undefined
  }

  accept(chunk) {
    this.#reader?.absorb()
    const { codec } = this
    codec.begin(chunk)
    while (codec.at < codec.length) codec.toBytes()
    this.#item = takeBytes(codec.native)
  }

  finish() {
    const { codec } = this
    codec.finish()
    return takeBytes(codec.native)
  }

  toPublicError(error) {
    return toPublicError(error, 0)
  }
}

/** Bytes, or what a codec makes of text, to lines, many at a time. */
export class LineStage {
  #Codec
  #codec
  #position
  /** Whether native code holds complete lines. */
  #more = false
  #lines = []
  #next = 0
  #nonce
  #mayHoldSentinel = false

  /**
   * @param {number} position where the first line starts, in bytes
   * @param {new () => import('./codecs.js').BytesCodec} [Codec] of the chunks that come
   */
  constructor(position, Codec = BytesCodec) {
    this.#position = position
    this.#Codec = Codec
  }

  /** Behind the lines of the batch that was made last, in bytes. */
  get position() {
    return this.#position
  }

  /** Reads what `stage` decodes, with no bytes made in between. */
  fuseWith(stage) {
    this.#codec = stage.lendTo(this)
  }

  take() {
    if (this.#next < this.#lines.length) return this.#lines[this.#next++]
    return undefined
  }

  refill() {
    const lines = this.nextBatch()
    if (lines === undefined) return undefined
    this.#lines = lines
    this.#next = 1
    return lines[0]
  }

  accept(chunk) {
    this.#codec ??= this.#createCodec()
    this.#codec.begin(chunk)
  }

  /**
   * Looks out for the exit sentinel of a run, from the next chunk on.
   *
   * @param {string} nonce
   */
  watchSentinel(nonce) {
    this.#nonce = nonce
  }

  /** Whether one of the lines of the batch that was made last may be the sentinel. */
  get mayHoldSentinel() {
    return this.#mayHoldSentinel
  }

  /** Says that nothing follows the chunks that came. */
  finishCodec() {
    this.#codec?.finish()
  }

  /** Forgets what has come and was not delivered. */
  discard() {
    this.#codec = undefined
    this.#more = false
    this.#lines = []
    this.#next = 0
  }

  finish() {
    return undefined
  }

  toPublicError(error) {
    return toPublicError(error, this.#position)
  }

  /** Takes a chunk of the stage that lends its codec. Gives whether it completes any bytes. */
  acceptUndecoded(chunk) {
    const completes = this.#codec.begin(chunk)
    // What waits in the codec must not wait for a reader that sees nothing to read.
    if (!completes) this.absorb()
    return completes
  }

  /** Takes in the rest of the present chunk at once, since the codec is wanted for another. */
  absorb() {
    const codec = this.#codec
    while (codec.at < codec.length) {
      codec.hold()
      this.#more = true
    }
  }

  /** The lines that native code has next, or else that the present chunk completes. */
  nextBatch() {
    const codec = this.#codec
    if (codec === undefined) return undefined
    while (this.#more || codec.at < codec.length) {
      const text = this.#more ? nextLines(codec.native) : codec.toLines()
      this.#more = text !== undefined && hasMore()
      if (text === undefined) continue
      this.#mayHoldSentinel = mayHoldSentinel()
      const lines = new Array(countLines())
      this.#position = readBatch(text, this.#position, lines, 0)
      return lines
    }
    return undefined
  }

  #createCodec() {
    const codec = new this.#Codec()
    if (this.#nonce !== undefined) watchSentinel(codec.native, this.#nonce)
    return codec
  }
}

/**
 * Frames of base64 to lines. Each chunk is a frame, which starts at the position behind the last
 * complete line: what was incomplete comes again.
 */
export class FrameStage extends LineStage {
  constructor(position) {
    super(position, Base64Codec)
  }

  accept(chunk) {
    this.discard()
    super.accept(chunk)
  }

  nextBatch() {
    const lines = super.nextBatch()
    if (lines === undefined) this.finishCodec()
    return lines
  }
}

/** Bytes to arrays of lines. */
export class BatchStage extends LineStage {
  take() {
    return undefined
  }

  refill() {
    return this.nextBatch()
  }
}
