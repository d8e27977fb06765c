/** Kinds of request, as in `src/bindings/workspace/outbox.rs`. */

export const LSTAT = 0
export const EXISTS = 3
export const READ_BYTES = 6
export const OF_CALLER = 0
export const OF_TEXT = 1
export const OF_ENTRY = 2
export const LIST = 9
export const REMOVE = 10
export const EXEC = 11
export const EXEC_IN = 12
export const DESTROY = 13
export const KILL = 14
export const END_UNDEFINED = 15
export const END_FILE = 16
export const END_SPECIAL = 17
export const END_DIR = 18
export const END_TEXT = 19
export const END_BOOLEAN = 20
export const END_LISTING = 21
export const END_PAGE = 22
export const END_FAILURE = 23
export const END_ERROR = 24
export const FORGET_ERROR = 25
