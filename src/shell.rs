//! Quoting for a POSIX shell.

/// The text as one word of a POSIX shell, whatever it holds: in single quotes, each quote of its
/// own outside of them.
pub fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', ESCAPED_QUOTE))
}

/// [`quote`] for UTF-16, where half a surrogate pair stays what it is.
pub fn quote_utf16(text: &[u16]) -> Vec<u16> {
    let mut word = vec![QUOTE];
    for (at, part) in text.split(|&unit| unit == QUOTE).enumerate() {
        if at > 0 {
            word.extend(ESCAPED_QUOTE.encode_utf16());
        }
        word.extend_from_slice(part);
    }
    word.push(QUOTE);
    word
}

const QUOTE: u16 = b'\'' as u16;
/// Ends the word's quotes, gives a quote, and begins them again.
const ESCAPED_QUOTE: &str = r"'\''";

#[cfg(test)]
mod tests {
    use super::{quote, quote_utf16};
    use proptest::prelude::*;

    #[test]
    fn every_text_is_one_word() {
        let cases = [
            ("", "''"),
            ("a.txt", "'a.txt'"),
            ("it's", r"'it'\''s'"),
            ("''", r"''\'''\'''"),
            ("$(id) `id` \\ \" \n*", "'$(id) `id` \\ \" \n*'"),
            ("-n", "'-n'"),
        ];
        for (text, expected) in cases {
            assert_eq!(quote(text), expected);
        }
    }

    #[test]
    fn half_a_surrogate_pair_stays() {
        let quote_unit = u16::from(b'\'');
        assert_eq!(quote_utf16(&[0xD83D]), [quote_unit, 0xD83D, quote_unit]);
    }

    proptest! {
        #[test]
        fn both_encodings_are_quoted_alike(text in "['a\u{e9}\u{1f600}]{0,12}") {
            let units: Vec<u16> = text.encode_utf16().collect();
            prop_assert_eq!(String::from_utf16(&quote_utf16(&units)).unwrap(), quote(&text));
        }
    }
}
