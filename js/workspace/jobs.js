/** Background jobs: their output, and their place in the list of those that run. */

import { binding } from '../load.js'
import { start } from './exec.js'

const { EXIT_CODE_NOT_RUN, jobEnded, jobStarted, newTail, pushTail, startJobId, tailText } = binding

export class Jobs {
  #handle
  #native
  #operations
  #nextNumber = 0

  constructor(handle, native, operations) {
    this.#handle = handle
    this.#native = native
    this.#operations = operations
  }

  /** Starts a job, and returns at once. */
  spawn(command, options) {
    const tail = newTail()
    const onOutput = options?.onOutput
    const collect = async (stream) => {
      for await (const chunk of stream) {
        pushTail(tail, String(chunk))
        onOutput?.(chunk)
      }
    }
    const started = start(() =>
      this.#handle.process.spawn(command, { cwd: options?.cwd, env: options?.env }),
    )
    const exited = started
      .then(async (process) => {
        const [exitCode] = await Promise.all([
          process.wait(),
          collect(process.stdout),
          collect(process.stderr),
        ])
        return { exitCode }
      })
      .catch((error) => {
        pushTail(tail, String(error))
        return { exitCode: EXIT_CODE_NOT_RUN }
      })
    const job = {
      wait: () => exited,
      kill: () => {
        started.then((process) => process.kill()).catch(() => undefined)
      },
      output: () => tailText(tail),
      jobId: started
        .then((process) => this.#operations.start(startJobId, undefined, String(process.pid)))
        .catch(() => undefined),
    }
    this.#list(job.kill, exited)
    return job
  }

  /** Keeps the job in the list while it runs, so that closing kills it. */
  #list(kill, exited) {
    const number = this.#nextNumber
    this.#nextNumber += 1
    this.#operations.addJob(number, kill)
    jobStarted(this.#native, number)
    const end = () => {
      this.#operations.removeJob(number)
      jobEnded(this.#native, number)
    }
    exited.then(end, end)
  }
}
