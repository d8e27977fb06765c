import { JournalIterator } from '../iterator.js'
import { TextLineStage } from './text-lines.js'

/**
 * The iterator that `create` makes. What is wrong with its arguments is told by the first `next()`,
 * as an async generator does it.
 *
 * @param {() => { source: AsyncIterator<unknown>, stage: object }} create
 */
export function iterate(create) {
  let source
  let stage = new TextLineStage()
  let failure
  try {
    ;({ source, stage } = create())
  } catch (error) {
    failure = { error }
  }
  const open = () => {
    if (failure !== undefined) throw failure.error
    return source
  }
  return new JournalIterator({ [Symbol.asyncIterator]: open }, stage)
}
