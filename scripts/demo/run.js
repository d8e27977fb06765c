/**
 * The steps of the demo.
 *
 * @module
 */

import { isUtf8 } from 'node:buffer'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeBase64Stream, encodeUtf8Stream, toJournalLines } from '../../api/native.js'
import { dim, green, note, red } from '../lib/output.js'
import { Digest, expectedDigest } from './digest.js'
import { loadJournal } from './input.js'
import { Random } from './random.js'
import { base64Command, follow, followCommand, grow, hasShell, readBase64 } from './readers.js'
import { count, linesOf, nextStep, showDigest, verdict } from './show.js'
import { compareSpeed } from './speed.js'

const NAME = 'journal.ndjson'

/**
 * @param {string[]} args - A journal of the user's, or nothing.
 * @returns {Promise<boolean>} Whether all that was to be shown was shown.
 */
export async function runDemo(args) {
  const { bytes, description } = await loadJournal(args)
  const folder = await mkdtemp(join(tmpdir(), 'ai-sandbox-native-'))
  try {
    const file = join(folder, NAME)
    await writeFile(file, bytes)
    return await runSteps({ file, bytes, description, expected: expectedDigest(bytes) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runSteps(journal) {
  nextStep('A journal')
  describe(journal)
  const verdicts = [await boundedStep(journal), await resumeStep(journal)]
  if (isUtf8(journal.bytes)) verdicts.push(await liveStep(journal))
  else skipLiveStep()
  nextStep('Speed')
  verdicts.push(await compareSpeed(journal))
  const allProven = verdicts.every(Boolean)
  const summary = allProven
    ? green(`\nNothing lost, nothing read twice: all ${verdicts.length} checks agree.`)
    : red(`\nA check FAILED: ${verdicts.filter((isGood) => !isGood).length} of ${verdicts.length}.`)
  console.log(summary)
  return allProven
}

function describe({ bytes, description, expected }) {
  const tail = bytes.length - expected.position
  console.log(`${description}: ${linesOf(expected)}, ${megabytes(bytes.length)}`)
  if (tail > 0) note(`The last ${count(tail)} bytes have no newline yet, so they are not a line.`)
  console.log(`What a reader must deliver, cut by a plain loop over the whole file:`)
  showDigest('expected', expected)
}

async function boundedStep({ file, expected }) {
  nextStep('Read it whole: base64, one string')
  showCommand(base64Command(NAME, 0))
  const digest = new Digest()
  for await (const line of linesOfBase64(await readBase64(file, 0), 0)) digest.add(line)
  showDigest('read', digest)
  return verdict(digest, expected, 'Every line is there, to the byte, at its position.')
}

async function resumeStep({ file, expected }) {
  nextStep('Break off in the middle, and resume')
  const middle = Math.ceil(expected.lines / 2)
  const digest = new Digest()
  showCommand(base64Command(NAME, 0))
  for await (const line of linesOfBase64(await readBase64(file, 0), 0)) {
    digest.add(line)
    if (digest.lines >= middle) break
  }
  const stored = digest.position
  console.log(`Left after line ${count(digest.lines)}; stored endPosition ${stored}. A new reader:`)
  showCommand(base64Command(NAME, stored))
  for await (const line of linesOfBase64(await readBase64(file, stored), stored)) digest.add(line)
  showDigest('both', digest)
  return verdict(digest, expected, 'The two halves are the whole: no line lost, none twice.')
}

async function liveStep({ bytes, file, expected }) {
  nextStep('Follow it live: text chunks of a file that grows')
  const live = `${file}.live`
  await writeFile(live, '')
  const writing = grow(live, bytes, new Random(7))
  const digest = new Digest()
  const stops = [Math.ceil(expected.lines / 3), Math.ceil((expected.lines * 2) / 3), expected.lines]
  try {
    for (const stop of stops) await followUntil(stop, live, digest)
  } finally {
    await writing
  }
  showDigest('all', digest)
  return verdict(
    digest,
    expected,
    'A growing file, written in pieces that end anywhere, by one reader after another: all there.',
  )
}

async function followUntil(stop, file, digest) {
  if (digest.lines >= stop) return
  const start = digest.position
  showCommand(followCommand(NAME, start))
  for await (const line of toJournalLines(encodeUtf8Stream(follow(file, start)), start)) {
    digest.add(line)
    if (digest.lines >= stop) break
  }
  console.log(`Left after line ${count(digest.lines)}; stored endPosition ${digest.position}.`)
}

function skipLiveStep() {
  nextStep('Follow it live: left out')
  console.log('This file is not valid UTF-8. As text it has other bytes, and so other positions;')
  console.log('only the base64 read keeps them.')
}

function linesOfBase64(text, position) {
  return toJournalLines(decodeBase64Stream([text]), position)
}

function showCommand(command) {
  console.log(dim(hasShell ? `$ ${command}` : `(as) ${command}`))
}

function megabytes(bytes) {
  return bytes < 1e6 ? `${count(bytes)} bytes` : `${(bytes / 1e6).toFixed(1)} MB`
}
