/**
 * A coding agent's workspace over a live sandbox: the workspace backend of `@tanstack/ai-sandbox`.
 *
 * @module
 */

/** Options of one call of the sandbox's files. They reach the sandbox as the same object. */
export interface SandboxFsOptions {
  signal?: AbortSignal | undefined
}

/** What `lstat` tells of a path. Links are not followed. `size` is in bytes. */
export type SandboxFsStat =
  | { type: 'file'; mode: number; size: number }
  | { type: 'dir'; mode: number }
  | { type: 'symlink'; mode: number }
  | { type: 'other'; mode: number }

/** One entry of a folder, as the sandbox lists it. */
export interface SandboxFsEntry {
  name: string
  /** Where the entry is in the sandbox. */
  path: string
  type: 'file' | 'dir'
}

/** The files of a sandbox, as far as the backend uses them. */
export interface SandboxFs {
  /** Follows links. */
  readBytes(path: string, options?: SandboxFsOptions): Promise<Uint8Array>
  write(path: string, data: string | Uint8Array, options?: SandboxFsOptions): Promise<void>
  list(path: string, options?: SandboxFsOptions): Promise<SandboxFsEntry[]>
  remove(path: string, options?: SandboxFsOptions): Promise<void>
  /** Follows links. */
  exists(path: string, options?: SandboxFsOptions): Promise<boolean>
  /**
   * Resolves to `undefined` when nothing is there. A sandbox may have no `lstat`; what the backend
   * then does is said at each of its methods.
   */
  lstat?(path: string, options?: SandboxFsOptions): Promise<SandboxFsStat | undefined>
}

/** What the backend gives to the sandbox with a command. */
export interface ProcessOptions {
  /** The folder to run in. */
  cwd?: string | undefined
  /** Variables for this command, over those of the sandbox. */
  env?: Record<string, string> | undefined
  /** Stops the command. */
  signal?: AbortSignal | undefined
}

/** How a command ended. */
export interface ExecResult {
  stdout: string
  stderr: string
  exitCode: number
}

/** A process in the background, as far as the backend uses it. */
export interface SpawnHandle {
  /** The id within the sandbox; -1 where the provider knows none. */
  readonly pid: number
  readonly stdout: AsyncIterable<string>
  readonly stderr: AsyncIterable<string>
  readonly stdin: {
    write(data: string): Promise<void>
    end(): Promise<void>
  }
  /** Resolves to the exit code. */
  wait(): Promise<number>
  kill(signal?: number | string): Promise<void>
}

/** The commands of a sandbox. */
export interface SandboxProcess {
  /** Runs a command with the POSIX shell of the sandbox, to its end. */
  exec(command: string, options?: ProcessOptions): Promise<ExecResult>
  /** Starts a command in the background. */
  spawn(command: string, options?: ProcessOptions): Promise<SpawnHandle>
}

/** What a sandbox can do, as far as the backend asks. */
export interface SandboxCapabilities {
  /** Whether there is a `process.spawn`. Read once, when the backend is made. */
  backgroundProcesses: boolean
  /** Whether a command stops when its signal is aborted. Where not, it goes on in the sandbox. */
  killableProcesses?: boolean
}

/**
 * A live sandbox: what `create()` or `resume()` of a provider of `@tanstack/ai-sandbox` gives. Only
 * what the backend uses is asked for, so a handle of any version fits.
 *
 * `fs` is read once, when the backend is made; everything else at each call. All functions are
 * called on their owner. They may also throw, or return a plain value or any thenable.
 */
export interface SandboxHandle {
  readonly id: string
  readonly provider: string
  readonly workspaceRoot?: string
  readonly capabilities: SandboxCapabilities
  readonly fs: SandboxFs
  readonly process: SandboxProcess
  destroy(): Promise<void>
}

/** Which sandbox a backend works on, to be kept with a session. */
export interface WorkspaceBinding {
  kind: 'sandbox'
  /** The name of the provider. */
  provider: string
  /** The id by which the provider resumes the sandbox. */
  sandboxId: string
}

/** What `stat` tells. Links are followed. */
export interface WorkspaceStat {
  /** A fifo, a socket or a device is an empty `file`. */
  type: 'file' | 'dir'
  /** Bytes; 0 for a folder. */
  size: number
  /** Always 0: a sandbox does not tell times. */
  mtimeMs: number
}

