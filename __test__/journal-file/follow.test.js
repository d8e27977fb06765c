import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { JournalFile } from '../../api/native.js'
import { collectWithError } from '../support/collect.js'
import { countOpen, expectedLines, freshPath, makeFile, sleep, until } from './support/files.js'

const writer = fileURLToPath(new URL('./fixtures/writer.js', import.meta.url))

/** Collects what a follower gives until it fails. */
function follow(path, options) {
  const file = new JournalFile(path, { follow: true, pollIntervalMs: 20, ...options })
  const seen = []
  const end = (async () => {
    for await (const { line } of file) seen.push(line)
  })()
  end.catch(() => {})
  return { file, seen, end, sees: (count) => until(() => seen.length >= count) }
}

describe('a file that grows while it is followed', () => {
  it('by another process, in odd pieces, is read with nothing lost or doubled', async () => {
    const lines = Array.from({ length: 2500 }, (_, index) => `{"n":${index},"t":"é😀${index % 9}"}`)
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    const source = makeFile(bytes)
    const path = makeFile('')
    const expected = await expectedLines(bytes)
    const done = promisify(execFile)(process.execPath, [writer, source, path])
    const found = []
    for await (const line of new JournalFile(path, { follow: true, pollIntervalMs: 30 })) {
      found.push(line)
      if (found.length === expected.length) break
    }
    expect(found).toEqual(expected)
    await done
    expect(countOpen()).toBe(0)
  })

  it('by a line that is cut inside a character gives the line once it is whole', async () => {
    const path = makeFile('')
    const { file, seen, sees } = follow(path)
    const bytes = Buffer.from('é€😀\n')
    for (const byte of bytes) {
      expect(seen).toEqual([])
      appendFileSync(path, Buffer.of(byte))
      await sleep(15)
    }
    await sees(1)
    expect(seen).toEqual(['é€😀'])
    await file.close()
  })

  it('is read on from a position behind its last line', async () => {
    const path = makeFile('a\nb')
    const { file, seen, sees } = follow(path, { position: 2 })
    appendFileSync(path, 'c\n')
    await sees(1)
    expect(seen).toEqual(['bc'])
    await file.close()
  })
})

describe('a followed file that is no longer what it was', () => {
  it('by truncation is ERR_JOURNAL_TRUNCATED, behind its lines', async () => {
    const path = makeFile('a\nb\nc')
    const { seen, sees, end } = follow(path)
    await sees(2)
    await sleep(50)
    truncateSync(path, 1)
    await expect(end).rejects.toMatchObject({ code: 'ERR_JOURNAL_TRUNCATED', path })
    await expect(end).rejects.toThrow('to 1 bytes, after 5 were read')
    expect(seen).toEqual(['a', 'b'])
    expect(countOpen()).toBe(0)
  })

  it('by a new start is ERR_JOURNAL_TRUNCATED', async () => {
    const path = makeFile('a\nb\nc')
    const { sees, end } = follow(path)
    await sees(2)
    await sleep(50)
    writeFileSync(path, 'x\n')
    await expect(end).rejects.toMatchObject({ code: 'ERR_JOURNAL_TRUNCATED' })
  })

  it('by a rename over it is ERR_JOURNAL_REPLACED, behind all its lines', async () => {
    const path = makeFile('a\n')
    const { seen, sees, end } = follow(path)
    await sees(1)
    const other = makeFile('other\n')
    appendFileSync(path, 'b\n'.repeat(400_000))
    renameSync(other, path)
    await expect(end).rejects.toMatchObject({ code: 'ERR_JOURNAL_REPLACED', path })
    expect(seen.length).toBe(400_001)
    expect(seen).not.toContain('other')
  })

  it('by a FIFO in its place is ERR_JOURNAL_REPLACED, and nobody waits', async () => {
    const path = makeFile('a\n')
    const { sees, end } = follow(path)
    await sees(1)
    const fifo = freshPath()
    execFileSync('mkfifo', [fifo])
    renameSync(fifo, path)
    await expect(end).rejects.toMatchObject({ code: 'ERR_JOURNAL_REPLACED' })
  })

  it('by a link that leads elsewhere is ERR_JOURNAL_REPLACED', async () => {
    const path = freshPath()
    symlinkSync(makeFile('a\n'), path)
    const { sees, end } = follow(path)
    await sees(1)
    const link = freshPath()
    symlinkSync(makeFile('b\n'), link)
    renameSync(link, path)
    await expect(end).rejects.toMatchObject({ code: 'ERR_JOURNAL_REPLACED' })
  })

  it('by removal is ERR_JOURNAL_REMOVED, behind all its lines', async () => {
    const path = makeFile('a\n')
    const { seen, sees, end } = follow(path)
    await sees(1)
    appendFileSync(path, 'b\nc')
    rmSync(path)
    await expect(end).rejects.toMatchObject({ code: 'ERR_JOURNAL_REMOVED', path })
    expect(seen).toEqual(['a', 'b'])
    expect(countOpen()).toBe(0)
  })
})

it('a file that is truncated while it is read once is an error behind its lines', async () => {
  const path = makeFile('0123456\n'.repeat(300_000))
  const file = new JournalFile(path)
  const batches = file.batches()
  await batches.next()
  await sleep(50)
  truncateSync(path, 8)
  const { items, error } = await collectWithError(batches)
  expect(error).toMatchObject({ code: 'ERR_JOURNAL_TRUNCATED' })
  // The first read and the one ahead of it were whole.
  expect(items.flat().at(-1).endPosition).toBe(2 * 256 * 1024)
})

it('a file that is removed or replaced while it is read once is read to its end', async () => {
  const content = '0123456\n'.repeat(300_000)
  const path = makeFile(content)
  const batches = new JournalFile(path).batches()
  const first = await batches.next()
  renameSync(makeFile('other\n'), path)
  let { length } = first.value
  for await (const lines of batches) length += lines.length
  expect(length).toBe(300_000)
})
