//! White space as JavaScript's regular expressions and `trim` know it.
//!
//! Rust's `char::is_whitespace` differs in two characters: it has U+0085 and lacks U+FEFF.

/// Whether `\s` of a JavaScript regular expression matches this UTF-16 code unit.
pub const fn is_js_space(unit: u16) -> bool {
    matches!(
        unit,
        0x09..=0x0D
            | 0x20
            | 0xA0
            | 0x1680
            | 0x2000..=0x200A
            | 0x2028
            | 0x2029
            | 0x202F
            | 0x205F
            | 0x3000
            | 0xFEFF
    )
}

/// Whether `\s` matches this character.
pub fn is_js_space_char(character: char) -> bool {
    u16::try_from(u32::from(character)).is_ok_and(is_js_space)
}

/// The text without white space at both ends, as `String.prototype.trim` takes it off.
pub fn js_trim(text: &str) -> &str {
    text.trim_matches(is_js_space_char)
}

#[cfg(test)]
mod tests {
    use super::{is_js_space, js_trim};

    #[test]
    fn differs_from_rust_in_two_characters_only() {
        let different: Vec<u16> = (0..=u16::MAX)
            .filter(|&unit| {
                let rust = char::from_u32(u32::from(unit)).is_some_and(char::is_whitespace);
                rust != is_js_space(unit)
            })
            .collect();
        assert_eq!(different, [0x0085, 0xFEFF]);
    }

    #[test]
    fn trims_the_white_space_of_javascript() {
        assert_eq!(
            js_trim("\u{FEFF}\u{A0}\u{2028}\u{3000}\t\u{B}a b\r\n"),
            "a b"
        );
        assert_eq!(js_trim("\u{85}a\u{85}"), "\u{85}a\u{85}");
        assert_eq!(js_trim("\u{200B}a"), "\u{200B}a");
    }
}
