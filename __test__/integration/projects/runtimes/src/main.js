/** The package on the main thread, then in a worker thread. */

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { usePackage } from './use-package.js'

const main = await usePackage()
const worker = new Worker(new URL('./worker.js', import.meta.url))
const [inWorker] = await once(worker, 'message')
const { bun, deno, node } = process.versions
console.log(JSON.stringify({ runtime: { bun, deno, node }, main, inWorker }))
