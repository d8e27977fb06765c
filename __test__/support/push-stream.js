/** An async iterable that gives what the test pushes, and counts how it is read. */
export class PushStream {
  #items = []
  #wakes = []
  /** How often the next item was asked for. */
  reads = 0
  /** How often it was closed. */
  returns = 0

  get isClosed() {
    return this.returns > 0
  }

  push(...values) {
    for (const value of values) this.#add({ value, done: false })
  }

  end() {
    this.#add({ value: undefined, done: true })
  }

  fail(error) {
    this.#add({ error })
  }

  [Symbol.asyncIterator]() {
    return this
  }

  async next() {
    this.reads += 1
    while (this.#items.length === 0) {
      await new Promise((resolve) => this.#wakes.push(resolve))
    }
    const item = this.#items.shift()
    if ('error' in item) throw item.error
    return item
  }

  async return() {
    this.returns += 1
    return { value: undefined, done: true }
  }

  #add(item) {
    this.#items.push(item)
    for (const wake of this.#wakes.splice(0)) wake()
  }
}
