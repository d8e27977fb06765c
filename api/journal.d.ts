/**
 * The journal of a run: what its files are called, the shell commands that write and read them, and
 * how a reader tells that the run has ended. All functions are pure.
 *
 * An agent runs in a sandbox under {@link journaledCommand}: what it prints goes to a file there, the
 * *journal*, and when it ends the shell appends a line with its exit code, the *exit sentinel*. Any
 * host that knows the run id can compose the same paths and commands, and so read the journal live,
 * resume, or take over from a host that died.
 *
 * Names, commands and lines are those of `@tanstack/ai-sandbox`, letter by letter. All functions
 * throw a `TypeError` for an argument that should be a string and isn't.
 *
 * @example
 * ```ts
 * const paths = journalPaths(runId)
 * await sandbox.process.spawn(journaledCommand('my-agent --json', paths))
 * const { stdout } = await sandbox.process.exec(journalExitProbeCommand(paths))
 * const exitCode = parseJournalExit(Buffer.from(stdout, 'base64').toString(), paths)
 * ```
 *
 * @module
 */

/** The folder of journals where none is named: `/tmp/tanstack-runs`. */
export const DEFAULT_JOURNAL_DIR: '/tmp/tanstack-runs'

/** The key of the exit code in an exit sentinel. */
export const EXIT_SENTINEL_KEY: '__exit'

/** The key of the nonce in an exit sentinel. */
export const EXIT_SENTINEL_NONCE_KEY: '__nonce'

/** The files of a run in its sandbox, and the nonce of its exit sentinel. */
export interface JournalPaths {
  /** The folder, without a `/` at its end. */
  dir: string
  /** The file with what the agent prints to stdout, `dir/TOKEN.ndjson`. */
  journal: string
  /** The file with what it prints to stderr, `dir/TOKEN.err`. */
  stderr: string
  /**
   * 32 hex digits that follow from the run id. An agent that doesn't know its run id can't print a
   * line that passes for the exit sentinel.
   */
  nonce: string
}

/** What the name of a file says about the run that it belongs to. */
export type DecodedJournalRunId =
  /** It belongs to this run. */
  | { kind: 'runId'; runId: string }
  /** The token is one that was, or may have been, cut short: the run id can't be known from it. */
  | { kind: 'truncated' }
  /** It isn't the name of a journal or of its stderr file. */
  | { kind: 'malformed' }

/** A file of the folder of journals. */
export interface JournalMtimeEntry {
  /** The name of the file, without the folder. */
  name: string
  /** When it was last changed: milliseconds since 1970, whole seconds. */
  mtimeMs: number
}

/** When the files of a folder were last changed, where that could be found out. */
export type JournalMtimeListing =
  | { kind: 'listed'; entries: JournalMtimeEntry[] }
  /** `stat -c` doesn't work in this sandbox, or the folder can't be read. */
  | { kind: 'unavailable' }

/**
 * The text as one word of a POSIX shell, whatever it holds: in single quotes, with each `'` as
 * `'\''`.
 */
export function shellQuote(text: string): string

/**
 * The token that stands for a run id in file names: 1 to 200 characters of `[A-Za-z0-9._-]`.
 *
 * `[A-Za-z0-9.-]` stay. Each other character becomes `_hh`, two lower-case hex digits, for each byte
 * of its UTF-8; a lone surrogate counts as U+FFFD. In a token that Windows reserves (`CON`, `nul`,
 * `Com1`, …) all characters are escaped. A token longer than 200 becomes its first 183 characters,
 * `-`, and the first 16 hex digits of the SHA-256 of the run id.
 *
 * @throws {Error} `journal: runId must not be empty`.
 */
export function encodeRunId(runId: string): string

/**
 * The run that a file belongs to: the inverse of {@link encodeRunId}. It never guesses, so that files
 * may be deleted on the strength of the answer.
 *
 * @param fileName - The name without the folder, `TOKEN.ndjson` or `TOKEN.err`.
 */
export function decodeJournalRunId(fileName: string): DecodedJournalRunId

/**
 * The files of a run.
 *
 * @param dir - The folder in the sandbox. One `/` at its end is dropped. Default:
 *   {@link DEFAULT_JOURNAL_DIR}.
 * @throws {Error} `journal: runId must not be empty`.
 */
