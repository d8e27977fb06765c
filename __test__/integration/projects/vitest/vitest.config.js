// Nothing is set: this file only keeps Vitest from the settings of a folder above.
export default {}
