/** The exit codes of the command line tool, as its help texts tell them. */

export const EXIT = Object.freeze({
  OK: 0,
  /** The data or the run is not well, or can't be read. */
  PROBLEM: 1,
  USAGE: 2,
  /** Ctrl-C: 128 and the number of SIGINT, as shells have it. */
  INTERRUPTED: 130,
})
