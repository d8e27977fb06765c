/**
 * What an app does with the package, once each. Every project runs this file on its own way to
 * Node, and must come to what `expected.json` says.
 *
 * @module
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
// These two lines alone name the package: its root, and one of its subpaths.
import {
  decodeBase64Stream,
  encodeUtf8Stream,
  JournalFramer,
  sandboxWorkspaceBackend,
  spawnNdjson,
  startJournaledAgent,
  toJournalLineBatches,
  toJournalLines,
} from 'ai-sandbox-native'
import { JournalFile } from 'ai-sandbox-native/journal-file'
import { createLocalSandbox } from './local-sandbox/index.js'

const JOURNAL = '{"a":"é"}\n{"b":"😀"}\n{"c"'
const bytes = new TextEncoder().encode(JOURNAL)

/** @returns {Promise<Record<string, unknown>>} */
export async function usePackage() {
  const folder = mkdtempSync(join(tmpdir(), 'ai-sandbox-native-use-'))
  try {
    return {
      base64: await collect(toJournalLines(decodeBase64Stream([toBase64(bytes)]), 0)),
      text: await collect(toJournalLines(encodeUtf8Stream([...JOURNAL]), 0)),
      bytes: await collect(toJournalLines([bytes], 100)),
      batches: await collect(toJournalLineBatches([bytes], 0)),
      framer: new JournalFramer().push(bytes),
      file: await collect(journalFile(folder)),
      otherRealm: await collect(toJournalLines([bytesOfAnotherRealm()], 0)),
      decoded: (await collect(decodeBase64Stream(['YWI=']))).map((chunk) => [
        chunk instanceof Uint8Array,
        Array.from(chunk),
      ]),
      errors: await errors(),
      workspace: await workspace(),
      runs: await runs(folder),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function journalFile(folder) {
  const path = join(folder, 'journal.ndjson')
  writeFileSync(path, bytes)
  return new JournalFile(path)
}

async function errors() {
  const badText = await errorOf(collect(decodeBase64Stream(['YW!j'])))
  const badChunk = await errorOf(collect(toJournalLines([1], 0)))
  const cutOff = await errorOf(collect(decodeBase64Stream(['YW'])))
  return {
    badText: [badText instanceof DOMException, badText.name],
    badChunk: [badChunk instanceof TypeError, badChunk.name],
    cutOff: [cutOff instanceof Error, cutOff.message],
  }
}

/** Files, a command and a job in a sandbox on this machine. */
async function workspace() {
  const backend = sandboxWorkspaceBackend(await createLocalSandbox(), { owned: true })
  try {
    await backend.writeFile('/workspace/a.txt', 'one\ntwo\n')
    const { lines, total } = await backend.readLines('/workspace/a.txt', { offset: 2, limit: 1 })
    const { exitCode, stdout } = await backend.exec('cat a.txt', { cwd: '/workspace' })
    let output = ''
    const job = backend.spawn('echo from a job', {
      onOutput: (chunk) => {
        output += chunk
      },
    })
    const ended = await job.wait()
    return { lines, total, exitCode, stdout, output, jobExitCode: ended.exitCode }
  } finally {
    await backend.close({ reason: 'closed' })
  }
}

/** An agent with a journal, read by who started it, and one read by who comes later. */
async function runs(dir) {
  const handle = await createLocalSandbox()
  const command = `echo '{"a":"é"}'; echo '{"b":2}'`
  const journal = { dir, pollIntervalMs: 20 }
  try {
    const own = { ...journal, runId: 'run-1' }
    const other = { ...journal, runId: 'run-2' }
    await startJournaledAgent(handle, command, { journal: other })
    return {
      own: await collect(spawnNdjson(handle, command, { journal: own })),
      attached: await collect(spawnNdjson(handle, '', { journal: { ...other, attach: true } })),
    }
  } finally {
    await handle.destroy()
  }
}

function toBase64(data) {
  return btoa(String.fromCharCode(...data))
}

/** As the chunks are that come from another `vm` context, such as those of test runners. */
function bytesOfAnotherRealm() {
  return runInNewContext('new Uint8Array([123, 125, 10])')
}

async function collect(items) {
  const collected = []
  for await (const item of items) collected.push(item)
  return collected
}

/** What a promise is rejected with. */
async function errorOf(promise) {
  return promise.then(
    () => {
      throw new Error('nothing was thrown')
    },
    (error) => error,
  )
}
