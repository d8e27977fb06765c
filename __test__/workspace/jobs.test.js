/** `spawn` and the output of its jobs: "Behaviour worth a test each". */

import { describe, expect, it, vi } from 'vitest'
import { fakeProcess, openJob } from './support/fake-process.js'
import { memorySandbox, plainCalls, result } from './support/memory-sandbox.js'
import { oddErrors, outcomeOf, rejectionOf, turn } from './support/settle.js'
import { sandboxWorkspaceBackend } from './support/subject.js'

describe('the start', () => {
  it('returns at once, before the sandbox has started anything', async () => {
    const { handle } = memorySandbox()
    handle.process.spawn = () => new Promise(() => {})
    const job = sandboxWorkspaceBackend(handle).spawn('sleep')
    expect(job.output()).toBe('')
    const first = await Promise.race([job.wait(), job.jobId, turn().then(() => 'pending')])
    expect(first).toBe('pending')
  })

  it('hands the folder and the variables on, not onOutput', () => {
    const { handle, calls } = memorySandbox()
    const env = { A: '1' }
    const backend = sandboxWorkspaceBackend(handle)
    backend.spawn('a', { cwd: '/w', env, onOutput() {} })
    backend.spawn('b')
    backend.spawn('c', {})
    expect(plainCalls(calls)).toStrictEqual([
      ['process.spawn', 'a', { cwd: '/w', env }],
      ['process.spawn', 'b', { cwd: undefined, env: undefined }],
      ['process.spawn', 'c', { cwd: undefined, env: undefined }],
    ])
    expect(calls[0].args[1].env).toBe(env)
  })

  it.each([
    ['an Error', new Error('no shell'), 'Error: no shell'],
    ['a string', 'text', 'text'],
    ['undefined', undefined, 'undefined'],
    ['a symbol', Symbol('odd'), 'Symbol(odd)'],
  ])('that fails gives exit code 1 and String(error): %s', async (_kind, error, text) => {
    const { handle } = memorySandbox()
    handle.process.spawn = () => Promise.reject(error)
    const job = sandboxWorkspaceBackend(handle).spawn('x')
    expect(await job.wait()).toStrictEqual({ exitCode: 1 })
    expect(job.output()).toBe(text)
    expect(await job.jobId).toBe(undefined)
  })

  it.each(oddErrors)(
    'that fails never rejects jobId and never crashes: %s',
    async (_kind, error) => {
      const { handle } = memorySandbox()
      handle.process.spawn = () => Promise.reject(error)
      const job = sandboxWorkspaceBackend(handle).spawn('x')
      await outcomeOf(job.wait())
      expect(await job.jobId).toBe(undefined)
    },
  )

  it.each([undefined, null, 7, 'text', {}])(
    'that gives %j in place of a process is a failed job',
    async (value) => {
      const { handle } = memorySandbox()
      handle.process.spawn = async () => value
      const job = sandboxWorkspaceBackend(handle).spawn('x')
      job.kill()
      expect(await job.wait()).toStrictEqual({ exitCode: 1 })
      expect(job.output()).toMatch(/^TypeError: /)
      await job.jobId
    },
  )
})

