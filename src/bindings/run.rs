//! The pure functions around a journal, as `js/runtime/journal.js` calls them. They are called a few
//! times a run, so napi-rs derives them.
//!
//! A run id, and a line to look into, is text: a lone surrogate becomes U+FFFD. What is passed
//! through stays UTF-16. Offsets and counts are safe integers, which JavaScript has checked.

#![expect(
    clippy::needless_pass_by_value,
    reason = "napi-rs makes the arguments anew for each call, and hands them over"
)]

use napi::bindgen_prelude::Utf16String;
use napi_derive::napi;

use crate::journal::run::{self, DecodedRunId, ExitSentinel, JournalPaths, commands};
use crate::shell;

/// The folder of journals where none is named.
#[napi]
pub const DEFAULT_JOURNAL_DIR: &str = run::DEFAULT_JOURNAL_DIR;

/// The key of the exit code in a sentinel.
#[napi]
pub const EXIT_SENTINEL_KEY: &str = run::EXIT_KEY;

/// The key of the nonce in a sentinel.
#[napi]
pub const EXIT_SENTINEL_NONCE_KEY: &str = run::NONCE_KEY;

/// The text as one word of a POSIX shell.
#[napi(catch_unwind)]
pub fn shell_quote(text: Utf16String) -> Utf16String {
    shell::quote_utf16(&text).into()
}

/// The token of a run id in file names; `null` for the empty one.
#[napi(catch_unwind)]
pub fn encode_run_id(run_id: String) -> Option<String> {
    run::encode_run_id(&run_id)
}

/// What a file name of a journal says.
#[napi(
    object_from_js = false,
    discriminant = "kind",
    discriminant_case = "camelCase"
)]
pub enum JournalRunId {
    /// The run it belongs to.
    RunId {
        /// Its id.
        run_id: String,
    },
    /// The id was too long to be kept.
    Truncated,
    /// No name of a journal.
    Malformed,
}

/// The run that a file of a journal belongs to.
#[napi(catch_unwind)]
pub fn decode_journal_run_id(file_name: String) -> JournalRunId {
    match run::decode_run_id(&file_name) {
        DecodedRunId::RunId(run_id) => JournalRunId::RunId { run_id },
        DecodedRunId::Truncated => JournalRunId::Truncated,
        DecodedRunId::Malformed => JournalRunId::Malformed,
    }
}

/// The files of a run.
#[napi(object, object_from_js = false)]
pub struct RunPaths {
    /// The folder.
    pub dir: Utf16String,
    /// The journal.
    pub journal: Utf16String,
    /// Its stderr file.
    pub stderr: Utf16String,
    /// The nonce of its sentinel.
    pub nonce: Utf16String,
}

/// The files of a run; `null` for the empty run id.
#[napi(catch_unwind)]
pub fn journal_paths(run_id: String, dir: Utf16String) -> Option<RunPaths> {
    let paths = JournalPaths::of(&run_id, &dir)?;
    Some(RunPaths {
        dir: paths.dir.into(),
        journal: paths.journal.into(),
        stderr: paths.stderr.into(),
        nonce: paths.nonce.into(),
    })
}

/// The sentinel line for an exit code, which is a number as JavaScript writes it.
#[napi(catch_unwind)]
pub fn exit_sentinel_line(code: Utf16String, nonce: Utf16String) -> Utf16String {
    run::exit_sentinel_line(&code, &nonce).into()
}

/// The exit code that a line tells when it is the sentinel with this nonce.
#[napi(catch_unwind)]
pub fn parse_exit_sentinel(line: String, nonce: String) -> Option<f64> {
    ExitSentinel::new(&nonce).exit_code(&line)
}

/// The exit code of the last sentinel with this nonce in a text.
#[napi(catch_unwind)]
pub fn parse_journal_exit(text: String, nonce: String) -> Option<f64> {
    ExitSentinel::new(&nonce).last_exit_code(&text)
}

/// Runs a command with its output appended to the files of a run.
#[napi(catch_unwind)]
pub fn journaled_command(
    command: Utf16String,
    dir: Utf16String,
    journal: Utf16String,
    stderr: Utf16String,
    nonce: Utf16String,
) -> Utf16String {
    let paths = JournalPaths {
        dir: dir.to_vec(),
        journal: journal.to_vec(),
        stderr: stderr.to_vec(),
        nonce: nonce.to_vec(),
    };
    commands::journaled(&command, &paths).into()
}

/// Prints a journal from a byte on, and what is appended to it.
#[napi(catch_unwind)]
pub fn journal_follow_command(
    dir: Utf16String,
    journal: Utf16String,
    from_byte: f64,
) -> Utf16String {
    commands::follow(&dir, &journal, from_byte as u64).into()
}

/// Prints a journal from a byte on, in base64.
#[napi(catch_unwind)]
pub fn journal_read_command(journal: Utf16String, from_byte: f64) -> Utf16String {
    commands::read(&journal, from_byte as u64).into()
}

/// Prints the last bytes of a file, in base64.
#[napi(catch_unwind)]
pub fn journal_read_end_command(file: Utf16String, most_bytes: f64) -> Utf16String {
    commands::read_end(&file, most_bytes as u64).into()
}

/// Tells whether a journal is there.
#[napi(catch_unwind)]
pub fn journal_exists_command(journal: Utf16String) -> Utf16String {
    commands::exists(&journal).into()
}

/// Removes the files of a run.
#[napi(catch_unwind)]
pub fn journal_cleanup_command(journal: Utf16String, stderr: Utf16String) -> Utf16String {
    commands::clean_up(&journal, &stderr).into()
}

/// Prints the names in a folder.
#[napi(catch_unwind)]
pub fn journal_list_command(dir: Utf16String) -> Utf16String {
    commands::list(&dir).into()
}

/// Prints when the files of a folder were last changed.
#[napi(catch_unwind)]
pub fn journal_mtime_list_command(dir: Utf16String) -> Utf16String {
    commands::list_mtimes(&dir).into()
}

/// A file and when it was last changed.
#[napi(object, object_from_js = false)]
pub struct ListedJournal {
    /// Its name.
    pub name: Utf16String,
    /// In milliseconds since 1970.
    pub mtime_ms: f64,
}

/// The files that such a listing names; `null` where it isn't one of that folder.
#[napi(catch_unwind)]
pub fn parse_journal_mtime_listing(
    text: Utf16String,
    dir: Utf16String,
) -> Option<Vec<ListedJournal>> {
    let files = run::parse_mtime_listing(&text, &dir)?;
    let listed = files.iter().map(|file| ListedJournal {
        name: file.name.to_vec().into(),
        mtime_ms: file.mtime_ms,
    });
    Some(listed.collect())
}
