/** Lines to events: what each line is as JSON. */

/** Stands for a line that has no event. */
const NONE = Symbol('none')

/**
 * A stage, as `js/stages.js` describes it, over a stage that gives lines.
 *
 * A line is parsed once, when its event is asked for. `refill()` does what may throw: it calls the
 * user's function.
 */
export class EventStage {
  #lines
  #onNonJsonLine
  #sentinel
  /** A line that isn't JSON and was not told of yet. */
  #strange
  /** Whether the user's function has thrown. */
  #isUsersError = false
  #isOver = false

  /**
   * @param {object} lines - A stage of strings or of journal lines.
   * @param {object} [options]
   * @param {(line: string) => void} [options.onNonJsonLine]
   * @param {{ isExpected(): boolean, take(line: string): string | undefined }} [options.sentinel] -
   *   Whether the line that was taken last may end the run; and what it holds besides the end, if it
   *   does.
   */
  constructor(lines, { onNonJsonLine, sentinel } = {}) {
    this.#lines = lines
    this.#onNonJsonLine = onNonJsonLine
    this.#sentinel = sentinel
  }

  take() {
    while (this.#strange === undefined && !this.#isOver) {
      const line = this.#lines.take()
      if (line === undefined) return undefined
      const event = this.#eventOf(line)
      if (event !== NONE) return event
    }
    return undefined
  }

  refill() {
    while (this.#strange !== undefined || !this.#isOver) {
      if (this.#strange !== undefined) this.#tellOfStrange()
      else {
        const line = this.#lines.refill()
        if (line === undefined) return undefined
        const event = this.#eventOf(line)
        if (event !== NONE) return event
      }
      const event = this.take()
      if (event !== undefined) return event
    }
    return undefined
  }

  accept(chunk) {
    this.#lines.accept(chunk)
  }

  finish() {
    const line = this.#isOver ? undefined : this.#lines.finish()
    if (line === undefined) return undefined
    const event = this.#eventOf(line)
    if (event !== NONE) return event
    this.#tellOfStrange()
    return undefined
  }

  toPublicError(error) {
    return this.#isUsersError ? error : this.#lines.toPublicError(error)
  }

  /** The event of a line, or {@link NONE}: of a blank one, of one that isn't JSON, of the last. */
  #eventOf(item) {
    const line = (typeof item === 'string' ? item : item.line).trim()
    if (line === '') return NONE
    const rest = this.#sentinel?.isExpected() ? this.#sentinel.take(line) : undefined
    if (rest === undefined) return this.#parse(line)
    this.#isOver = true
    return rest === '' ? NONE : this.#parse(rest.trim())
  }

  #parse(line) {
    try {
      return JSON.parse(line)
    } catch {
      this.#strange = line
      return NONE
    }
  }

  #tellOfStrange() {
    const line = this.#strange
    this.#strange = undefined
    if (line === undefined) return
    this.#isUsersError = true
    this.#onNonJsonLine?.(line)
    this.#isUsersError = false
  }
}
