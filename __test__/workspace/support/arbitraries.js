/** Random trees, paths and providers for the differential tests. */

import fc from 'fast-check'
import { oddErrors, turn } from './settle.js'

const NAMES = ['a', 'b', 'c', '-n', "it's", 'x y', 'new\nline', 'é', '😀', '...', '"q"', '$v']

const name = fc.constantFrom(...NAMES)
const step = fc.oneof(
  { weight: 6, arbitrary: name },
  { weight: 1, arbitrary: fc.constantFrom('..', '.', '') },
)

/** A path of a few parts out of few names, so that it often hits something. */
export const path = fc
  .tuple(fc.constantFrom('/', '/', '/', '', '//', './', '../'), fc.array(step, { maxLength: 4 }))
  .chain(([start, parts]) =>
    fc.constantFrom('', '', '', '/', '/.', '//').map((end) => start + parts.join('/') + end),
  )

const target = fc
  .tuple(fc.constantFrom('/', '', '../', '../../'), fc.array(step, { minLength: 1, maxLength: 3 }))
  .map(([start, parts]) => start + parts.join('/') || '.')

const node = fc.oneof(
  { weight: 2, arbitrary: fc.constant('dir') },
  { weight: 1, arbitrary: fc.constant('other') },
  { weight: 2, arbitrary: fc.string({ maxLength: 20 }).map((file) => ({ file })) },
  { weight: 5, arbitrary: target.map((link) => ({ link })) },
)

/** A tree full of links. Nothing is below a file or a link. */
export const tree = fc
  .array(fc.tuple(fc.array(name, { minLength: 1, maxLength: 3 }), node), { maxLength: 14 })
  .map((entries) => {
    const nodes = {}
    const leaves = new Set()
    const isBelowLeaf = (parts) =>
      parts.some((_, index) => index > 0 && leaves.has(`/${parts.slice(0, index).join('/')}`))
    for (const [parts, made] of entries) {
      const at = `/${parts.join('/')}`
      const isParent = Object.keys(nodes).some((other) => other.startsWith(`${at}/`))
      if (at in nodes || isParent || isBelowLeaf(parts)) continue
      nodes[at] = made
      if (made !== 'dir') leaves.add(at)
    }
    return nodes
  })

/** How the provider answers its nth call: mostly as asked, now and then with an error. */
export const behaviour = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ way: fc.constantFrom('promise', 'plain', 'thenable', 'late') }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        way: fc.constantFrom('reject', 'throw', 'late reject'),
        error: fc.constantFrom(...oddErrors.map(([, error]) => error)),
      }),
    },
  ),
  { minLength: 1, maxLength: 12 },
)

/** The `answer` of a memory sandbox that behaves so. A fresh one for each sandbox. */
export function answerBy(steps) {
  let count = 0
  return (work) => {
    const { way, error } = steps[count % steps.length]
    count += 1
    return WAYS[way](work, error)
  }
}

const WAYS = {
  promise: async (work) => work(),
  plain: (work) => work(),
  late: async (work) => {
    await turn()
    return work()
  },
  // biome-ignore lint/suspicious/noThenProperty: a thenable is what this is.
  thenable: (work) => ({ then: (resolve) => resolve(work()) }),
  reject: (_work, error) => Promise.reject(error),
  throw: (_work, error) => {
    throw error
  },
  'late reject': async (_work, error) => {
    await turn()
    throw error
  },
}

const infinity = fc.constant(Number.POSITIVE_INFINITY)
const lineNumber = fc.oneof(
  fc.integer(),
  fc.double({ min: -1e6, max: 1e12, noDefaultInfinity: true }),
)

/** One operation of the backend, as a function of it. */
export const operation = fc.oneof(
  ...['stat', 'realpath', 'readdir', 'remove', 'readFile'].map((method) =>
    fc.record({ method: fc.constant(method), args: fc.tuple(path) }),
  ),
  fc.record({
    method: fc.constant('writeFile'),
    args: fc.tuple(path, fc.string({ maxLength: 9 })),
  }),
  fc.record({
    method: fc.constant('readLines'),
    args: fc.tuple(path, fc.record({ offset: lineNumber, limit: fc.oneof(lineNumber, infinity) })),
  }),
  fc.record({ method: fc.constant('exec'), args: fc.tuple(fc.string()) }),
  fc.record({
    method: fc.constant('killJob'),
    args: fc.tuple(fc.stringMatching(/^\d{0,3}(:start|:x|)$/)),
  }),
)