describe('the output', () => {
  it('is complete when wait() resolves, also when the process ends first', async () => {
    const { job, child } = openJob()
    child.exit(0)
    await turn()
    child.stdout.push('late')
    child.stdout.end()
    await turn()
    child.stderr.push(', later')
    child.stderr.end()
    expect(await job.wait()).toStrictEqual({ exitCode: 0 })
    expect(job.output()).toBe('late, later')
  })

  it('reads both streams together', async () => {
    const seen = []
    const { job, child } = openJob({ onOutput: (chunk) => seen.push(chunk) })
    for (const [stream, text] of [
      ['stderr', 'e1 '],
      ['stdout', 'o1 '],
      ['stderr', 'e2 '],
      ['stdout', 'o2 '],
    ]) {
      child[stream].push(text)
      await turn()
    }
    expect(seen).toEqual(['e1 ', 'o1 ', 'e2 ', 'o2 '])
    expect(job.output()).toBe('e1 o1 e2 o2 ')
    child.end(3)
    expect(await job.wait()).toStrictEqual({ exitCode: 3 })
  })

  it('gives onOutput each chunk as it comes', async () => {
    const onOutput = vi.fn()
    const { job, child } = openJob({ onOutput })
    child.stdout.push('one')
    await turn()
    expect(onOutput.mock.calls).toEqual([['one']])
    child.stdout.push('')
    child.stdout.push('two\ud800')
    child.end(0)
    await job.wait()
    expect(onOutput.mock.calls).toEqual([['one'], [''], ['two\ud800']])
  })

  it('may come from any iterable that for await takes', async () => {
    async function* generator() {
      yield 'from a generator '
    }
    class Stream {
      [Symbol.asyncIterator]() {
        return this
      }

      #left = ['of a class ']

      async next() {
        return { done: this.#left.length === 0, value: this.#left.pop() }
      }
    }
    for (const [stdout, text] of [
      [['an ', 'array '], 'an array '],
      [generator(), 'from a generator '],
      [new Stream(), 'of a class '],
      [new Set(['a set']), 'a set'],
      [[Promise.resolve('promised')], 'promised'],
      [[], ''],
    ]) {
      const { handle } = memorySandbox(
        {},
        { spawn: () => ({ pid: 9, stdout, stderr: [], wait: async () => 0 }) },
      )
      const job = sandboxWorkspaceBackend(handle).spawn('x')
      expect(await job.wait()).toStrictEqual({ exitCode: 0 })
      expect(job.output()).toBe(text)
    }
  })

  it('of a character in two halves is the character', async () => {
    const { job, child } = openJob()
    child.stdout.push('a\ud83d')
    child.stdout.push('\ude00b')
    child.end(0)
    await job.wait()
    expect(job.output()).toBe('a😀b')
  })

  it.each([
    ['a stream that fails', (child) => child.stderr.fail(new Error('broken pipe'))],
    ['wait() that rejects', (child) => child.fail(new Error('broken pipe'))],
  ])('%s: exit code 1, and the error behind what came before', async (_name, fail) => {
    const { job, child } = openJob()
    child.stdout.push('before ')
    await turn()
    fail(child)
    expect(await job.wait()).toStrictEqual({ exitCode: 1 })
    expect(job.output()).toBe('before Error: broken pipe')
  })

  it('onOutput that throws ends the job with exit code 1, and the stream is closed', async () => {
    const { job, child } = openJob({
      onOutput: () => {
        throw new Error('of the caller')
      },
    })
    child.stdout.push('text ')
    expect(await job.wait()).toStrictEqual({ exitCode: 1 })
    expect(job.output()).toBe('text Error: of the caller')
    expect(child.stdout.isClosed).toBe(true)
  })

  it('onOutput may call the backend and the job', async () => {
    const texts = []
    const { job, child, backend } = openJob({
      onOutput: (chunk) => {
        texts.push(job.output())
        if (chunk === 'stop') job.kill()
        backend.exec('x')
      },
    })
    child.stdout.push('go ')
    child.stdout.push('stop')
    await turn()
    await turn()
    child.end(0)
    await job.wait()
    expect(texts).toEqual(['go ', 'go stop'])
    expect(child.kills).toEqual([[]])
  })

  it.each([[null], [7], [undefined], [Symbol('s')], [{}], [new Uint8Array(3)]])(
    'a chunk that is no text (%s) does not take the process down',
    async (chunk) => {
      const { job, child } = openJob()
      child.stdout.push(chunk)
      child.stdout.push('after')
      child.end(0)
      expect(await job.wait()).toStrictEqual({ exitCode: expect.any(Number) })
      expect(job.output()).toBeTypeOf('string')
    },
  )
})

describe('kill', () => {
  it('kills the process, with no signal named', async () => {
    const { job, child } = openJob()
    await turn()
    expect(job.kill()).toBe(undefined)
    await turn()
    expect(child.kills).toEqual([[]])
  })

  it('before the start kills when it starts', async () => {
    const { job, child, start } = openJob({}, { isHeld: true })
    job.kill()
    await turn()
    expect(child.kills).toEqual([])
    start()
    await turn()
    expect(child.kills).toEqual([[]])
  })

  it('that fails, at once or later, is nobody’s error', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const { job, child } = openJob()
    child.kill = () => Promise.reject(new Error('gone'))
    job.kill()
    await turn()
    child.kill = () => {
      throw new Error('gone')
    }
    job.kill()
    await turn()
    child.kill = undefined
    job.kill()
    await turn()
    await turn()
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('is called on the process', async () => {
    class Child {
      #isKilled = false
      pid = 3
      stdout = []
      stderr = []
      async wait() {
        return this.#isKilled ? 137 : 0
      }
      async kill() {
        this.#isKilled = true
      }
      get isKilled() {
        return this.#isKilled
      }
    }
    const child = new Child()
    const { handle } = memorySandbox({}, { spawn: () => child })
    const job = sandboxWorkspaceBackend(handle).spawn('x')
    job.kill()
    await job.wait()
    await turn()
    expect(child.isKilled).toBe(true)
  })
})

describe('wait', () => {
  it('may be called many times, before and after the end', async () => {
    const { job, child } = openJob()
    const before = [job.wait(), job.wait()]
    child.end(5)
    expect(await Promise.all([...before, job.wait()])).toStrictEqual([
      { exitCode: 5 },
      { exitCode: 5 },
      { exitCode: 5 },
    ])
    expect(child.waits).toBe(1)
  })

  it('hands on the exit code as it is', async () => {
    for (const code of [0, 255, -1, null, undefined]) {
      const { job, child } = openJob()
      child.end(code)
      expect(await job.wait()).toStrictEqual({ exitCode: code })
    }
  })

  it('of an error that has no text rejects with what String(error) throws', async () => {
    const { handle } = memorySandbox()
    handle.process.spawn = () => Promise.reject(Object.create(null))
    const job = sandboxWorkspaceBackend(handle).spawn('x')
    expect(await rejectionOf(job.wait())).toBeInstanceOf(TypeError)
    expect(job.output()).toBe('')
  })
})

describe('jobId', () => {
  it.each([
    ['PID:START', () => result(' Tue Feb  3 04:05:06 2026\n'), '42:Tue Feb  3 04:05:06 2026'],
    ['white space as JavaScript trims it', () => result('\ufeff\u00a0a\u0085\u2028'), '42:a\u0085'],
    ['PID where ps prints nothing', () => result(' \n'), '42'],
    ['PID where ps fails', () => result('usage', 1), '42'],
    ['PID where ps fails without a code', () => ({ ...result('x'), exitCode: null }), '42'],
    ['PID where exec gives nothing', () => Promise.resolve(undefined), '42'],
    ['PID where exec gives no text', () => ({ exitCode: 0 }), '42'],
    ['PID where exec rejects', () => Promise.reject(new Error('no')), '42'],
  ])('%s', async (_name, exec, id) => {
    const { handle } = memorySandbox({}, { spawn: () => fakeProcess(42) })
    handle.process.exec = exec
    expect(await sandboxWorkspaceBackend(handle).spawn('x').jobId).toBe(id)
  })

  it.each([
    [-1, '-1'],
    [0, '0'],
    [2 ** 32 + 5, '4294967301'],
  ])('pid %d', async (pid, id) => {
    const { handle, calls } = memorySandbox({}, { spawn: () => fakeProcess(pid) })
    expect(await sandboxWorkspaceBackend(handle).spawn('x').jobId).toBe(id)
    expect(calls[1].args).toEqual([`LC_ALL=C ps -o lstart= -p ${id}`])
  })
})
