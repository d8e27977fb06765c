//! The shell commands over the files of a run.
//!
//! A command that looks swallows what the shell would complain of (`2>/dev/null`): a file that isn't
//! there yet reads as empty. What may hold any bytes goes through `base64`, since a provider gives
//! the output of a command as text.
//!
//! Positions count bytes from 0, and `tail -c +N` from 1.

use super::paths::without_slash;
use super::utf16::utf16;
use super::{EXIT_KEY, JournalPaths, NONCE_KEY};
use crate::shell::quote_utf16 as quote;

/// Runs `command` with its output appended to the journal, and the run's sentinel behind it. The
/// command has a shell of its own, so that its `exit` doesn't skip the sentinel.
pub fn journaled(command: &[u16], paths: &JournalPaths) -> Vec<u16> {
    let JournalPaths {
        dir,
        journal,
        stderr,
        nonce,
    } = paths;
    utf16![
        "mkdir -p ",
        quote(dir),
        " && { ( ",
        command,
        " ); ",
        "printf '{\"",
        EXIT_KEY,
        "\":%d,\"",
        NONCE_KEY,
        "\":\"",
        nonce.as_slice(),
        "\"}\\n' \"$?\"; } ",
        ">> ",
        quote(journal),
        " 2>> ",
        quote(stderr),
    ]
}

/// Prints the journal from a byte on, and what is appended to it, until it is killed. Makes the
/// file where it is missing: some `tail`s follow only what is there.
pub fn follow(dir: &[u16], journal: &[u16], from_byte: u64) -> Vec<u16> {
    let journal = quote(journal);
    utf16![
        "mkdir -p ",
        quote(dir),
        " 2>/dev/null; ",
        ": >> ",
        journal,
        " 2>/dev/null; ",
        "tail -c +",
        number_of_byte(from_byte),
        " -f ",
        journal,
        " 2>/dev/null",
    ]
}

/// Prints the journal from a byte on, in base64.
pub fn read(journal: &[u16], from_byte: u64) -> Vec<u16> {
    utf16![
        "tail -c +",
        number_of_byte(from_byte),
        " ",
        quote(journal),
        " 2>/dev/null | base64"
    ]
}

/// Prints the last bytes of a file, in base64.
pub fn read_end(file: &[u16], most_bytes: u64) -> Vec<u16> {
    utf16![
        "tail -c -",
        most_bytes,
        " ",
        quote(file),
        " 2>/dev/null | base64"
    ]
}

/// Tells by its exit code whether the journal is there.
pub fn exists(journal: &[u16]) -> Vec<u16> {
    utf16!["test -f ", quote(journal)]
}

/// Removes the files of the run.
pub fn clean_up(journal: &[u16], stderr: &[u16]) -> Vec<u16> {
    utf16!["rm -f ", quote(journal), " ", quote(stderr)]
}

/// Prints the names in a folder.
pub fn list(dir: &[u16]) -> Vec<u16> {
    utf16!["ls -1 ", quote(without_slash(dir)), " 2>/dev/null"]
}

/// Prints when a folder and each file in it was last changed, for
/// [`parse_mtime_listing`](super::parse_mtime_listing).
pub fn list_mtimes(dir: &[u16]) -> Vec<u16> {
    let dir = quote(without_slash(dir));
    utf16!["stat -c '%Y %n' ", dir, " ", dir, "/* 2>/dev/null"]
}

fn number_of_byte(offset: u64) -> u64 {
    offset.saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn are_those_of_the_contract() {
        let paths = JournalPaths {
            dir: units("/d'"),
            journal: units("/d'/r.ndjson"),
            stderr: units("/d'/r.err"),
            nonce: units("0123"),
        };
        let JournalPaths {
            dir,
            journal,
            stderr,
            ..
        } = &paths;
        let (d, j, e) = (r"'/d'\'''", r"'/d'\''/r.ndjson'", r"'/d'\''/r.err'");
        let sentinel = r#"printf '{"__exit":%d,"__nonce":"0123"}\n' "$?""#;
        let cases = [
            (
                journaled(&units("agent --run 'x'"), &paths),
                format!("mkdir -p {d} && {{ ( agent --run 'x' ); {sentinel}; }} >> {j} 2>> {e}"),
            ),
            (
                follow(dir, journal, 0),
                format!(
                    "mkdir -p {d} 2>/dev/null; : >> {j} 2>/dev/null; tail -c +1 -f {j} 2>/dev/null"
                ),
            ),
            (
                read(journal, 41),
                format!("tail -c +42 {j} 2>/dev/null | base64"),
            ),
            (
                read_end(stderr, 4096),
                format!("tail -c -4096 {e} 2>/dev/null | base64"),
            ),
            (exists(journal), format!("test -f {j}")),
            (clean_up(journal, stderr), format!("rm -f {j} {e}")),
            (list(dir), format!("ls -1 {d} 2>/dev/null")),
            (
                list_mtimes(&units("/d'/")),
                format!("stat -c '%Y %n' {d} {d}/* 2>/dev/null"),
            ),
        ];
        for (command, expected) in cases {
            assert_eq!(String::from_utf16(&command).unwrap(), expected);
        }
    }

    #[test]
    fn the_greatest_position_is_written_in_full() {
        let command = String::from_utf16(&read(&units("j"), (1 << 53) - 1)).unwrap();
        assert_eq!(
            command,
            "tail -c +9007199254740992 'j' 2>/dev/null | base64"
        );
    }
}
