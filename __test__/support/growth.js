/** Measures by how much a workload makes a process grow. Needs `--expose-gc`. */

/** A collection and a turn of the loop, so that finalizers have run. */
export async function collectGarbage() {
  globalThis.gc()
  await new Promise((resolve) => setImmediate(resolve))
}

/**
 * Runs the workload that the script's first argument names, and prints by how many bytes the
 * process has grown from a small warm-up run to the end of the whole one.
 *
 * @param {Record<string, (scale: number) => Promise<void>>} workloads
 * @param {number} warmUpScale
 */
export async function printGrowth(workloads, warmUpScale) {
  const workload = workloads[process.argv[2]]
  await workload(warmUpScale)
  const before = await usage()
  await workload(1)
  const after = await usage()
  console.log(JSON.stringify({ rss: after.rss - before.rss, heap: after.heap - before.heap }))
}

/** What the process holds, once all that can go has gone: bytes. */
export async function usage() {
  for (let count = 0; count < 4; count += 1) await collectGarbage()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heap: heapUsed + external }
}
