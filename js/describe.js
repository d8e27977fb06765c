/**
 * What a value is, for a message: never throws, whatever the value.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function describe(value) {
  switch (typeof value) {
    case 'string':
      return 'a string'
    case 'number':
      return `the number ${value}`
    case 'object':
      return value === null ? 'null' : describeObject(value)
    case 'function':
      return 'a function'
    case 'undefined':
      return 'undefined'
    default:
      return `a ${typeof value}`
  }
}

/** @param {object} value */
function describeObject(value) {
  try {
    const name = value.constructor.name
    if (typeof name === 'string' && name !== '') return `an object of ${name}`
  } catch {
    // A proxy, a getter that throws, or no prototype.
  }
  return 'an object'
}
