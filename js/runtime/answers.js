/** What a sandbox gives, checked: an error that names what it was tells where to look. */

import { asObject } from '../source.js'

/** @template T @param {T} process @returns {T} */
export const asProcess = (process) => asObject(process, 'what process.spawn of the sandbox gave')

/** @template T @param {T} result @returns {T} */
export const asExecResult = (result) => asObject(result, 'what process.exec of the sandbox gave')

/** @template T @param {T} result @returns {T} */
export const asNextResult = (result) => asObject(result, 'what next() of a stream gave')
