//! Quoting for a POSIX shell.

/// The text as one word of a POSIX shell, whatever it holds: in single quotes, each quote of its
/// own outside of them.
pub fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quote;

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
}
