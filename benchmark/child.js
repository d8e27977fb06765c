/**
 * Each measurement runs in a process of its own: no other case's types, garbage or peak memory.
 */

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Runs `children/<name>.js` and gives back what it answered.
 *
 * @param {string} name
 * @param {unknown} task - Passed as JSON.
 * @returns {Promise<any>}
 */
export function runChild(name, task) {
  const file = fileURLToPath(new URL(`./children/${name}.js`, import.meta.url))
  return new Promise((resolve, reject) => {
    const child = fork(file, [JSON.stringify(task)], { execArgv: ['--expose-gc'] })
    let answer
    child.on('message', (message) => {
      answer = message
    })
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      if (code === 0 && answer !== undefined) resolve(answer)
      else reject(new Error(`benchmark child ${name} ended with ${signal ?? `code ${code}`}`))
    })
  })
}

/**
 * In the child: does the task and sends the answer.
 *
 * @param {(task: any) => Promise<unknown>} work
 */
export async function answerParent(work) {
  const answer = await work(JSON.parse(process.argv[2]))
  process.send(answer, () => process.disconnect())
}
