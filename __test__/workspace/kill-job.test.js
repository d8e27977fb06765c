/** `killJob`: "Behaviour worth a test each". What needs real processes is in `real/`. */

import { describe, expect, it } from 'vitest'
import { memorySandbox, result } from './support/memory-sandbox.js'
import { oddErrors, outcomeOf, rejectionOf } from './support/settle.js'
import { sandboxWorkspaceBackend } from './support/subject.js'

const PS = 'LC_ALL=C ps -o lstart= -p 77'
const ALIVE = 'kill -0 77'
const KILL = 'kill -9 -- -77 2>/dev/null || kill -9 -77 2>/dev/null || kill -9 77'

/** A backend whose sandbox answers commands by a table; what is not in it rejects. */
function withAnswers(answers) {
  const { handle, calls } = memorySandbox(
    {},
    {
      exec: (command) => {
        if (command in answers) return answers[command]
        throw new Error(`not expected: ${command}`)
      },
    },
  )
  const commands = () => calls.map(({ args: [command] }) => command)
  return { killJob: sandboxWorkspaceBackend(handle).killJob, commands }
}

describe('the id', () => {
  it.each([
    '',
    ' ',
    'x',
    '-5',
    '+5',
    '5.0',
    '5x',
    ' 5',
    '5 ',
    '5\n',
    '5:',
    ':start',
    '5:a\nb',
    '5:a\rb',
    '5:a\u2028b',
    '5:a\u2029b',
    '5:\n',
    '\u0665:start',
    '５',
    '5;rm',
    '0x5',
    '5e3',
    '\n5:start',
  ])('%j is none: false, and no command', async (jobId) => {
    const { killJob, commands } = withAnswers({})
    expect(await killJob(jobId)).toBe(false)
    expect(commands()).toEqual([])
  })

  it.each([
    '77:start',
    '77:two words',
    '77:a:b:c',
    '77: padded ',
    '77:a\u0085b',
    '77:ä😀',
    "77:it's",
  ])('%j is one', async (jobId) => {
    const { killJob, commands } = withAnswers({ [PS]: result('something else') })
    expect(await killJob(jobId)).toBe(false)
    expect(commands()).toEqual([PS])
  })

  it('is no id when no process can have the number: a shell may cut it down to another', async () => {
    for (const pid of ['2147483648', '4294967297', '7'.repeat(30)]) {
      const { killJob, commands } = withAnswers({
        [`LC_ALL=C ps -o lstart= -p ${pid}`]: result('start'),
      })
      expect(await killJob(`${pid}:start`)).toBe(false)
      expect(commands()).toEqual([])
    }
  })
})

describe('the start time', () => {
  it.each([
    ['start', 'start'],
    [' start \n', 'start'],
    ['\ufeffstart\u00a0\u2028\n', 'start'],
    ['\u0085start', '\u0085start'],
    ['Tue Feb  3 04:05:06 2026\n', 'Tue Feb  3 04:05:06 2026'],
  ])('of ps is trimmed as JavaScript does: %j', async (stdout, start) => {
    const { killJob, commands } = withAnswers({ [PS]: result(stdout), [KILL]: result() })
    expect(await killJob(`77:${start}`)).toBe(true)
    expect(commands()).toEqual([PS, KILL])
  })

  it('of the id is compared as it is', async () => {
    for (const jobId of ['77: start', '77:start ', '77:Start', '77:star', '77:start2']) {
      const { killJob, commands } = withAnswers({ [PS]: result('start') })
      expect(await killJob(jobId)).toBe(false)
      expect(commands()).toEqual([PS])
    }
  })

  it('that ps knows while the id has none: not checked, not killed', async () => {
    const { killJob, commands } = withAnswers({ [PS]: result('start') })
    expect((await rejectionOf(killJob('77'))).message).toMatch(/^Cannot check that process 77 /)
    expect(commands()).toEqual([PS])
  })
})

describe('case 16: ps that knows no lstart', () => {
  const silent = [
    ['fails', result('usage', 1, "ps: unrecognized option: 'o'")],
    ['prints nothing', result('')],
    ['prints white space', result(' \n')],
    ['has no exit code', { stdout: 'start', stderr: '', exitCode: null }],
    ['rejects', Promise.reject(new Error('no exec'))],
  ]
  silent.at(-1)[1].catch(() => undefined)

  describe.each(silent)('ps %s', (_name, ps) => {
    it.each(['77', '77:start'])('%s, alive: rejects, never a kill unchecked', async (jobId) => {
      const { killJob, commands } = withAnswers({ [PS]: ps, [ALIVE]: result() })
      expect((await rejectionOf(killJob(jobId))).message).toBe(
        'Cannot check that process 77 in the sandbox is the job: no start time from ps.',
      )
      expect(commands()).toEqual([PS, ALIVE])
    })

    it.each(['77', '77:start'])('%s, gone: false', async (jobId) => {
      const { killJob, commands } = withAnswers({ [PS]: ps, [ALIVE]: result('', 1) })
      expect(await killJob(jobId)).toBe(false)
      expect(commands()).toEqual([PS, ALIVE])
    })
  })
})

describe('the kill', () => {
  it.each([
    [0, true],
    [1, false],
    [127, false],
  ])('with exit code %d gives %s', async (exitCode, expected) => {
    const { killJob } = withAnswers({ [PS]: result('s'), [KILL]: result('', exitCode) })
    expect(await killJob('77:s')).toBe(expected)
  })

  it.each(oddErrors)('that rejects, rejects with the same: %s', async (_kind, error) => {
    for (const at of [KILL, ALIVE]) {
      const failed = Promise.reject(error)
      failed.catch(() => undefined)
      const { killJob } = withAnswers({ [PS]: result(at === KILL ? 's' : ''), [at]: failed })
      const outcome = await outcomeOf(killJob('77:s'))
      expect(Object.is(outcome.error, error)).toBe(true)
    }
  })
})
