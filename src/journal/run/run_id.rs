//! Run ids as names of files, and back.
//!
//! 1. A token is safe as a file name on every system, and distinct run ids have distinct tokens.
//! 2. [`decode_run_id`] inverts [`encode_run_id`], but for a token that was cut short: that one
//!    ends in a hash, and what it stands for can't be known.

use super::hash::{hex_digit, sha256_hex};

/// Characters in a token at most.
const MOST_CHARACTERS: usize = 200;
/// What a token that is cut short keeps of its start.
const KEPT_CHARACTERS: usize = 183;
/// The hex digits of the hash that it ends in, behind a `-`.
const HASH_DIGITS: usize = MOST_CHARACTERS - KEPT_CHARACTERS - 1;
const HEX_DIGITS: &[u8; 16] = b"0123456789abcdef";

/// What a file name of a journal says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecodedRunId {
    /// It is the file of this run.
    RunId(String),
    /// It is that of a run whose id was too long to be kept.
    Truncated,
    /// It is no name that [`encode_run_id`] gives.
    Malformed,
}

/// A token for a run id; `None` for the empty one, which has none.
///
/// Letters, digits, `.` and `-` stay. Any other byte becomes `_` and its two hex digits.
pub fn encode_run_id(run_id: &str) -> Option<String> {
    if run_id.is_empty() {
        return None;
    }
    let mut token = escape(run_id, is_plain);
    if is_reserved(&token) {
        token = escape(run_id, |_| false);
    }
    if token.len() > MOST_CHARACTERS {
        token.truncate(KEPT_CHARACTERS);
        token.push('-');
        token.push_str(&sha256_hex(&[run_id], HASH_DIGITS));
    }
    Some(token)
}

/// The run that a journal or its stderr file, by its name without the folder, belongs to.
pub fn decode_run_id(file_name: &str) -> DecodedRunId {
    let stem = file_name
        .strip_suffix(".ndjson")
        .or_else(|| file_name.strip_suffix(".err"));
    match stem {
        None | Some("") => DecodedRunId::Malformed,
        Some(token) if is_truncated(token) => DecodedRunId::Truncated,
        Some(token) => unescape(token)
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .map_or(DecodedRunId::Malformed, DecodedRunId::RunId),
    }
}

fn escape(run_id: &str, stays: fn(u8) -> bool) -> String {
    let mut token = String::with_capacity(run_id.len());
    for byte in run_id.bytes() {
        if stays(byte) {
            token.push(char::from(byte));
        } else {
            token.push('_');
            token.extend([byte >> 4, byte & 0xF].map(hex_digit));
        }
    }
    token
}

fn unescape(token: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(token.len());
    let mut rest = token.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'_' => bytes.push(hex_value(rest.next()?)? << 4 | hex_value(rest.next()?)?),
            byte if is_plain(byte) => bytes.push(byte),
            _ => return None,
        }
    }
    Some(bytes)
}

/// Whether a file can't have this name on Windows, with any extension.
fn is_reserved(token: &str) -> bool {
    let upper = token.to_ascii_uppercase();
    match upper.as_str() {
        "CON" | "PRN" | "AUX" | "NUL" => true,
        name => matches!(
            name.strip_prefix("COM")
                .or_else(|| name.strip_prefix("LPT"))
                .map(str::as_bytes),
            Some([b'1'..=b'9'])
        ),
    }
}

/// Lengths are those of JavaScript's strings: a foreign name may have any characters.
fn is_truncated(token: &str) -> bool {
    let length = token.encode_utf16().count();
    length > MOST_CHARACTERS || (length == MOST_CHARACTERS && ends_in_hash(token))
}

fn ends_in_hash(token: &str) -> bool {
    token
        .as_bytes()
        .last_chunk::<{ HASH_DIGITS + 1 }>()
        .is_some_and(|[dash, digits @ ..]| {
            *dash == b'-' && digits.iter().all(|digit| HEX_DIGITS.contains(digit))
        })
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-'
}

