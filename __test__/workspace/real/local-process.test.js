/**
 * On the original's own provider for this machine. Its handle has no `lstat`, so this is the case
 * "without lstat". Its commands are not the heads of process groups.
 */

import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localProcessSandbox } from '@tanstack/ai-sandbox-local-process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAlive, until } from '../support/processes.js'
import { rejectionOf } from '../support/settle.js'
import { sandboxWorkspaceBackend } from '../support/subject.js'

describe('@tanstack/ai-sandbox-local-process', () => {
  let folder
  let provider
  let handle
  let backend
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'local-process-'))
    provider = localProcessSandbox({ dir: join(folder, 'root'), removeOnDestroy: true })
    handle = await provider.create({})
    backend = sandboxWorkspaceBackend(handle)
    await backend.writeFile('/workspace/dir/file', 'one\ntwo\n')
    await symlink('dir/file', join(folder, 'root', 'to-file'))
    await symlink('dir', join(folder, 'root', 'to-dir'))
    await symlink('gone', join(folder, 'root', 'dangling'))
  })
  afterAll(async () => {
    await handle?.destroy()
    await rm(folder, { recursive: true, force: true })
  })

  it('has no lstat, and binds by the id of the sandbox', () => {
    expect(handle.fs.lstat).toBe(undefined)
    expect(backend.binding()).toEqual({
      kind: 'sandbox',
      provider: 'local-process',
      sandboxId: join(folder, 'root'),
    })
  })

  it('readFile and writeFile', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    await backend.writeFile('/workspace/bytes', bytes)
    expect(Buffer.compare(await backend.readFile('/workspace/bytes'), bytes)).toBe(0)
    expect((await rejectionOf(backend.readFile('/workspace/gone'))).code).toBe('ENOENT')
  })

  it.each([
    ['dir/file', { type: 'file', size: 8, mtimeMs: 0 }],
    ['to-file', { type: 'file', size: 8, mtimeMs: 0 }],
    ['dir', { type: 'dir', size: 0, mtimeMs: 0 }],
    ['to-dir', { type: 'dir', size: 0, mtimeMs: 0 }],
    ['gone', undefined],
    ['dangling', undefined],
  ])('stat of %s', async (name, expected) => {
    expect(await backend.stat(`/workspace/${name}`)).toEqual(expected)
  })

  it('realpath is refused', async () => {
    expect((await rejectionOf(backend.realpath('/workspace/dir'))).message).toBe(
      'This sandbox has no lstat, so links in /workspace/dir cannot be checked.',
    )
  })

  it('readdir tells what its list tells', async () => {
    const entries = await backend.readdir('/workspace')
    expect(entries).toEqual(
      expect.arrayContaining([
        { name: 'dir', type: 'dir' },
        { name: 'to-file', type: 'file' },
      ]),
    )
    expect(entries.every(({ type }) => type !== 'link')).toBe(true)
  })

  it('remove removes files only', async () => {
    await backend.writeFile('/workspace/short-lived', 'x')
    await backend.remove('/workspace/short-lived')
    expect(await backend.stat('/workspace/short-lived')).toBe(undefined)
    for (const name of ['dir', 'gone', 'short-lived']) {
      expect((await rejectionOf(backend.remove(`/workspace/${name}`))).message).toBe(
        `Cannot remove /workspace/${name}: no such file.`,
      )
    }
  })

  it('readLines, also through a link', async () => {
    for (const name of ['dir/file', 'to-file']) {
      const page = await backend.readLines(`/workspace/${name}`, { offset: 2, limit: 5 })
      expect({ ...page, head: Buffer.from(page.head).toString() }).toEqual({
        head: 'one\ntwo\n',
        size: 8,
        lines: ['two'],
        total: 2,
      })
    }
  })

  it('exec, in a folder, with variables and a timeout', async () => {
    const options = { cwd: '/workspace/dir', env: { WORD: 'w' } }
    expect(await backend.exec('cat file; echo $WORD; exit 5', options)).toEqual({
      exitCode: 5,
      stdout: 'one\ntwo\nw\n',
      stderr: '',
    })
    expect(await backend.exec('sleep 431', { timeoutMs: 100 })).toEqual({
      exitCode: 124,
      stdout: '',
      stderr: '',
    })
    expect((await backend.exec('x', { cwd: '/workspace/gone' })).exitCode).toBe(1)
  })

  it('a job: output, id, and the kill from a second backend', async () => {
    const job = backend.spawn('echo ready; exec sleep 432')
    await until(() => job.output() === 'ready\n')
    const jobId = await job.jobId
    expect(jobId).toMatch(/^\d+:.+/)
    const second = sandboxWorkspaceBackend(await provider.resume({ id: handle.id }))
    expect(await second.killJob(jobId)).toBe(true)
    await job.wait()
    const pid = Number(jobId.split(':', 1)[0])
    await until(() => !isAlive(pid))
    expect(await second.killJob(jobId)).toBe(false)
  })

  it('close of the owner kills the jobs and removes the sandbox', async () => {
    const own = await localProcessSandbox({
      dir: join(folder, 'own'),
      removeOnDestroy: true,
    }).create({})
    const owner = sandboxWorkspaceBackend(own, { owned: true })
    const job = owner.spawn('exec sleep 433')
    await job.jobId
    await Promise.all([owner.close({ reason: 'closed' }), owner.close({ reason: 'closed' })])
    await job.wait()
    expect(await backend.exec(`test -e '${join(folder, 'own')}'`)).toMatchObject({ exitCode: 1 })
  })
})
