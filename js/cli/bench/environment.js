/** What figures depend on: package, runtime, machine. */

import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'

const GIB = 2 ** 30

/** What the figures depend on. */
export function describeEnvironment() {
  const manifest = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  )
  const processors = cpus()
  return {
    package: `${manifest.name} ${manifest.version}`,
    node: process.version,
    v8: process.versions.v8,
    platform: `${process.platform} ${process.arch} ${release()}`,
    cpu: `${processors[0]?.model.trim() ?? 'unknown'} x ${processors.length}`,
    memory: `${(totalmem() / GIB).toFixed(0)} GiB`,
  }
}

/** @param {ReturnType<typeof describeEnvironment>} environment */
export function formatEnvironment(environment) {
  const { node, v8, platform, cpu, memory } = environment
  return `${environment.package} · Node ${node} (V8 ${v8}) · ${platform} · ${cpu}, ${memory}`
}