fn hex_value(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run_id(text: &str) -> DecodedRunId {
        DecodedRunId::RunId(text.to_owned())
    }

    #[test]
    fn plain_characters_stay_and_all_others_are_escaped() {
        let cases = [
            ("run-1.A", "run-1.A"),
            ("a_b", "a_5fb"),
            ("a/b", "a_2fb"),
            ("..", ".."),
            ("é€😀", "_c3_a9_e2_82_ac_f0_9f_98_80"),
            ("\u{FFFD}\0\n", "_ef_bf_bd_00_0a"),
        ];
        for (id, token) in cases {
            assert_eq!(encode_run_id(id).unwrap(), token);
        }
        assert_eq!(encode_run_id(""), None);
    }

    #[test]
    fn names_that_windows_reserves_are_escaped_whole() {
        let cases = [
            ("CON", "_43_4f_4e"),
            ("nul", "_6e_75_6c"),
            ("Com1", "_43_6f_6d_31"),
            ("lPT9", "_6c_50_54_39"),
            ("COM0", "COM0"),
            ("COM10", "COM10"),
            ("CON.x", "CON.x"),
            ("LPT", "LPT"),
        ];
        for (id, token) in cases {
            assert_eq!(encode_run_id(id).unwrap(), token);
        }
    }

    #[test]
    fn a_token_is_cut_above_200_characters() {
        let longest = "a".repeat(200);
        assert_eq!(encode_run_id(&longest).unwrap(), longest);
        let token = encode_run_id(&"a".repeat(201)).unwrap();
        assert_eq!(token.len(), 200);
        // printf 'a%.0s' $(seq 201) | sha256sum
        assert_eq!(token, format!("{}-{}", "a".repeat(183), HASH_OF_201));
    }
    const HASH_OF_201: &str = "a92efd82109373e5";

    #[test]
    fn a_name_that_may_have_been_cut_is_not_guessed() {
        let hash = "0123456789abcdef";
        let name = |length: usize, tail: &str| format!("{}{tail}.ndjson", "a".repeat(length));
        let cases = [
            (name(183, &format!("-{hash}")), true),
            (name(201, ""), true),
            (name(200, "_zz"), true),
            (name(199, "é\u{1f600}"), true),
            (name(200, ""), false),
            (name(182, &format!("-{hash}")), false),
            (name(183, "-0123456789abcdeF"), false),
            (name(183, ".0123456789abcdef"), false),
        ];
        for (name, is_truncated) in cases {
            let decoded = decode_run_id(&name);
            assert_eq!(decoded == DecodedRunId::Truncated, is_truncated, "{name}");
        }
        // 199 units, though 201 bytes.
        assert_eq!(decode_run_id(&name(198, "€")), DecodedRunId::Malformed);
    }

    #[test]
    fn a_name_decodes_by_the_letter() {
        let malformed = [
            "",
            "a",
            ".ndjson",
            ".err",
            "a.txt",
            "a.NDJSON",
            "a.ndjson ",
            "a b.err",
            "é.err",
            "_.err",
            "_4.err",
            "_4g.err",
            "_g4.err",
            "_+4.err",
            "__5f.err",
            "_ff.err",
            "_c3.err",
            "_ed_a0_80.err",
            "_c0_80.err",
            "a/b.err",
            "\u{FFFD}.err",
        ];
        for name in malformed {
            assert_eq!(decode_run_id(name), DecodedRunId::Malformed, "{name}");
        }
        let cases = [
            ("a_5Fb.ndjson", "a_b"),
            ("_41.err", "A"),
            ("a.ndjson.err", "a.ndjson"),
            (".ndjson.ndjson", ".ndjson"),
            ("CON.err", "CON"),
            ("_e2_82_aC.err", "€"),
        ];
        for (name, id) in cases {
            assert_eq!(decode_run_id(name), run_id(id), "{name}");
        }
    }

    fn run_ids() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-zA-Z0-9._/ é😀-]{1,12}",
            "(?i)(con|prn|aux|nul|com[0-9]|lpt[0-9])[.]?",
            prop::collection::vec(any::<char>(), 1..80).prop_map(String::from_iter),
            "[a-f_-]{150,230}",
        ]
    }

    proptest! {
        #[test]
        fn decoding_gives_the_run_id_back_unless_it_was_cut(id in run_ids()) {
            let token = encode_run_id(&id).unwrap();
            let is_cut = escape(&id, is_plain).len() > MOST_CHARACTERS;
            let is_like_cut = token.len() == MOST_CHARACTERS && ends_in_hash(&token);
            for extension in ["ndjson", "err"] {
                let decoded = decode_run_id(&format!("{token}.{extension}"));
                if is_cut || is_like_cut {
                    prop_assert_eq!(decoded, DecodedRunId::Truncated);
                } else {
                    prop_assert_eq!(decoded, run_id(&id));
                }
            }
        }

        #[test]
        fn a_token_is_a_safe_file_name(id in run_ids()) {
            let token = encode_run_id(&id).unwrap();
            prop_assert!((1..=MOST_CHARACTERS).contains(&token.len()));
            prop_assert!(token.bytes().all(|byte| is_plain(byte) || byte == b'_'));
            prop_assert!(!is_reserved(&token));
        }

        #[test]
        fn distinct_run_ids_have_distinct_tokens(one in run_ids(), other in run_ids()) {
            prop_assume!(one != other);
            prop_assert_ne!(encode_run_id(&one), encode_run_id(&other));
        }

        #[test]
        fn what_decodes_is_a_name_of_that_run_in_some_spelling(name in "[a-c_0-9A-F.]{0,20}(\\.err|\\.ndjson)") {
            if let DecodedRunId::RunId(id) = decode_run_id(&name) {
                let plain = escape(&id, |_| false);
                let token = name.strip_suffix(".ndjson").or(name.strip_suffix(".err")).unwrap();
                prop_assert_eq!(unescape(token), unescape(&plain));
            }
        }
    }
}
