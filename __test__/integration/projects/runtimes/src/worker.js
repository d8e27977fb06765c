import { parentPort } from 'node:worker_threads'
import { usePackage } from './use-package.js'

parentPort.postMessage(await usePackage())
