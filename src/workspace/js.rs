//! The few rules of JavaScript's numbers and white space that the outputs and commands of the
//! backend depend on. Rust's own differ in details: it trims U+0085 and keeps U+FEFF, reads
//! `inf` as a number, and writes 1e21 in full.

pub(crate) use crate::journal::{is_js_space_char as is_space, js_trim as trim};

/// The number that `Number(text)` gives: 0 for nothing but white space, NaN for other text.
pub fn number(text: &str) -> f64 {
    let text = trim(text);
    if text.is_empty() {
        return 0.0;
    }
    if let Some(value) = with_radix_prefix(text) {
        return value;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_decimal = |byte: u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
    if unsigned == "Infinity" || unsigned.bytes().all(is_decimal) {
        return text.parse().unwrap_or(f64::NAN);
    }
    f64::NAN
}

/// A number as `String(number)` writes it, for integers and infinities.
pub fn integer_text(integer: f64) -> String {
    if integer.is_infinite() {
        return if integer > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        }
        .to_owned();
    }
    if integer.abs() < 1e21 {
        // Adding 0 makes -0 a 0.
        return format!("{}", integer + 0.0);
    }
    format!("{integer:e}").replace('e', "e+")
}

/// The byte that `Uint8Array.of(parseInt(text, 16))` holds: the value of the leading hex digits
/// modulo 256, and 0 where there are none.
pub fn hex_byte(text: &str) -> u8 {
    let text = trim(text);
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = text
        .strip_prefix("0x")
        .or_else(|| text.strip_prefix("0X"))
        .unwrap_or(text);
    let end = digits
        .find(|digit: char| !digit.is_ascii_hexdigit())
        .unwrap_or(digits.len());
    let digits = digits.get(..end).unwrap_or_default();
    // The value is a double, so above 53 bits it is rounded before the modulo is taken. With more
    // than 16 digits it is a multiple of 256.
    let value = match digits.trim_start_matches('0') {
        "" => 0,
        digits => u64::from_str_radix(digits, 16).unwrap_or(0),
    };
    let byte = rounded_to_double(value).to_le_bytes()[0];
    if is_negative {
        byte.wrapping_neg()
    } else {
        byte
    }
}

/// `0x1f`, `0o17` and `0b11`, which take no sign. `None` for a text without such a prefix. Above
/// 53 bits the last digit can be off, because each step rounds.
fn with_radix_prefix(text: &str) -> Option<f64> {
    let (prefix, digits) = text.split_at_checked(2)?;
    let radix = match prefix {
        "0x" | "0X" => 16,
        "0o" | "0O" => 8,
        "0b" | "0B" => 2,
        _ => return None,
    };
    let value = digits.chars().try_fold(0.0, |value, digit| {
        Some(value * f64::from(radix) + f64::from(digit.to_digit(radix)?))
    });
    Some(value.filter(|_| !digits.is_empty()).unwrap_or(f64::NAN))
}

/// The integer of the double next to `value`; 0 stands for 2^64, which has the same low byte.
#[expect(
    clippy::cast_sign_loss,
    reason = "the double comes from an unsigned integer"
)]
fn rounded_to_double(value: u64) -> u64 {
    let double = value as f64;
    if double >= 18_446_744_073_709_551_616.0 {
        0
    } else {
        double as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // What Node prints for each of these expressions.

    #[test]
    fn numbers_are_read_as_number_does() {
        let cases = [
            ("", 0.0),
            (" \u{FEFF}\n", 0.0),
            ("  42\t", 42.0),
            ("007", 7.0),
            ("+5", 5.0),
            ("-5", -5.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("1e3", 1000.0),
            ("0x1F", 31.0),
            ("0o17", 15.0),
            ("0b11", 3.0),
            ("Infinity", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
            ("1e400", f64::INFINITY),
        ];
        for (text, expected) in cases {
            assert_eq!(number(text).to_bits(), f64::to_bits(expected), "{text:?}");
        }
    }

    #[test]
    fn other_text_is_no_number() {
        let cases = [
            "a", "1a", "1 2", "inf", "nan", "infinity", "INFINITY", ".", "-", "+", "e5", "1e",
            "0x", "0xg", "-0x1", "0b2", "1_0", "٣", "\u{85}1", "--1", "1-1",
        ];
        for text in cases {
            assert!(number(text).is_nan(), "{text:?}");
        }
    }

    #[test]
    fn integers_are_written_as_string_does() {
        let cases = [
            (1.0, "1"),
            (-0.0, "0"),
            (9_007_199_254_740_991.0, "9007199254740991"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, expected) in cases {
            assert_eq!(integer_text(value), expected);
        }
    }

    #[test]
    fn hex_bytes_are_read_as_parse_int_in_a_uint8_array() {
        let cases = [
            ("ff", 255),
            ("FF", 255),
            ("1ff", 255),
            ("0x1f", 31),
            ("0x", 0),
            ("zz", 0),
            ("", 0),
            ("5g", 5),
            ("-1", 255),
            ("+a", 10),
            ("0000000000000000000000ab", 0xab),
            ("1fffffffffffff", 255),
            // 2^53 + 1 is the double 2^53; 2^53 + 3 is 2^53 + 4.
            ("20000000000001", 0),
            ("20000000000003", 4),
            ("ffffffffffffffff", 0),
            ("123456789abcdef0123", 0),
        ];
        for (text, expected) in cases {
            assert_eq!(hex_byte(text), expected, "{text:?}");
        }
    }
}
