/**
 * A sandbox that answers at once, so that what is measured is the backend: its functions are async,
 * and count how often they are called. Each contender loads a copy of this module of its own (by a
 * query in its name), so that one contender's types don't slow another's calls.
 */

const ENTRY_COUNT = 1000
const FILE = Object.freeze({ type: 'file', mode: 0o644, size: 4096 })
const FOLDER = Object.freeze({ type: 'dir', mode: 0o755 })
const LINK = Object.freeze({ type: 'symlink', mode: 0o777 })
const ENTRIES = Array.from({ length: ENTRY_COUNT }, (_, index) => ({
  name: `entry-${index}.ts`,
  path: `/workspace/src/entry-${index}.ts`,
  type: 'file',
}))
const PAGE_LINES = 100
const PAGE = [
  '65536',
  ...Array.from({ length: 512 }, () => ' 61'.repeat(16)),
  '@lines',
  ...Array.from({ length: PAGE_LINES }, (_, index) => `  const value${index} = compute(${index})`),
  'more\n',
].join('\n')

/** @returns {{ handle: object, calls: () => number }} */
export function makeSandbox() {
  let count = 0
  const handle = {
    id: 'bench',
    provider: 'bench',
    capabilities: { backgroundProcesses: false, killableProcesses: true },
    fs: {
      async lstat(path) {
        count += 1
        return infoOf(path)
      },
      async list() {
        count += 1
        return ENTRIES
      },
    },
    process: {
      async exec(command) {
        count += 1
        return { stdout: outputOf(command), stderr: '', exitCode: 0 }
      },
    },
    async destroy() {},
  }
  return { handle, calls: () => count }
}

function infoOf(path) {
  if (path.endsWith('.ts')) return FILE
  return path.endsWith('link') ? LINK : FOLDER
}

function outputOf(command) {
  if (command.startsWith('readlink')) return '../src\n'
  return command.startsWith('wc') ? PAGE : ''
}
