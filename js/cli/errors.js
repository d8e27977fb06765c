/**
 * What the tool tells people of an error: one line, no stack.
 */

import { escapeControls } from './escape.js'

/** An error whose message is made for people, and is all there is to say. */
export class PlainError extends Error {}

/** The arguments can't be right, whatever the data. */
export class UsageError extends PlainError {}

/**
 * @param {unknown} error
 * @returns {string} One line, which says whose it is.
 */
export function describeError(error) {
  const message = error instanceof Error ? error.message : String(error)
  // An error of the loader says so itself, in several lines: those are worth having.
  if (error?.code === 'ERR_AI_SANDBOX_NATIVE_LOAD') return message
  return `ai-sandbox-native: ${escapeControls(message.replace(/\s*\n\s*/g, ' '))}`
}

/**
 * The same for what went wrong with a file, whose name is always told.
 *
 * @param {any} error
 * @param {string} path
 * @returns {PlainError}
 */
export function fileError(error, path) {
  if (error instanceof PlainError || error?.code === 'ERR_AI_SANDBOX_NATIVE_LOAD') return error
  const reason = REASONS.get(error?.code)
  const message = String(error?.message ?? error).replace(/^journal: /, '')
  const isNamed = reason === undefined && message.includes(path)
  return new PlainError(isNamed ? message : `${path}: ${reason ?? message}`, { cause: error })
}

const REASONS = new Map([
  ['ENOENT', 'no such file'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'is a folder'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ELOOP', 'too many symbolic links'],
])
