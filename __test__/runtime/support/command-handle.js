/** A handle of a sandbox that answers each command as the test says, and keeps the commands and their options. */

/**
 * @param {(command: string, count: number) => unknown} answer - `count` commands came before. What
 *   it returns or throws is what `exec` does.
 */
export function handleOf(answer) {
  const commands = []
  const options = []
  return {
    commands,
    options,
    capabilities: { backgroundProcesses: true, killableProcesses: true },
    process: {
      exec(command, ...rest) {
        if (this === undefined) throw new Error('called without its owner')
        options.push(rest)
        commands.push(command)
        return answer(command, commands.length - 1)
      },
      spawn() {
        throw new Error('nothing is started here')
      },
    },
  }
}

/** How a command ended. */
export async function exit(exitCode, stdout = '') {
  return { exitCode, stdout, stderr: '' }
}

/** A run store that gives each answer once, the last one for ever. Functions are called. */
export function storeOf(...answers) {
  const asked = []
  return {
    asked,
    get(runId) {
      if (this === undefined) throw new Error('called without its owner')
      const answer = answers[Math.min(asked.push(runId), answers.length) - 1]
      return typeof answer === 'function' ? answer() : answer
    },
  }
}

/** A promise that never settles. */
export function never() {
  return new Promise(() => undefined)
}

/** A logger that keeps what it is told. */
export function loggerOf() {
  const warnings = []
  return { warnings, warn: (message, meta) => void warnings.push({ message, meta }) }
}

/** Loggers that fail, each in its way. */
export const badLoggers = [
  [
    'that throws',
    {
      warn() {
        throw new Error('of the logger')
      },
    },
  ],
  ['that rejects', { warn: async () => Promise.reject(new Error('of the logger')) }],
  ['without warn', {}],
  [
    'whose warn is a getter that throws',
    {
      get warn() {
        throw new Error('of the getter')
      },
    },
  ],
]
