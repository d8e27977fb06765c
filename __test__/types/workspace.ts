// The workspace backend: what it takes, what it gives, and what it refuses.

import type {
  SandboxHandle as OriginalHandle,
  SandboxProvider as OriginalProvider,
} from '@tanstack/ai-sandbox'
import {
  type ExecResult,
  type SandboxFs,
  type SandboxFsOptions,
  type SandboxFsStat,
  type SandboxHandle,
  type SandboxProcess,
  type SpawnHandle,
  sandboxWorkspaceBackend,
  type WorkspaceBackend,
  type WorkspaceEntry,
  type WorkspaceJob,
  type WorkspacePage,
  type WorkspaceStat,
} from 'ai-sandbox-native/workspace-backend'
import type { Equal, Expect } from './equal.js'

declare const handle: SandboxHandle
const backend = sandboxWorkspaceBackend(handle)

// A handle of the original package is accepted as it is.
declare const original: OriginalHandle
declare const provider: OriginalProvider
sandboxWorkspaceBackend(original)
export const accepted: SandboxHandle = original
export async function fromProvider(): Promise<WorkspaceBackend> {
  const resumed = await provider.resume({ id: 'sandbox' })
  return sandboxWorkspaceBackend(resumed ?? (await provider.create({})), { owned: true })
}

// The options.
sandboxWorkspaceBackend(handle, {})
sandboxWorkspaceBackend(handle, { owned: true })
sandboxWorkspaceBackend(handle, { owned: undefined })
sandboxWorkspaceBackend(handle, undefined)

// What the methods give.
type Method<K extends keyof WorkspaceBackend> = NonNullable<WorkspaceBackend[K]>
type Given<F> = F extends (...args: never[]) => infer R ? R : never
export type Results = [
  Expect<Equal<typeof backend, WorkspaceBackend>>,
  Expect<Equal<WorkspaceBackend['shell'], 'sh'>>,
  Expect<
    Equal<
      { [K in keyof Given<Method<'binding'>>]: Given<Method<'binding'>>[K] },
      { kind: 'sandbox'; provider: string; sandboxId: string }
    >
  >,
  Expect<Equal<Given<Method<'readFile'>>, Promise<Uint8Array>>>,
  Expect<Equal<Given<Method<'writeFile'>>, Promise<void>>>,
  Expect<Equal<Given<Method<'remove'>>, Promise<void>>>,
  Expect<Equal<Given<Method<'readLines'>>, Promise<WorkspacePage>>>,
  Expect<Equal<Given<Method<'stat'>>, Promise<WorkspaceStat | undefined>>>,
  Expect<Equal<Given<Method<'realpath'>>, Promise<string | undefined>>>,
  Expect<Equal<Given<Method<'readdir'>>, Promise<WorkspaceEntry[]>>>,
  Expect<Equal<Given<Method<'exec'>>, Promise<ExecResult>>>,
  Expect<Equal<Given<Method<'spawn'>>, WorkspaceJob>>,
  Expect<Equal<Given<Method<'killJob'>>, Promise<boolean>>>,
  Expect<Equal<Given<Method<'close'>>, Promise<void>>>,
  Expect<Equal<WorkspacePage['total'], number | undefined>>,
  Expect<Equal<WorkspaceEntry['type'], 'file' | 'dir' | 'link'>>,
  Expect<Equal<WorkspaceStat, { type: 'file' | 'dir'; size: number; mtimeMs: number }>>,
  Expect<Equal<ExecResult, { stdout: string; stderr: string; exitCode: number }>>,
]

export async function use(signal: AbortSignal): Promise<void> {
  const { readFile, exec, readLines, killJob, close } = backend
  const bytes: Uint8Array = await readFile('/a', { signal })
  await backend.writeFile('/a', bytes)
  await backend.writeFile('/a', 'text', {})
  const { head, size, lines, total } = await readLines('/a', { offset: 1, limit: Infinity, signal })
  const numbers: number[] = [head.length, size, lines.length, total ?? -1]
  const { exitCode } = await exec('ls', { cwd: '/a', env: { A: '1' }, timeoutMs: 5, signal })
  await exec('ls')
  await exec('ls', { cwd: undefined, env: undefined, timeoutMs: undefined, signal: undefined })
  for (const { name, type } of await backend.readdir('/a')) numbers.push(name.length + type.length)
  const info = await backend.stat('/a')
  if (info?.type === 'file') numbers.push(info.size, info.mtimeMs, exitCode)
  const job = backend.spawn?.('sleep 5', { onOutput: (chunk) => numbers.push(chunk.length) })
  const id = await job?.jobId
  if (job && id !== undefined) {
    const killed: boolean = await killJob(id)
    job.kill()
    const text: string = job.output()
    numbers.push((await job.wait()).exitCode, text.length, Number(killed))
  }
  await close({ reason: 'moved' })
  await close({ reason: 'closed' })
}

