/** Real sandboxes for journals, and what is left running of them. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { journalPaths, shellQuote } from '../../../api/native.js'
import { RUNTIME } from '../../support/runtime.js'
import { environments, openReal, shellEnvironments } from '../../workspace/support/environments.js'

const AGENT = fileURLToPath(new URL('../fixtures/agent.js', import.meta.url))
const GONE_WITHIN_MS = 20_000

/** Each shell once: dash and bash with the machine's tools, busybox with its own. */
export const journalEnvironments = [
  ...shellEnvironments.filter(({ shell: [program] }) => program !== 'busybox'),
  ...environments.filter(({ tools }) => tools === 'busybox'),
]

const STRATEGIES = ['follow', 'poll']

/** Each environment with each strategy. */
export const journalReadings = journalEnvironments.flatMap((environment) =>
  STRATEGIES.map((strategy) => ({
    name: `${environment.name}, ${strategy}`,
    environment,
    strategy,
  })),
)

/**
 * A local sandbox and a folder for journals, which is outside of `/workspace`: the commands see the
 * real disk.
 *
 * @param {import('../../workspace/support/environments.js').Environment} environment
 */
export async function openJournals(environment) {
  const { sandbox, close } = await openReal(environment)
  // The real path, since it is looked for among the arguments of processes.
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'journals-')))
  const { stdout: PATH } = await sandbox.process.exec('printf %s "$PATH"')
  return {
    sandbox,
    dir,
    /** What makes the same sandbox in another process. */
    sandboxOptions: { folder: sandbox.folder, shell: environment.shell, env: { PATH } },
    /** The handle of a provider that reads so by itself. */
    handleFor: (strategy) => ({
      process: sandbox.process,
      capabilities: { ...sandbox.capabilities, killableProcesses: strategy === 'follow' },
    }),
    async close() {
      await close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/**
 * A run of the agent in `fixtures/agent.js` that has not started yet.
 *
 * @param {string} dir
 * @param {string} runId
 * @param {{ least?: number, exitCode?: number, stderr?: string }} [options] - Of the agent.
 */
export function prepareRun(dir, runId, options) {
  const paths = journalPaths(runId, dir)
  const stopFile = join(dir, `stop-${Buffer.from(runId).toString('hex')}`)
  const args = [...RUNTIME, AGENT, JSON.stringify({ stopFile, ...options })]
  return {
    runId,
    paths,
    command: args.map(shellQuote).join(' '),
    journal: { runId, dir, pollIntervalMs: 20 },
    /** Lets the agent come to its end. */
    stop: () => writeFileSync(stopFile, ''),
    hasFiles: () => [existsSync(paths.journal), existsSync(paths.stderr)],
  }
}

/** The lines of a file with their positions, by the plainest means. */
export async function linesOfFile(file) {
  const bytes = await readFile(file)
  const lines = []
  let start = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    lines.push({ line: bytes.toString('utf8', start, end), endPosition: end + 1 })
    start = end + 1
  }
  return lines
}

/** The processes with `dir` among their arguments: tails, shells, readers, agents. */
export function processesOf(dir) {
  const rows = execFileSync('ps', ['-ww', '-e', '-o', 'pid=,args='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return rows.split('\n').filter((row) => row.includes(dir))
}

/** Waits until no process of `dir` is left. Gives those that stay. */
export async function leftBehind(dir) {
  const deadline = performance.now() + GONE_WITHIN_MS
  for (;;) {
    const processes = processesOf(dir)
    if (processes.length === 0 || performance.now() > deadline) return processes
    await sleep(50)
  }
}
