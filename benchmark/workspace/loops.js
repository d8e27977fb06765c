/**
 * The loops that are timed, each contender's from a copy of this module of its own.
 */

export async function oneByOne(start, count) {
  let last
  for (let left = count; left > 0; left -= 1) last = await start()
  return last
}

export async function atOnce(start, count) {
  const all = new Array(count)
  for (let index = 0; index < count; index += 1) all[index] = start()
  return Promise.all(all)
}
