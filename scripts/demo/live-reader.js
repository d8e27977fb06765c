/**
 * A reader of the demo's live run, in a process of its own: hands each line of the journal with its
 * position to the demo, as JSON, up to the exit sentinel.
 *
 * Its one argument is JSON: `folder` of the sandbox, and `runId`, `dir`, `cwd`, `fromByte`.
 */

import { journalPaths, parseExitSentinel, readJournal } from '../../api/native.js'
import { createLocalSandbox } from '../../examples/local-sandbox/index.js'

const { folder, runId, dir, cwd, fromByte } = JSON.parse(process.argv[2])

const sandbox = await createLocalSandbox({ folder })
const paths = journalPaths(runId, dir)
for await (const { line, endPosition } of readJournal(sandbox, { paths, runId, cwd, fromByte })) {
  process.stdout.write(`${JSON.stringify({ line, endPosition })}\n`)
  if (parseExitSentinel(line, paths) !== null) break
}
