/** This package's version, for where it was bundled and has no package.json. */
export const VERSION = '0.1.0'
