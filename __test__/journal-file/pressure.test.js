import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { JournalFile } from '../../api/native.js'
import { endedWell, runFixture } from '../support/child.js'
import { countOpen, freshPath, makeFile, sleep } from './support/files.js'

const READ = 256 * 1024
const MEGABYTE = 1 << 20

/** How far the system has read the file for this process. */
function readOffset(path) {
  for (const number of readdirSync('/proc/self/fd')) {
    try {
      if (readlinkSync(`/proc/self/fd/${number}`) !== path) continue
    } catch {
      continue
    }
    return Number(/pos:\s+(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${number}`, 'utf8'))[1])
  }
  throw new Error('it is not open')
}

describe('back pressure', () => {
  it.each([
    ['lines', (file) => file[Symbol.asyncIterator]()],
    ['batches', (file) => file.batches()],
  ])('a slow consumer of %s is at most two reads behind', async (_name, open) => {
    const path = makeFile('0123456\n'.repeat(400_000))
    const file = new JournalFile(path)
    const items = open(file)
    await items.next()
    await sleep(100)
    expect(readOffset(path)).toBe(2 * READ)
    let count = 0
    while (file.position < 3 * READ) {
      await items.next()
      count += 1
      if (count % 5000 !== 0 && file.position % (64 * 1024) !== 0) continue
      await sleep(2)
      expect(readOffset(path)).toBeLessThanOrEqual(file.position + 2 * READ)
    }
    await file.close()
  })
})

describe('a file of 100 MB', () => {
  it('is read in order, in flat memory, while the loop goes on', async () => {
    const path = freshPath()
    const descriptor = openSync(path, 'w')
    const filler = 'größer 😀 '.repeat(8)
    let count = 0
    for (let bytes = 0; bytes < 100 * MEGABYTE; ) {
      let text = ''
      for (let line = 0; line < 2000; line += 1, count += 1) text += `${count} ${filler}\n`
      bytes += writeSync(descriptor, text)
    }
    closeSync(descriptor)
    const outcome = await runFixture('../journal-file/fixtures/big.js', {
      flags: ['--expose-gc'],
      args: [path, String(count)],
    })
    rmSync(path)
    expect(outcome).toEqual(endedWell({ rss: expect.any(Number), turns: expect.any(Number) }))
    expect(outcome.result.rss / MEGABYTE).toBeLessThan(60)
    // Each read gives the loop a turn.
    expect(outcome.result.turns).toBeGreaterThan(200)
  })
})

describe('200 files followed at once', () => {
  it('give each its own lines, and leave nothing open', async () => {
    const ROUNDS = 10
    const paths = Array.from({ length: 200 }, () => makeFile(''))
    const readers = paths.map(async (path, index) => {
      const lines = []
      for await (const { line } of new JournalFile(path, { follow: true })) {
        lines.push(line)
        if (lines.length === 2 * ROUNDS) break
      }
      return lines.every((line, count) => line === `${index}:${count}`)
    })
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, path] of paths.entries()) {
        await appendFile(path, `${index}:${2 * round}\n${index}:${2 * round + 1}\n`)
      }
    }
    expect(await Promise.all(readers)).toEqual(paths.map(() => true))
    expect(countOpen()).toBe(0)
  })
})
