/** What a benchmark measures while a process follows runs. */

import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Milliseconds by a clock that all processes of a machine share. */
export function now() {
  return Number(process.hrtime.bigint()) / 1e6
}

export class Meter {
  #latencies = []
  #isOn = false
  #delay = monitorEventLoopDelay({ resolution: 1 })
  #cpu
  #startedAt

  saw(at) {
    if (this.#isOn) this.#latencies.push(now() - at)
  }

  start() {
    this.#isOn = true
    this.#cpu = process.cpuUsage()
    this.#startedAt = now()
    this.#delay.enable()
  }

  /** How many events, their latencies, the delays of the loop, the CPU time. */
  stop() {
    this.#isOn = false
    this.#delay.disable()
    const { user, system } = process.cpuUsage(this.#cpu)
    const cpu = (user + system) / 1000 / (now() - this.#startedAt)
    const sorted = Float64Array.from(this.#latencies).sort()
    const at = (share) => shown(sorted[Math.ceil(sorted.length * share) - 1])
    const loop = (percent) => shown(this.#delay.percentile(percent) / 1e6)
    return [
      sorted.length,
      ...[at(0.5), at(0.99), at(1)],
      ...[loop(50), loop(99), shown(this.#delay.max / 1e6)],
      `${Math.round(cpu * 100)} %`,
    ]
  }
}

function shown(ms) {
  return ms === undefined ? '' : ms.toFixed(2)
}