/** One entry of a folder. `link` is a symbolic link, whatever it points to. */
export interface WorkspaceEntry {
  name: string
  type: 'file' | 'dir' | 'link'
}

/** Which lines to read. */
export interface ReadLinesOptions {
  /** The first line, from 1. Rounded down; less than 1 and `NaN` are 1. */
  offset: number
  /** How many lines at most. Rounded down; negative and `NaN` are 0, `Infinity` is all. */
  limit: number
  /** Goes to the sandbox with the command. */
  signal?: AbortSignal | undefined
}

/** A page of a file. */
export interface WorkspacePage {
  /** The first bytes of the file, at most 8,192, to tell what kind of file it is. */
  head: Uint8Array
  /** The size of the whole file in bytes. */
  size: number
  /** The lines without their newline. A carriage return stays. An empty file has one empty line. */
  lines: string[]
  /** How many lines the file has, or `undefined` when it goes on behind this page. */
  total: number | undefined
}

/** How to run a command. */
export interface WorkspaceExecOptions {
  /** The folder to run in. Default: the sandbox's. */
  cwd?: string | undefined
  /** Variables for this command. */
  env?: Record<string, string> | undefined
  /**
   * Milliseconds until the command is stopped, with exit code 124. 0 and `NaN` mean no limit, a
   * negative number means at once. 2,147,483,647 (24.8 days) is the longest; more, and `Infinity`,
   * are that.
   */
  timeoutMs?: number | undefined
  /** Stops the command, with exit code 1. */
  signal?: AbortSignal | undefined
}

/** How to start a job. */
export interface WorkspaceSpawnOptions {
  /** The folder to run in. Default: the sandbox's. */
  cwd?: string | undefined
  /** Variables for this job. */
  env?: Record<string, string> | undefined
  /**
   * Gets each piece of output as it comes, of both streams. Not handed to the sandbox. When it
   * throws, the job counts as failed: exit code 1.
   */
  onOutput?: ((chunk: string) => void) | undefined
}

/** A command in the background. */
export interface WorkspaceJob {
  /**
   * Resolves when the process has ended and all of its output was read. A job that could not be
   * started, or whose output could not be read, has exit code 1, and its output ends with the
   * error.
   */
  wait(): Promise<{ exitCode: number }>
  /** Kills the process. Before it has started: when it starts. Errors are ignored. */
  kill(): void
  /**
   * The output of both streams so far, in the order in which it came: its newest 1 MiB (1,048,576
   * UTF-8 bytes, cut at a character).
   */
  output(): string
  /**
   * The id for {@link WorkspaceBackend.killJob}: `PID:START` with the start time as `ps` tells it,
   * or `PID` where `ps` tells none, or `undefined` when the job could not be started. Never
   * rejects.
   */
  jobId: Promise<string | undefined>
}

/**
 * A workspace in a sandbox. A plain object: it can be spread, and its methods need no `this`.
 *
 * Paths are POSIX paths in the sandbox. What the sandbox rejects with comes back as the same
 * value, unless a method says otherwise. The sandbox is called before a method returns, and any
 * number of calls may be under way at once.
 */
export interface WorkspaceBackend {
  /** Commands are for a POSIX shell. */
  shell: 'sh'

  /** Which sandbox this is. */
  binding(): WorkspaceBinding

  /**
   * Kills a job by its id, from any backend on the same sandbox, also on another machine: the
   * process group, or else the process. Only the process that started with the job is killed, so
   * an id that was given to another process since does no harm.
   *
   * @returns Whether it was killed. `false` too for what is no id, for the process ids 0 and 1, and
   *   for a job that has ended.
   * @throws {Error} `Cannot check that process PID in the sandbox is the job: no start time from
   *   ps.`, when the process runs, but the id or `ps` (as in busybox) has no start time.
   */
  killJob(jobId: string): Promise<boolean>

  /** The bytes of a file, as the sandbox gives them. */
  readFile(path: string, options?: SandboxFsOptions): Promise<Uint8Array>

  /** Writes a file. */
  writeFile(path: string, data: Uint8Array | string, options?: SandboxFsOptions): Promise<void>