// It can be spread, as in the original's example.
export const workspace: WorkspaceBackend & { root: string } = { ...backend, root: '/workspace' }

// A provider of one's own, in classes or plain objects, with `lstat` or without it.
class Files implements SandboxFs {
  async readBytes(path: string): Promise<Uint8Array> {
    return new TextEncoder().encode(path)
  }
  async write(_path: string, _data: string | Uint8Array, _options?: SandboxFsOptions) {}
  async list(path: string) {
    return [{ name: 'a', path: `${path}/a`, type: 'file' as const }]
  }
  async remove() {}
  async exists(): Promise<boolean> {
    return true
  }
  async lstat(): Promise<SandboxFsStat | undefined> {
    return { type: 'symlink', mode: 0o777 }
  }
}
const { lstat: _, ...withoutLstat } = new Files()
declare const child: SpawnHandle
const own = {
  id: '1',
  provider: 'own',
  capabilities: { backgroundProcesses: true, killableProcesses: false, more: 1 },
  process: {
    exec: async () => ({ stdout: '', stderr: '', exitCode: 0, more: 1 }),
    spawn: async () => child,
  } satisfies SandboxProcess,
  destroy: async () => {},
  more: 1,
}
sandboxWorkspaceBackend({ ...own, fs: new Files() })
sandboxWorkspaceBackend({ ...own, fs: Object.assign(new Files(), withoutLstat) })
export const minimal: SandboxFs = {
  readBytes: async () => new Uint8Array(),
  write: async () => {},
  list: async () => [],
  remove: async () => {},
  exists: async () => false,
}

// @ts-expect-error: a handle is needed.
sandboxWorkspaceBackend()
// @ts-expect-error: a promise of a handle is no handle.
sandboxWorkspaceBackend(Promise.resolve(handle))
// @ts-expect-error: null is no handle.
sandboxWorkspaceBackend(null)
// @ts-expect-error: files are needed.
sandboxWorkspaceBackend(own)
// @ts-expect-error: owned is a boolean.
sandboxWorkspaceBackend(handle, { owned: 'yes' })
// @ts-expect-error: there is no such option.
sandboxWorkspaceBackend(handle, { own: true })
// @ts-expect-error: it is a function, not a class.
new sandboxWorkspaceBackend(handle)
// @ts-expect-error: spawn may be missing.
backend.spawn('x')
// @ts-expect-error: a reason is needed.
backend.close({})
// @ts-expect-error: there are two reasons.
backend.close({ reason: 'done' })
// @ts-expect-error: so are options.
backend.close()
// @ts-expect-error: a page has a start.
backend.readLines('/a', { limit: 5 })
// @ts-expect-error: and an end.
backend.readLines('/a', { offset: 5 })
// @ts-expect-error: lines are counted by numbers.
backend.readLines('/a', { offset: 1n, limit: 5 })
// @ts-expect-error: a path is text.
backend.readFile(new URL('file:///a'))
// @ts-expect-error: a number cannot be written.
backend.writeFile('/a', 5)
// @ts-expect-error: the data is needed.
backend.writeFile('/a')
// @ts-expect-error: the option of a file call is a signal.
backend.stat('/a', { timeoutMs: 5 })
// @ts-expect-error: a command is one text, not a list.
backend.exec(['ls', '-l'])
// @ts-expect-error: a time limit is a number of milliseconds.
backend.exec('ls', { timeoutMs: '5s' })
// @ts-expect-error: the option has the unit in its name.
backend.exec('ls', { timeout: 5 })
// @ts-expect-error: variables are text.
backend.exec('ls', { env: { A: 1 } })
// @ts-expect-error: onOutput is for spawn.
backend.exec('ls', { onOutput() {} })
// @ts-expect-error: output comes as text.
backend.spawn?.('ls', { onOutput: (chunk: Uint8Array) => chunk })
// @ts-expect-error: a job id is text.
backend.killJob(5)
// @ts-expect-error: nothing may be there.
backend.stat('/a').then(({ size }) => size)
// @ts-expect-error: nothing may be there.
export const real: Promise<string> = backend.realpath('/a')
// @ts-expect-error: the file may go on.
export const total: number = (await backend.readLines('/a', { offset: 1, limit: 1 })).total
// @ts-expect-error: a link has no size of its own.
export const link: SandboxFsStat = { type: 'symlink', mode: 0, size: 5 }
// @ts-expect-error: a file has a size.
export const file: SandboxFsStat = { type: 'file', mode: 0 }
// @ts-expect-error: there is no such type.
export const fifo: SandboxFsStat = { type: 'fifo', mode: 0 }
