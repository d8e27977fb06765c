/** Case 13, with real links. */

import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReal, shellEnvironments } from '../support/environments.js'
import { rejectionOf } from '../support/settle.js'

describe('case 13: chains, loops and dangling links', () => {
  let real
  let backend
  beforeAll(async () => {
    real = await openReal(shellEnvironments[0])
    backend = real.backend
    await backend.writeFile('/workspace/end', 'text')
    // chain1 takes one link, chain2 two, and so on.
    for (let length = 1; length <= 41; length += 1) {
      const target = length === 1 ? 'end' : `chain${length - 1}`
      await symlink(target, join(real.folder, `chain${length}`))
    }
    await symlink('pool', join(real.folder, 'loop'))
    await symlink('loop', join(real.folder, 'pool'))
    await symlink('self', join(real.folder, 'self'))
    await symlink('gone', join(real.folder, 'dangling'))
  })
  afterAll(() => real?.close())

  it('a chain of 40 works', async () => {
    expect(await backend.realpath('/workspace/chain40')).toBe('/workspace/end')
    expect(await backend.stat('/workspace/chain40')).toEqual({ type: 'file', size: 4, mtimeMs: 0 })
  })

  it.each(['chain41', 'loop', 'self', 'loop/x'])('%s is ELOOP', async (name) => {
    const path = `/workspace/${name}`
    const error = await rejectionOf(backend.realpath(path))
    expect(error.message).toBe(`ELOOP: too many links in ${path}.`)
  })

  it.each(['chain41', 'loop', 'self'])('stat of %s is ELOOP', async (name) => {
    const path = `/workspace/${name}`
    expect((await rejectionOf(backend.stat(path))).message).toMatch(/^ELOOP/)
    expect((await rejectionOf(backend.remove(path))).message).toMatch(/^ELOOP/)
  })

  it('a dangling link: stat is undefined, realpath rejects, also below it', async () => {
    expect(await backend.stat('/workspace/dangling')).toBe(undefined)
    for (const path of ['/workspace/dangling', '/workspace/dangling/x']) {
      expect((await rejectionOf(backend.realpath(path))).message).toBe(
        `ENOENT: ${path} is a link to a target that is not there.`,
      )
    }
  })

  it('a fifo is an empty file', async () => {
    execFileSync('mkfifo', [join(real.folder, 'fifo')])
    const empty = { type: 'file', size: 0, mtimeMs: 0 }
    expect(await backend.stat('/workspace/fifo')).toEqual(empty)
    await symlink('fifo', join(real.folder, 'to-fifo'))
    expect(await backend.stat('/workspace/to-fifo')).toEqual(empty)
    await backend.remove('/workspace/fifo')
    expect(await backend.stat('/workspace/fifo')).toBe(undefined)
  })
})
