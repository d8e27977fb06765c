/** Looking at the processes of this machine. */

import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whether a process runs. One that has ended and is not collected yet does not. */
export function isAlive(pid) {
  return stateOf(pid) !== undefined
}

/** The processes of a group that run. */
export function runningInGroup(group) {
  const rows = execFileSync('ps', ['-eo', 'pgid=,pid=,stat='], { encoding: 'utf8' }).split('\n')
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([pgid, , state]) => Number(pgid) === group && !state.startsWith('Z'))
    .map(([, pid]) => Number(pid))
}

/** Waits until `condition` holds; a condition that never does fails with the test's time limit. */
export async function until(condition) {
  while (!(await condition())) await sleep(20)
}

function stateOf(pid) {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
    return state.trim().startsWith('Z') ? undefined : state
  } catch {
    return undefined
  }
}
