// The root in place of the original: what was typed against the original compiles as it is.

import * as root from 'ai-sandbox-native'
import type * as native from 'ai-sandbox-native/native'
import { spawnNdjson as nativeSpawnNdjson } from 'ai-sandbox-native/native'
import * as ngrok from 'ai-sandbox-native/ngrok'
import type * as original from 'tanstack-ai-sandbox'
import type * as originalNgrok from 'tanstack-ai-sandbox/ngrok'
import type { Equal, Expect } from './equal.js'

// Each export can stand for the original's.
export const all: typeof original = root
export const allOfNgrok: typeof originalNgrok = ngrok

// Where both have a type, it is the original's.
export type Same = [
  Expect<Equal<root.ExecResult, original.ExecResult>>,
  Expect<Equal<root.ProcessOptions, original.ProcessOptions>>,
  Expect<Equal<root.RunRecord, original.RunRecord>>,
  Expect<Equal<root.SandboxCapabilities, original.SandboxCapabilities>>,
  Expect<Equal<root.SandboxFs, original.SandboxFs>>,
  Expect<Equal<root.SandboxHandle, original.SandboxHandle>>,
  Expect<Equal<root.SandboxProcess, original.SandboxProcess>>,
  Expect<Equal<root.SpawnHandle, original.SpawnHandle>>,
  Expect<Equal<root.SpawnNdjsonOptions, original.SpawnNdjsonOptions>>,
  // What the original has alone.
  Expect<Equal<root.SandboxProvider, original.SandboxProvider>>,
  Expect<Equal<root.WorkspaceDefinition, original.WorkspaceDefinition>>,
  Expect<Equal<typeof root.withSandbox, typeof original.withSandbox>>,
  // What is native in its place.
  Expect<Equal<typeof root.spawnNdjson, typeof original.spawnNdjson>>,
  Expect<Equal<typeof root.toLines, typeof original.toLines>>,
]

// What the original lacks is the native part's.
export type Ours = [
  Expect<Equal<typeof root.toJournalLines, typeof native.toJournalLines>>,
  Expect<Equal<typeof root.readJournal, typeof native.readJournal>>,
  Expect<Equal<typeof root.JournalFramer, typeof native.JournalFramer>>,
  Expect<Equal<typeof root.version, string>>,
  Expect<Equal<root.JournalLine, native.JournalLine>>,
  Expect<Equal<root.WorkspaceBackend, native.WorkspaceBackend>>,
]
type Names = keyof typeof original | keyof typeof native
export type EveryName = Expect<Equal<keyof typeof root, Names>>

declare const handle: root.SandboxHandle
declare const texts: AsyncIterable<string>

// A program of the original's.
export class Provider implements root.SandboxProvider {
  readonly name = 'mine'
  capabilities(): root.SandboxCapabilities {
    return handle.capabilities
  }
  async create(input: root.SandboxCreateInput): Promise<root.SandboxHandle> {
    return { ...handle, id: input.id ?? 'new' }
  }
  async resume(): Promise<root.SandboxHandle | null> {
    return null
  }
  async destroy(): Promise<void> {}
}
export const sandbox = root.defineSandbox({ id: 'one', provider: new Provider() })
export async function run(options: root.SpawnNdjsonOptions): Promise<root.SpawnHandle> {
  let events: AsyncIterable<unknown> = root.spawnNdjson(handle, 'agent', options)
  let lines = root.toLines(texts)
  lines = root.toLines(lines)
  events = lines
  for await (const event of events) console.log(event)
  return handle.process.spawn('agent', options)
}

// What is made of the types of functions: wrappers, replacements, classes that are given one.
type Handle = Parameters<typeof root.spawnNdjson>[0]
export const read = (given: Handle) => given.fs.read('/x')
export const traced: typeof root.spawnNdjson = (given, command, options) => {
  console.log(given.id)
  return root.spawnNdjson(given, command, options)
}
export class Runner {
  constructor(private readonly spawn: typeof root.spawnNdjson = root.spawnNdjson) {}
  run = () => this.spawn(handle, 'agent')
}
new Runner(async function* (_handle, command) {
  yield { command }
})
export function events(): ReturnType<typeof root.spawnNdjson> {
  return (async function* () {
    yield 1
  })()
}

// And native on top of it, with a handle as the original types it.
nativeSpawnNdjson(handle, 'agent', { journal: { runId: 'run' }, input: 'prompt' })
root.readJournal(handle, { paths: root.journalPaths('run') })
root.sandboxWorkspaceBackend(handle)

// @ts-expect-error: a command is needed.
root.spawnNdjson(handle)
// @ts-expect-error: the run has an id.
nativeSpawnNdjson(handle, 'agent', { journal: {} })
// @ts-expect-error: numbers are no text.
root.toLines([7])
