/**
 * The two ways in which a host reads a journal, each with the real commands where there is a shell:
 *
 * - bounded: the rest of the file in base64, as one string (`tail -c +N FILE | base64`);
 * - live: a file that still grows, as text in chunks (`tail -c +N -f FILE`).
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { appendFile, open, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whether `tail` and `base64` are to be had; else Node does their work. */
export const hasShell = process.platform !== 'win32'

const BASE64_COLUMNS = 76
const POLL_MS = 20
/** A reader that waits for this long in vain gives up: a demo must end. */
const IDLE_MS = 10_000

/** The command that {@link readBase64} runs, to show. */
export function base64Command(name, position) {
  return `tail -c +${position + 1} ${name} | base64`
}

/** The command that {@link follow} runs, to show. */
export function followCommand(name, position) {
  return `tail -c +${position + 1} -f ${name}`
}

/**
 * The bytes of a file from a position on, as `base64 FILE` prints them.
 *
 * @param {string} file
 * @param {number} position
 * @returns {Promise<string>}
 */
export async function readBase64(file, position) {
  if (!hasShell) return wrap((await readFile(file)).subarray(position).toString('base64'))
  const script = 'tail -c "+$1" "$2" | base64'
  const child = spawn('sh', ['-c', script, 'sh', String(position + 1), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.setEncoding('latin1')
  const pieces = []
  for await (const piece of child.stdout) pieces.push(piece)
  return pieces.join('')
}

/**
 * The text of a file from a position on, in chunks, and on and on as it grows. It ends when the
 * caller leaves it.
 *
 * @param {string} file
 * @param {number} position
 * @returns {AsyncIterable<string>}
 */
export async function* follow(file, position) {
  if (!hasShell) return yield* poll(file, position)
  const child = spawn('tail', ['-c', `+${position + 1}`, '-f', file], {
    // Leaving it early makes it complain about its closed output.
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const idle = setTimeout(() => child.kill(), IDLE_MS)
  try {
    child.stdout.setEncoding('utf8')
    for await (const text of child.stdout) {
      idle.refresh()
      yield text
    }
  } finally {
    clearTimeout(idle)
    child.kill()
  }
}

/**
 * Writes bytes to the end of a file bit by bit, as an agent does: the pieces end within lines and
 * within characters.
 *
 * @param {string} file
 * @param {Uint8Array} bytes
 * @param {import('./random.js').Random} random
 */
export async function grow(file, bytes, random) {
  for (let at = 0; at < bytes.length; ) {
    const end = at + random.between(1, 200_000)
    await appendFile(file, bytes.subarray(at, end))
    at = end
    await sleep(random.between(0, 3))
  }
}

async function* poll(file, position) {
  let at = position
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for (let idleMs = 0; idleMs < IDLE_MS; idleMs += POLL_MS) {
    for await (const bytes of createReadStream(file, { start: at })) {
      at += bytes.length
      idleMs = 0
      const text = decoder.decode(bytes, { stream: true })
      if (text !== '') yield text
    }
    await sleep(POLL_MS)
  }
}

/** @param {string} text */
function wrap(text) {
  return text.replace(new RegExp(`.{1,${BASE64_COLUMNS}}`, 'g'), '$&\n')
}

/**
 * The first bytes of a file.
 *
 * @param {string} file
 * @param {number} limit
 */
export async function readHead(file, limit) {
  const handle = await open(file)
  try {
    const bytes = Buffer.alloc(Math.min(limit, (await handle.stat()).size))
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return bytes.subarray(0, filled)
  } finally {
    await handle.close()
  }
}