  /**
   * Removes one file, or a link to a file, and nothing else.
   *
   * Without `lstat`, the file is read to know that it is one.
   *
   * @throws {Error} `Cannot remove PATH: no such file.`, also for a folder.
   */
  remove(path: string, options?: SandboxFsOptions): Promise<void>

  /**
   * Reads a page of a file with one command in the sandbox (`wc`, `od` and `awk`), so that only the
   * page leaves the sandbox. A page ends early behind 65,536 characters.
   *
   * @throws {Error} `Cannot read PATH: …`, with what the command said.
   * @throws {Error} `readLines: the output of the sandbox is not a page.`
   */
  readLines(path: string, options: ReadLinesOptions): Promise<WorkspacePage>

  /**
   * What is at a path, with links followed; `undefined` for nothing and for a link to nothing.
   *
   * Without `lstat`, a file is read for its size, and what exists but cannot be read is a folder.
   *
   * @throws {Error} `ELOOP: too many links in PATH.`, for more than 40 links.
   * @throws {Error} `Cannot read the link PATH: …`, with what `readlink` in the sandbox said.
   */
  stat(path: string, options?: SandboxFsOptions): Promise<WorkspaceStat | undefined>

  /**
   * The path with every link resolved, or `undefined` when nothing is there.
   *
   * Without `lstat`, it always throws: links could not be seen.
   *
   * @throws {Error} `This sandbox has no lstat, so links in PATH cannot be checked.`
   * @throws {Error} `ENOENT: PATH is a link to a target that is not there.`
   * @throws {Error} `ELOOP: too many links in PATH.`, for more than 40 links.
   * @throws {Error} `Cannot read the link PATH: …`, with what `readlink` in the sandbox said.
   */
  realpath(path: string, options?: SandboxFsOptions): Promise<string | undefined>

  /**
   * The entries of a folder, in the sandbox's order, with one `lstat` each, all at once.
   *
   * Without `lstat`, an entry has the type that the sandbox lists, so links are not told.
   */
  readdir(path: string, options?: SandboxFsOptions): Promise<WorkspaceEntry[]>

  /**
   * Runs a command to its end. It does not reject: a command that the sandbox cannot run gives exit
   * code 1 with the error as `stderr`.
   *
   * A command that is stopped gives its exit code (124 by `timeoutMs`, 1 by `signal`) at once, with
   * no output, and does not wait for the sandbox.
   */
  exec(command: string, options?: WorkspaceExecOptions): Promise<ExecResult>

  /**
   * Starts a command in the background. Not there when the sandbox has no background processes.
   */
  spawn?(command: string, options?: WorkspaceSpawnOptions): WorkspaceJob

  /**
   * Ends the work with the sandbox. `closed`: kills the jobs of this backend that still run, and
   * destroys the sandbox when the backend owns it, once, however often it is called; every call
   * waits for that. `moved`: does nothing, so that another machine can go on.
   *
   * @throws What `destroy()` of the sandbox rejects with.
   */
  close(options: { reason: 'closed' | 'moved' }): Promise<void>
}

/** How a backend treats its sandbox. */
export interface SandboxWorkspaceBackendOptions {
  /** Whether `close({ reason: 'closed' })` also destroys the sandbox. Default: `false`. */
  owned?: boolean | undefined
}

/**
 * Makes a workspace backend over a live sandbox.
 *
 * @param handle - The sandbox, from `create()` or `resume()` of its provider.
 * @param options - Who stops the sandbox.
 *
 * @example
 * ```ts
 * const provider = localProcessSandbox()
 * const workspace = {
 *   ...sandboxWorkspaceBackend(await provider.create({}), { owned: true }),
 *   root: '/workspace',
 * }
 * const page = await workspace.readLines('/workspace/app.log', { offset: 1, limit: 100 })
 * const { exitCode } = await workspace.exec('npm test', { cwd: '/workspace', timeoutMs: 60_000 })
 * await workspace.close({ reason: 'closed' })
 * ```
 */
export function sandboxWorkspaceBackend(
  handle: SandboxHandle,
  options?: SandboxWorkspaceBackendOptions,
): WorkspaceBackend
