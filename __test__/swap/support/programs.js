/** Programs that the tests run in apps; each prints JSON. */

const MODULES = [
  'journal-bytes',
  'journal',
  'journal-reader',
  'attach-preflight',
  'runner',
  'journal-sweep',
  'workspace-backend',
]

/** Of each name of the original's root that is a function: whose it is. */
export const WHOSE = whose('@tanstack/ai-sandbox')

/** @param {string} original - The name under which the original is installed. */
export function whose(original) {
  const imports = MODULES.map((name, at) => `import * as m${at} from 'ai-sandbox-native/${name}'`)
  return `
import * as root from '${original}'
${imports.join('\n')}
const ours = [${MODULES.map((_, at) => `m${at}`)}].flatMap((module) => Object.values(module))
const names = Object.keys(root).filter((name) => typeof root[name] === 'function')
console.log(JSON.stringify({
  native: names.filter((name) => ours.includes(root[name])).sort(),
  original: names.filter((name) => !ours.includes(root[name])).sort(),
  names: Object.keys(root).sort(),
}))`
}

/** The middleware of the later original reads a journal, and asks for one that isn't there. */
export const MIDDLEWARE = `
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectRun, exitSentinelLine, journalPaths, ran } from '@tanstack/ai-sandbox'
import { createLocalSandbox } from './local-sandbox/index.js'

const dir = mkdtempSync(join(process.cwd(), 'journals-'))
const paths = journalPaths('run1', dir)
writeFileSync(paths.journal, '{"a":"\\u00e9"}\\n' + exitSentinelLine(paths, 0) + '\\n')
const handle = await createLocalSandbox()
ran.length = 0
const run = await collectRun(handle, 'run1', dir)
const absent = await collectRun(handle, 'absent', dir, 1)
await handle.destroy()
rmSync(dir, { recursive: true })
console.log(JSON.stringify({ run, absent, ran: [...new Set(ran)].sort() }))
`

/** Native code throws the class that the original exports. */
export const ERROR_CLASS = `
import { JournalAttachUnavailableError, journalPaths, readJournal } from '@tanstack/ai-sandbox'

const handle = {
  capabilities: { backgroundProcesses: true, killableProcesses: true },
  process: {
    exec: async () => ({ stdout: '', stderr: '', exitCode: 0 }),
    spawn: async () => ({
      pid: 1,
      stdout: { async *[Symbol.asyncIterator]() { await new Promise((done) => setTimeout(done, 500)) } },
      stderr: { async *[Symbol.asyncIterator]() {} },
      stdin: { write: async () => {}, end: async () => {} },
      wait: async () => 0,
      kill: async () => {},
    }),
  },
}
try {
  const paths = journalPaths('run1')
  for await (const _ of readJournal(handle, { paths, runId: 'run1', firstByteTimeoutMs: 20 })) break
} catch (error) {
  console.log(JSON.stringify({
    isInstance: error instanceof JournalAttachUnavailableError,
    reason: error.reason,
  }))
}
`

/** An agent on the original's own provider, whose errors are of the original's classes. */
export const PROVIDER = `
import { join } from 'node:path'
import { spawnNdjson, toLines, UnsupportedCapabilityError } from '@tanstack/ai-sandbox'
import { localProcessSandbox } from '@tanstack/ai-sandbox-local-process'
import * as runner from 'ai-sandbox-native/runner'

const handle = await localProcessSandbox({ dir: join(process.cwd(), 'sandbox') }).create({})
const events = []
for await (const event of spawnNdjson(handle, 'echo \\'{"a":1}\\'')) events.push(event)
handle.capabilities = { ...handle.capabilities, fork: false }
let isInstance
try {
  await handle.fork()
} catch (error) {
  isInstance = error instanceof UnsupportedCapabilityError
}
const isNative = spawnNdjson === runner.spawnNdjson && toLines === runner.toLines
console.log(JSON.stringify({ events, isInstance, isNative }))
`

/** The functions of the later original that have a native counterpart. */
export const LATER_NATIVE = [
  'JournalAttachUnavailableError',
  'awaitAttachableJournal',
  'decodeBase64Stream',
  'encodeUtf8Stream',
  'exitSentinelLine',
  'journalPaths',
  'journalReadCommand',
  'journalReadStrategy',
  'parseExitSentinel',
  'pruneJournals',
  'readJournal',
  'sandboxWorkspaceBackend',
  'spawnNdjson',
  'toJournalLines',
  'toLines',
]

/** Those that have none. */
export const LATER_ORIGINAL = ['collectRun', 'countJournalLines', 'describeAgent', 'shellQuote']
