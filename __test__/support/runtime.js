/**
 * The command that starts a program on the runtime of these tests, in a shell. Deno, which lets Node's
 * `spawn` pass on what it is allowed itself, wants to be told there.
 */
export const RUNTIME = process.versions.deno
  ? [process.execPath, 'run', '--allow-all']
  : [process.execPath]
