/**
 * The last part of the demo: a workspace in a local sandbox, and what each step proves.
 *
 * @module
 */

import { access } from 'node:fs/promises'
import { sandboxWorkspaceBackend } from '../../api/native.js'
import { createLocalSandbox } from '../../examples/local-sandbox/index.js'
import { dim, green, red } from '../lib/output.js'
import { nextStep } from './show.js'

const BIG = '/workspace/logs/big.log'
const BIG_LINES = 200_000
const PAGE = 5

/**
 * @returns {Promise<boolean>} Whether all that was to be shown was shown.
 */
export async function runWorkspaceDemo() {
  const sandbox = await createLocalSandbox()
  const backend = sandboxWorkspaceBackend(sandbox, { owned: true })
  const verdicts = []
  for (const step of [files, pages, links, job]) verdicts.push(await step(backend, sandbox))
  verdicts.push(await close(backend, sandbox))
  const failed = verdicts.filter((isGood) => !isGood).length
  console.log(
    failed === 0
      ? green(`\nThe workspace did what it says: all ${verdicts.length} steps.`)
      : red(`\nA step FAILED: ${failed} of ${verdicts.length}.`),
  )
  return failed === 0
}

async function files(backend) {
  nextStep('A workspace: files')
  const path = "/workspace/notes/it's here.md"
  await run(backend, 'mkdir -p notes logs')
  await backend.writeFile(path, '# Grüße\n')
  const text = new TextDecoder().decode(await backend.readFile(path))
  const stat = await backend.stat(path)
  show(`stat ${path}`, JSON.stringify(stat))
  show('readdir /workspace', JSON.stringify(await backend.readdir('/workspace')))
  return verdict(
    text === '# Grüße\n' && stat?.size === 10,
    'What was written is read back: 8 characters, 10 bytes, a quote in the name.',
  )
}

async function pages(backend) {
  nextStep('A page of a big file')
  await run(
    backend,
    `awk 'BEGIN { for (i = 1; i <= ${BIG_LINES}; i++) print "line " i }' > logs/big.log`,
  )
  const offset = BIG_LINES / 2
  const page = await backend.readLines(BIG, { offset, limit: PAGE })
  show(`readLines from ${offset}`, JSON.stringify(page.lines))
  const last = await backend.readLines(BIG, { offset: BIG_LINES, limit: PAGE })
  show('its end', `${JSON.stringify(last.lines)}, ${last.total} lines in all, ${page.size} bytes`)
  return verdict(
    page.lines[0] === `line ${offset}` && page.lines.length === PAGE && last.total === BIG_LINES,
    `Only ${PAGE} lines came out of the sandbox, not the ${page.size} bytes of the file.`,
  )
}

async function links(backend) {
  nextStep('Links')
  await run(backend, 'ln -s logs shortcut && ln -s shortcut/big.log newest && ln -s gone dangling')
  await run(backend, 'ln -s loop-b loop-a && ln -s loop-a loop-b')
  const real = await backend.realpath('/workspace/newest')
  show('realpath newest', real)
  const dangling = await failure(backend.realpath('/workspace/dangling'))
  show('realpath dangling', dangling)
  const loop = await failure(backend.stat('/workspace/loop-a'))
  show('stat loop-a', loop)
  return verdict(
    real === BIG && dangling.startsWith('ENOENT') && loop.startsWith('ELOOP'),
    'A link over a link is followed; a missing target and a loop are told, not followed for ever.',
  )
}

async function job(backend, sandbox) {
  nextStep('A job, killed by its id from elsewhere')
  const seen = []
  const command = 'i=0; while :; do i=$((i + 1)); echo "tick $i"; sleep 0.1; done'
  const started = backend.spawn(command, { onOutput: (chunk) => seen.push(chunk.trim()) })
  const id = await started.jobId
  show('spawn', `${command}   (job ${id})`)
  while (seen.length < 3) await new Promise((resolve) => setTimeout(resolve, 20))
  show('its output, as it comes', JSON.stringify(seen.slice(0, 3)))
  const elsewhere = sandboxWorkspaceBackend(sandbox)
  const killed = await elsewhere.killJob(id)
  const { exitCode } = await started.wait()
  const again = await elsewhere.killJob(id)
  show('killJob, twice', `${killed}, then ${again}; wait() gave exit code ${exitCode}`)
  return verdict(
    killed && !again,
    'A second backend knew the process by pid and start time, and killed its group, once.',
  )
}

async function close(backend, sandbox) {
  nextStep('Close')
  await Promise.all([backend.close({ reason: 'closed' }), backend.close({ reason: 'closed' })])
  const isGone = await access(sandbox.folder).then(
    () => false,
    () => true,
  )
  return verdict(isGone, 'The backend owned the sandbox and destroyed it, once for two callers.')
}

async function run(backend, command) {
  const { exitCode, stderr } = await backend.exec(command, { cwd: '/workspace' })
  show('exec', command)
  if (exitCode !== 0) throw new Error(`${command}: exit code ${exitCode}, ${stderr}`)
}

async function failure(promise) {
  try {
    return `no error, but ${JSON.stringify(await promise)}`
  } catch (error) {
    return error.message
  }
}

function show(label, text) {
  console.log(`${dim(`${label}:`)} ${text}`)
}

function verdict(isGood, text) {
  console.log(isGood ? green(`  yes. ${text}`) : red(`  NO. Expected: ${text}`))
  return isGood
}
