/**
 * The package against the port: same results, same errors, same calls of the sandbox in the same
 * order with the same arguments, on random trees, paths and providers.
 */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { answerBy, behaviour, operation, path, tree } from './support/arbitraries.js'
import { memorySandbox, plainCalls, result } from './support/memory-sandbox.js'
import * as port from './support/port.js'
import { outcomeOf } from './support/settle.js'
import * as subject from './support/subject.js'

const RUNS = 1500

/** What `run` gives on a sandbox of its own, and what the sandbox was asked for. */
async function observe({ sandboxWorkspaceBackend }, { nodes, steps, options, run }) {
  const {
    handle,
    calls,
    nodes: after,
  } = memorySandbox(nodes, {
    answer: answerBy(steps),
    exec: answerToPs,
    ...options,
  })
  const outcome = await run(sandboxWorkspaceBackend(handle, { owned: true }))
  return { outcome, calls: plainCalls(calls), files: [...after] }
}

/** `ps` and `kill` of a process that started at "start". */
function answerToPs(command) {
  if (command.startsWith('LC_ALL=C ps')) return result(command.includes('2') ? '' : ' start\n')
  if (command.startsWith('kill -0')) return result('', command.includes('3') ? 1 : 0)
  if (command.startsWith('kill -9')) return result()
  return undefined
}

async function expectSame(scenario) {
  const [actual, expected] = [await observe(subject, scenario), await observe(port, scenario)]
  expect(actual.calls).toStrictEqual(expected.calls)
  expectSameOutcome(actual.outcome, expected.outcome)
  expect(actual.files).toStrictEqual(expected.files)
}

/** Errors of the sandbox are the same object; those of the backend have the same class and text. */
function expectSameOutcome(actual, expected) {
  expect(Object.keys(actual)).toEqual(Object.keys(expected))
  if (!('error' in expected)) {
    expect(actual).toStrictEqual(expected)
  } else if (!Object.is(actual.error, expected.error)) {
    expect(actual.error.constructor).toBe(expected.error.constructor)
    expect(actual.error.message).toBe(expected.error.message)
  }
}

const obedient = [{ way: 'promise' }]

it('realpath and stat, on random trees of links', async () => {
  await fc.assert(
    fc.asyncProperty(tree, path, fc.constantFrom('realpath', 'stat'), (nodes, at, method) =>
      expectSame({ nodes, steps: obedient, run: (backend) => outcomeOf(backend[method](at)) }),
    ),
    { numRuns: 2 * RUNS },
  )
})

it('any operation, on any tree, with a provider that answers in any way', async () => {
  await fc.assert(
    fc.asyncProperty(
      tree,
      behaviour,
      operation,
      fc.record({ lstat: fc.constantFrom(true, true, true, false) }),
      (nodes, steps, { method, args }, options) =>
        expectSame({
          nodes,
          steps,
          options,
          run: (backend) => outcomeOf(backend[method](...args)),
        }),
    ),
    { numRuns: 2 * RUNS },
  )
})

it('operations one after the other on the same sandbox', async () => {
  await fc.assert(
    fc.asyncProperty(
      tree,
      behaviour,
      fc.array(operation, { maxLength: 8 }),
      async (nodes, steps, operations) => {
        const outcomes = { subject: [], port: [] }
        const runAll = (into) => async (backend) => {
          for (const { method, args } of operations) {
            into.push(await outcomeOf(backend[method](...args)))
          }
        }
        const scenario = { nodes, steps }
        const actual = await observe(subject, { ...scenario, run: runAll(outcomes.subject) })
        const expected = await observe(port, { ...scenario, run: runAll(outcomes.port) })
        expect(actual.calls).toStrictEqual(expected.calls)
        expect(outcomes.subject.length).toBe(operations.length)
        for (const [index, outcome] of outcomes.subject.entries()) {
          expectSameOutcome(outcome, outcomes.port[index])
        }
      },
    ),
    { numRuns: RUNS / 3 },
  )
})

it('many operations at once: the same results, and as many calls', async () => {
  await fc.assert(
    fc.asyncProperty(
      tree,
      fc.array(fc.tuple(path, fc.constantFrom('stat', 'realpath', 'readdir')), { maxLength: 30 }),
      async (nodes, operations) => {
        const run = (backend) =>
          Promise.all(operations.map(([at, method]) => outcomeOf(backend[method](at))))
        // Plain, late and so on by turns would depend on which operation comes first.
        const scenario = { nodes, steps: [{ way: 'late' }], run }
        const [actual, expected] = [await observe(subject, scenario), await observe(port, scenario)]
        for (const [index, outcome] of actual.outcome.entries()) {
          expectSameOutcome(outcome, expected.outcome[index])
        }
        const sorted = ({ calls }) => calls.map((call) => JSON.stringify(call)).sort()
        expect(sorted(actual)).toEqual(sorted(expected))
      },
    ),
    { numRuns: RUNS / 5 },
  )
})

it('pages: any rows in any order', async () => {
  const row = fc.constantFrom('@lines', 'more', 'total 3', 'total', ' 12', '0', '', ' 61 0a', 'x\r')
  const stdout = fc
    .tuple(
      fc.constantFrom('12', ' 0', '7 '),
      fc.array(row, { maxLength: 9 }),
      fc.constantFrom('', '\n'),
    )
    .map(([size, rows, end]) => [size, ...rows].join('\n') + end)
    // Of what od never prints, the original makes zeros.
    .filter((text) => !/x|total|more/.test(text.split('@lines')[0]))
  await fc.assert(
    fc.asyncProperty(stdout, fc.integer({ min: -1, max: 3 }), (text, offset) =>
      expectSame({
        steps: obedient,
        options: { exec: () => result(text) },
        run: (backend) => outcomeOf(backend.readLines('/a', { offset, limit: 2 })),
      }),
    ),
    { numRuns: RUNS },
  )
})
