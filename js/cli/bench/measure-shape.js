/**
 * One shape in which a host gets a journal, measured in a thread of its own: what V8 learned of one
 * shape doesn't slow or speed the next.
 */

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const KIB = 1024

/** @typedef {{ source: 'base64' | 'bytes' | 'text', chunk: number | 'whole' | 'line' }} Shape */

/** @type {Shape[]} */
export const SHAPES = [
  { source: 'base64', chunk: 'whole' },
  { source: 'text', chunk: 64 * KIB },
  { source: 'text', chunk: 'line' },
  { source: 'bytes', chunk: 'line' },
]

/**
 * @typedef {object} Figure
 * @property {string} name - Of the contender.
 * @property {number} bytes - What it read; the original's way gets no more than it can bear.
 * @property {number} lines
 * @property {number} medianMs
 * @property {number} lowMs - `lowMs` to `highMs`: the middle half of the samples.
 * @property {number} highMs
 * @property {number} rounds
 *
 * @typedef {{ shape: Shape, bytes: number, lines: number, figures: Figure[] }} ShapeResult
 */

/**
 * @param {Shape} shape
 * @param {Uint8Array} journal - Complete lines.
 * @returns {Promise<ShapeResult>}
 * @throws When two contenders don't give the same lines.
 */
export async function measureShape(shape, journal) {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: { shape, journal },
  })
  // Rejects with the worker's error.
  const [result] = await once(worker, 'message')
  await worker.terminate()
  return result
}