export function journalPaths(runId: string, dir?: string): JournalPaths

/**
 * The exit sentinel that {@link journaledCommand} writes, without its newline:
 * `{"__exit":CODE,"__nonce":"NONCE"}`.
 */
export function exitSentinelLine(paths: JournalPaths, code: number): string

/**
 * The exit code, when the line is the exit sentinel of this run; else `null`.
 *
 * It is when `JSON.parse` of the line, white space around it aside, gives an object whose `__nonce`
 * is the run's and whose `__exit` is an integer. A line of the agent that only looks like it has
 * another nonce.
 *
 * A line that has no trace of the nonce isn't parsed, so that each line of a journal may be asked.
 */
export function parseExitSentinel(line: string, paths: JournalPaths): number | null

/**
 * The exit code in the last exit sentinel of this run among the lines of a text, such as the end of a
 * journal; `null` where there is none.
 */
export function parseJournalExit(text: string, paths: JournalPaths): number | null

/**
 * A command that runs `command` and appends its stdout to the journal, its stderr to the stderr file,
 * and behind it, however it ends, the exit sentinel. Makes the folder.
 *
 * `command` is a text for the shell, and runs in a subshell. A comment at its end needs a newline
 * behind it.
 */
export function journaledCommand(command: string, paths: JournalPaths): string

/**
 * A command that prints the journal from a byte on, and then what is appended to it, until it is
 * killed. A journal that isn't there yet is made, empty.
 *
 * @param fromByte - The offset in bytes of the first byte to print, such as the `endPosition` of a
 *   line. The journal must have that many bytes already: what `tail` makes of a shorter one differs
 *   from system to system.
 * @throws {Error} `journal: fromByte must be a non-negative safe integer, got X`.
 */
export function journalFollowCommand(paths: JournalPaths, fromByte: number): string

/**
 * A command that prints the journal from a byte on as base64; nothing where there is no journal.
 *
 * @param fromByte - As for {@link journalFollowCommand}.
 * @throws {Error} As {@link journalFollowCommand}.
 */
export function journalReadCommand(paths: JournalPaths, fromByte: number): string

/** A command that exits with 0 when the journal is there, else with another code. */
export function journalExistsCommand(paths: JournalPaths): string

/**
 * A command that prints the end of the stderr file as base64.
 *
 * @param maxBytes - How many bytes of the file at most. Default: 4096.
 * @throws {Error} `journal: maxBytes must be a positive safe integer, got X`.
 */
export function journalStderrReadCommand(paths: JournalPaths, maxBytes?: number): string

/**
 * A command that prints the end of the journal as base64, for {@link parseJournalExit}. It may begin
 * within a line, and within a character.
 *
 * @param maxBytes - As for {@link journalStderrReadCommand}.
 * @throws {Error} As {@link journalStderrReadCommand}.
 */
export function journalExitProbeCommand(paths: JournalPaths, maxBytes?: number): string

/** A command that removes the journal and the stderr file, where they are. */
export function journalCleanupCommand(paths: JournalPaths): string

/**
 * A command that prints the names of the files in a folder, one a line, for
 * {@link decodeJournalRunId}. It leaves out hidden files, which those of a run are whose id begins with
 * a dot, and so does {@link journalMtimeListCommand}.
 *
 * @param dir - As for {@link journalPaths}.
 */
export function journalListCommand(dir?: string): string

/**
 * A command that prints when the files of a folder were last changed, for
 * {@link parseJournalMtimeListing}.
 *
 * @param dir - As for {@link journalPaths}.
 */
export function journalMtimeListCommand(dir?: string): string

/**
 * Reads what {@link journalMtimeListCommand} printed: lines of seconds since 1970, one space, and a
 * path.
 *
 * The line of the folder itself shows that the command works. Without it the answer is
 * `unavailable`, never a list that happens to be empty. Paths that aren't directly inside the folder
 * are left out, and so is any other line.
 *
 * @param dir - The same as for the command.
 */
export function parseJournalMtimeListing(text: string, dir?: string): JournalMtimeListing
