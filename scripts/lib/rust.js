/**
 * The Rust toolchain: whether it is there and new enough.
 *
 * @module
 */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { PlainError } from './output.js'
import { root } from './run.js'

/**
 * Throws a message that says what to install, unless Rust and a linker are there.
 *
 * @returns {string | undefined} A PATH to use, where rustup's folder isn't on the one given: its
 *   installer puts it there for new shells only.
 */
export function requireRust() {
  const path = pathWithCargo()
  const env = { ...process.env, ...(path && { PATH: path }) }
  const found = versionOf('rustc', env)
  if (versionOf('cargo', env) === undefined || found === undefined) {
    throw new PlainError(
      `Rust ${minimumVersion()} or later builds the native addon, and no cargo is on the PATH.\n` +
        'Install it with rustup (its website has the one command for your system), open a new\n' +
        'shell, and run this again.',
    )
  }
  if (isOlder(found, minimumVersion())) {
    throw new PlainError(
      `Rust ${minimumVersion()} or later builds the native addon; rustc here is ${found}.\n` +
        'Update it: rustup update stable (a Rust from the system packages: install rustup instead).',
    )
  }
  requireLinker(env)
  return path
}

/** The `rust-version` of Cargo.toml. */
export function minimumVersion() {
  const manifest = readFileSync(join(root, 'Cargo.toml'), 'utf8')
  return /^rust-version\s*=\s*"([\d.]+)"/m.exec(manifest)?.[1] ?? '1.0'
}

function pathWithCargo() {
  if (versionOf('cargo', process.env) !== undefined) return undefined
  const folder = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'bin')
  if (!existsSync(folder)) return undefined
  return `${process.env.PATH ?? ''}${delimiter}${folder}`
}

function versionOf(tool, env) {
  const { status, stdout } = spawnSync(tool, ['--version'], { cwd: root, env, encoding: 'utf8' })
  return status === 0 ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined
}

/** Rust links with the system's C compiler. On Windows it finds that by itself, off the PATH. */
function requireLinker(env) {
  if (process.platform === 'win32') return
  const { error } = spawnSync('cc', ['--version'], { env, stdio: 'ignore' })
  if (!error) return
  throw new PlainError(
    'Rust needs a linker, and there is no cc on the PATH.\n' +
      (process.platform === 'darwin'
        ? 'Install it: xcode-select --install'
        : 'Install it: apt-get install build-essential (Debian, Ubuntu), dnf install gcc (Fedora),\n' +
          'apk add build-base (Alpine)'),
  )
}

function isOlder(version, minimum) {
  const [a, b] = [version, minimum].map((text) => text.split('.').map(Number))
  for (let index = 0; index < 3; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
