/**
 * The module that the original has its workspace backend in.
 *
 * @module
 */

export * from './workspace-backend.js'
