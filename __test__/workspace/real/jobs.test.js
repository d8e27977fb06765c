/** Jobs in real processes, through each shell. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { environments, openReal, shellEnvironments } from '../support/environments.js'
import { isAlive, runningInGroup, until } from '../support/processes.js'
import { rejectionOf } from '../support/settle.js'
import { sandboxWorkspaceBackend } from '../support/subject.js'

const pidOf = async (job) => Number((await job.jobId).split(':', 1)[0])

describe.each(shellEnvironments)('$name', (environment) => {
  let real
  beforeAll(async () => {
    real = await openReal(environment)
  })
  afterAll(() => real?.close())

  it('spawn: output, exit code, folder and variables', async () => {
    await real.backend.writeFile('/workspace/inner/file', 'content\n')
    const chunks = []
    const job = real.backend.spawn('pwd; echo "$WORD"; cat file; echo problem >&2; exit 3', {
      cwd: '/workspace/inner',
      env: { WORD: "it's" },
      onOutput: (chunk) => chunks.push(chunk),
    })
    expect(await job.wait()).toEqual({ exitCode: 3 })
    expect(chunks.join('')).toBe(job.output())
    const lines = job.output().split('\n')
    expect(lines.toSorted()).toEqual(
      ['', `${real.folder}/inner`, "it's", 'content', 'problem'].toSorted(),
    )
  })

  it('output can be followed while the job runs', async () => {
    const job = real.backend.spawn('echo ready; sleep 417')
    await until(() => job.output() === 'ready\n')
    expect(isAlive(await pidOf(job))).toBe(true)
    job.kill()
    expect((await job.wait()).exitCode).toBeGreaterThan(128)
  })

  it('jobId is PID:START', async () => {
    const job = real.backend.spawn('sleep 418')
    expect(await job.jobId).toMatch(/^\d+:\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/)
    job.kill()
    await job.wait()
  })

  it('a job in a folder that is not there fails to start', async () => {
    const job = real.backend.spawn('true', { cwd: '/workspace/gone' })
    expect(await job.wait()).toEqual({ exitCode: 1 })
    expect(job.output()).toMatch(/^Error: ENOENT/)
    expect(await job.jobId).toBe(undefined)
  })

  it('case 17: killJob leaves no process of the group, from a second backend too', async () => {
    for (const killer of [real.backend, sandboxWorkspaceBackend(real.sandbox)]) {
      const job = real.backend.spawn('sleep 421 & sleep 422; echo done')
      const pid = await pidOf(job)
      await until(() => runningInGroup(pid).length === 3)
      expect(await killer.killJob(await job.jobId)).toBe(true)
      expect(await job.wait()).toEqual({ exitCode: 137 })
      expect(job.output()).toBe('')
      await until(() => runningInGroup(pid).length === 0)
      expect(await killer.killJob(await job.jobId)).toBe(false)
    }
  })

  it('killJob does not touch a process that started at another time', async () => {
    const job = real.backend.spawn('sleep 423')
    const pid = await pidOf(job)
    expect(await real.backend.killJob(`${pid}:Thu Jan  1 00:00:00 1970`)).toBe(false)
    expect((await rejectionOf(real.backend.killJob(`${pid}`))).message).toBe(
      `Cannot check that process ${pid} in the sandbox is the job: no start time from ps.`,
    )
    expect(isAlive(pid)).toBe(true)
    job.kill()
    await job.wait()
  })

  it('close kills what still runs', async () => {
    const backend = sandboxWorkspaceBackend(real.sandbox)
    const jobs = [backend.spawn('sleep 424'), backend.spawn('sleep 425 & sleep 426')]
    const pids = await Promise.all(jobs.map(pidOf))
    await backend.close({ reason: 'moved' })
    expect(pids.every(isAlive)).toBe(true)
    await backend.close({ reason: 'closed' })
    for (const job of jobs) expect((await job.wait()).exitCode).toBeGreaterThan(128)
    await until(() => pids.every((pid) => runningInGroup(pid).length === 0))
  })

  it('many jobs at once', async () => {
    const jobs = Array.from({ length: 30 }, (_, index) =>
      real.backend.spawn(`echo out ${index}; echo err ${index} >&2; exit ${index}`),
    )
    for (const [index, job] of jobs.entries()) {
      expect(await job.wait()).toEqual({ exitCode: index })
      expect(job.output().split('\n').sort()).toEqual(['', `err ${index}`, `out ${index}`])
    }
  })

  describe('case 18: a grandchild keeps the pipe open', () => {
    // The shell ends at once; sleep goes on and holds the output open.
    const command = 'sleep 1 & echo started'
    const timedOut = { exitCode: 124, stdout: '', stderr: '' }
    const completed = { exitCode: 0, stdout: 'started\n', stderr: '' }

    it.each([
      [200, timedOut],
      [-5, timedOut],
      [0, completed],
      [Number.NaN, completed],
      [2 ** 31, completed],
      [Number.POSITIVE_INFINITY, completed],
    ])('timeoutMs %d, and the loop stays free', async (timeoutMs, expected) => {
      let ticks = 0
      const timer = setInterval(() => (ticks += 1), 5)
      const started = performance.now()
      expect(await real.backend.exec(command, { timeoutMs })).toEqual(expected)
      const tookMs = performance.now() - started
      clearInterval(timer)
      // There was time for many more: a loop that is blocked has none.
      if (tookMs > 150) expect(ticks).toBeGreaterThan(2)
      if (timeoutMs === 200) expect(tookMs).toBeGreaterThanOrEqual(199)
      if (expected === completed) expect(tookMs).toBeGreaterThan(900)
    })
  })

  it('exec that is aborted is gone in the sandbox too', async () => {
    const controller = new AbortController()
    const promise = real.backend.exec('echo $$ > pid; sleep 427 & sleep 428', {
      signal: controller.signal,
    })
    const read = async () => (await real.backend.exec('cat pid 2>/dev/null')).stdout
    await until(async () => /\d+\n/.test(await read()))
    const pid = Number(await read())
    controller.abort()
    expect(await promise).toEqual({ exitCode: 1, stdout: '', stderr: '' })
    await until(() => runningInGroup(pid).length === 0)
  })
})

describe('case 16: the ps of busybox knows no lstart', () => {
  let real
  beforeAll(async () => {
    real = await openReal(environments.find(({ tools }) => tools === 'busybox'))
  })
  afterAll(() => real?.close())

  it('a bare pid; never a kill unchecked; false when it is gone', async () => {
    const job = real.backend.spawn('sleep 429')
    const jobId = await job.jobId
    expect(jobId).toMatch(/^\d+$/)
    const other = sandboxWorkspaceBackend(real.sandbox)
    for (const id of [jobId, `${jobId}:Thu Jan  1 00:00:00 1970`]) {
      expect((await rejectionOf(other.killJob(id))).message).toBe(
        `Cannot check that process ${jobId} in the sandbox is the job: no start time from ps.`,
      )
    }
    expect(isAlive(Number(jobId))).toBe(true)
    job.kill()
    await job.wait()
    await until(() => !isAlive(Number(jobId)))
    expect(await other.killJob(jobId)).toBe(false)
  })
})
