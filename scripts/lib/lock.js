/**
 * One setup at a time: a lock file with the holder's name, and rules for a holder that died.
 *
 * 1. Whoever creates the file (exclusively) holds the lock. It touches it every few seconds.
 * 2. The lock is stale when its process is gone (same host) or when it wasn't touched for long
 *    (another host, as in a container over the same folder; or a number that was given anew).
 * 3. A stale lock is removed under a second, short-lived lock, after one more look: else the second
 *    of two waiters could remove the fresh lock of the first.
 *
 * @module
 */

import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const TOUCH_MS = 5_000
const STALE_MS = 60_000
const TAKEOVER_STALE_MS = 10_000
const POLL_MS = 250

/**
 * Runs `task` while holding the lock.
 *
 * @template T
 * @param {string} file - The lock file.
 * @param {() => Promise<T>} task
 * @param {(holder: string) => void} [onWait] - Called once when another process holds it.
 * @returns {Promise<T>}
 */
export async function withLock(file, task, onWait) {
  mkdirSync(dirname(file), { recursive: true })
  const token = `${process.pid} ${hostname()} ${randomUUID()}`
  await acquire(file, token, onWait)
  const touch = setInterval(() => touchIfThere(file), TOUCH_MS)
  touch.unref()
  try {
    return await task()
  } finally {
    clearInterval(touch)
    // A process that slept for long may have lost the lock: then the file is another's.
    if (contentOf(file) === token) unlinkIfThere(file)
  }
}

/** @param {string} file @param {string} token @param {(holder: string) => void} [onWait] */
async function acquire(file, token, onWait) {
  let waited = false
  while (!tryCreate(file, token)) {
    if (isStale(file)) {
      removeStale(file)
    } else if (!waited) {
      const [pid, host] = contentOf(file).split(' ')
      onWait?.(`process ${pid} on ${host}`)
      waited = true
    }
    await sleep(POLL_MS)
  }
}

/** @param {string} file @param {string} token */
function tryCreate(file, token) {
  try {
    writeFileSync(file, token, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** @param {string} file */
function isStale(file) {
  const untouched = ageMs(file)
  if (untouched === undefined) return false
  if (untouched > STALE_MS) return true
  const [pid, host] = contentOf(file).split(' ')
  return host === hostname() && !isAlive(Number(pid))
}

/** @param {string} file */
function removeStale(file) {
  const takeover = `${file}.takeover`
  if (!tryCreate(takeover, '')) {
    if ((ageMs(takeover) ?? 0) > TAKEOVER_STALE_MS) unlinkIfThere(takeover)
    return
  }
  try {
    if (isStale(file)) unlinkIfThere(file)
  } finally {
    unlinkIfThere(takeover)
  }
}

/** @param {string} file */
function contentOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** @param {string} file */
function ageMs(file) {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats && Date.now() - stats.mtimeMs
}

/** @param {string} file */
function touchIfThere(file) {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Lost to another process: see the end of withLock.
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it lives, and is somebody else's.
    return error.code === 'EPERM'
  }
}

/** @param {string} file */
function unlinkIfThere(file) {
  try {
    unlinkSync(file)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}
