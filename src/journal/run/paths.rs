//! Where the files of a run are, and the nonce of its sentinel.

use super::encode_run_id;
use super::hash::sha256_hex;
use super::utf16::utf16;

/// The folder of journals where none is named.
pub const DEFAULT_JOURNAL_DIR: &str = "/tmp/tanstack-runs";

/// Hashed in front of a run id, so that its nonce is of no use elsewhere.
const NONCE_DOMAIN: &str = "tanstack-ai-sandbox/journal-exit-sentinel/v1:";
const NONCE_DIGITS: usize = 32;

/// The files of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalPaths {
    /// The folder, without a slash at its end.
    pub dir: Vec<u16>,
    /// What the agent prints.
    pub journal: Vec<u16>,
    /// What it prints as errors.
    pub stderr: Vec<u16>,
    /// The secret by which the run's own sentinel is told from a line of the agent: hex digits.
    pub nonce: Vec<u16>,
}

impl JournalPaths {
    /// The files of a run in `dir`; `None` for the empty run id.
    pub fn of(run_id: &str, dir: &[u16]) -> Option<Self> {
        let token = encode_run_id(run_id)?;
        let dir = without_slash(dir);
        Some(Self {
            journal: utf16![dir, "/", token.as_str(), ".ndjson"],
            stderr: utf16![dir, "/", token.as_str(), ".err"],
            nonce: utf16![nonce(run_id).as_str()],
            dir: dir.to_vec(),
        })
    }
}

/// A folder without one slash at its end. Of `/` the empty text is left, as in the original.
pub(super) fn without_slash(dir: &[u16]) -> &[u16] {
    dir.strip_suffix(&[SLASH]).unwrap_or(dir)
}

pub(super) const SLASH: u16 = b'/' as u16;

fn nonce(run_id: &str) -> String {
    sha256_hex(&[NONCE_DOMAIN, run_id], NONCE_DIGITS)
}

#[cfg(test)]
mod tests {
    use super::JournalPaths;

    fn paths(run_id: &str, dir: &str) -> [String; 4] {
        let dir: Vec<u16> = dir.encode_utf16().collect();
        let paths = JournalPaths::of(run_id, &dir).unwrap();
        [paths.dir, paths.journal, paths.stderr, paths.nonce]
            .map(|text| String::from_utf16(&text).unwrap())
    }

    #[test]
    fn both_files_are_the_token_in_the_folder() {
        let [dir, journal, stderr, nonce] = paths("a/b", "/tmp/x y");
        assert_eq!(dir, "/tmp/x y");
        assert_eq!(journal, "/tmp/x y/a_2fb.ndjson");
        assert_eq!(stderr, "/tmp/x y/a_2fb.err");
        // printf 'tanstack-ai-sandbox/journal-exit-sentinel/v1:a/b' | sha256sum
        assert_eq!(nonce, "f3ee64798a5c8151fe657e1150dc68e4");
        assert_eq!(JournalPaths::of("", &[]), None);
    }

    #[test]
    fn one_slash_at_the_end_of_the_folder_is_dropped() {
        let cases = [
            ("/x/", "/x"),
            ("/x//", "/x/"),
            ("/", ""),
            ("", ""),
            ("x", "x"),
        ];
        for (given, dir) in cases {
            let [actual, journal, ..] = paths("r", given);
            assert_eq!(actual, dir);
            assert_eq!(journal, format!("{dir}/r.ndjson"));
        }
    }

    #[test]
    fn half_a_surrogate_pair_in_the_folder_stays() {
        let paths = JournalPaths::of("r", &[0xD83D]).unwrap();
        assert_eq!(paths.dir, [0xD83D]);
        assert_eq!(paths.journal[..3], [0xD83D, 0x2F, 0x72]);
    }
}
