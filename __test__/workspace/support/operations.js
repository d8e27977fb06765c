/**
 * Each operation that calls the sandbox, as a row: rules that hold for all of them are tested once
 * per row.
 */

import { sandboxWorkspaceBackend } from './subject.js'

/**
 * @typedef {object} Operation
 * @property {string} name
 * @property {string} provider - The function of the sandbox that it calls first.
 * @property {(backend: object, options?: object) => Promise<unknown>} run
 * @property {boolean} takesOptions - Whether options go to the sandbox as the same object.
 * @property {unknown[]} args - The first call's arguments, without the options.
 */

const FILE = '/workspace/file.txt'

/** @type {Operation[]} */
export const fileOperations = [
  row('readFile', 'fs.readBytes', (backend, options) => backend.readFile(FILE, options)),
  row('writeFile', 'fs.write', (backend, options) => backend.writeFile(FILE, 'new', options), [
    FILE,
    'new',
  ]),
  row('remove', 'fs.lstat', (backend, options) => backend.remove(FILE, options)),
  row('stat', 'fs.lstat', (backend, options) => backend.stat(FILE, options)),
  row('realpath', 'fs.lstat', (backend, options) => backend.realpath(FILE, options), [
    '/workspace',
  ]),
  row('readdir', 'fs.list', (backend, options) => backend.readdir('/workspace', options), [
    '/workspace',
  ]),
]

/** Those whose rejection by the sandbox is the caller's, with commands of the backend's own. */
export const rejectingOperations = [
  ...fileOperations.map(({ name, provider, run }) => ({ name, provider, run })),
  {
    name: 'readLines',
    provider: 'process.exec',
    run: (backend) => backend.readLines(FILE, { offset: 1, limit: 10 }),
  },
  {
    name: 'realpath of a link',
    provider: 'process.exec',
    run: (backend) => backend.realpath('/workspace/link'),
  },
  {
    name: 'stat of a link',
    provider: 'process.exec',
    run: (backend) => backend.stat('/workspace/link'),
  },
  {
    name: 'readdir, in lstat',
    provider: 'fs.lstat',
    run: (backend) => backend.readdir('/workspace'),
  },
  { name: 'remove, in remove', provider: 'fs.remove', run: (backend) => backend.remove(FILE) },
  {
    name: 'close',
    provider: 'destroy',
    run: (backend) => backend.close({ reason: 'closed' }),
  },
]

/** The tree that they work on. */
export const operationTree = {
  [FILE]: { file: 'text\n' },
  '/workspace/link': { link: 'file.txt' },
}

export function ownedBackend(handle) {
  return sandboxWorkspaceBackend(handle, { owned: true })
}

function row(name, provider, run, args = [FILE]) {
  return { name, provider, run, args }
}
