//! The journal of a run: what its files are called, the shell commands that write and read them,
//! and how a reader tells that the run has ended.
//!
//! All of it is interface: processes of other versions, in other languages, compose the same names
//! and commands and read the same lines.
//!
//! 1. A run id is text, UTF-8 to hash and to escape. What a caller gives to be passed through, a
//!    folder or a command, is UTF-16 and comes out unit by unit as it came, as JavaScript's own
//!    concatenation has it.
//! 2. A file name is never guessed at: files are deleted on the strength of the answer.
//! 3. Only the sentinel with the nonce of the run ends it, whatever an agent prints.

pub mod commands;
mod hash;
mod listing;
mod paths;
mod run_id;
mod sentinel;
mod utf16;

pub use listing::{ListedFile, parse_mtime_listing};
pub use paths::{DEFAULT_JOURNAL_DIR, JournalPaths};
pub use run_id::{DecodedRunId, decode_run_id, encode_run_id};
pub use sentinel::{EXIT_KEY, ExitSentinel, NONCE_KEY, exit_sentinel_line};
