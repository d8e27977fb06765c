//! The standard base64 alphabet, and what else may stand in a stream.

use crate::journal::space::is_js_space;

/// What a character up to U+00FF is to a decoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// One of the 64.
    Value,
    /// `=`.
    Padding,
    /// White space, dropped wherever it stands.
    Space,
    /// Anything else.
    Other,
}

pub(super) const fn class_of(byte: u8) -> Class {
    match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => Class::Value,
        b'=' => Class::Padding,
        _ if is_js_space(byte as u16) => Class::Space,
        _ => Class::Other,
    }
}

pub(super) const fn value_of(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// How many line breaks stand in `block`, when all else in it is of the alphabet.
pub(super) fn line_breaks_if_plain(arch: pulp::Arch, block: &[u8]) -> Option<usize> {
    arch.dispatch(PlainBlock(block))
}

struct PlainBlock<'a>(&'a [u8]);

impl pulp::WithSimd for PlainBlock<'_> {
    type Output = Option<usize>;

    /// Written for the auto-vectorizer: bytes of ones for "yes", no branch in the inner loop.
    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _simd: S) -> Option<usize> {
        const LANES: usize = 32;
        // A count of one byte a lane must not overflow.
        const MOST_ROUNDS: usize = 255;
        let (rounds, tail) = self.0.as_chunks::<LANES>();
        let mut other = [0u8; LANES];
        let mut breaks = 0;
        for group in rounds.chunks(MOST_ROUNDS) {
            let mut counts = [0u8; LANES];
            for round in group {
                for ((byte, other), count) in round.iter().zip(&mut other).zip(&mut counts) {
                    let is_break = ones(*byte == b'\n') | ones(*byte == b'\r');
                    *other |= !(plain(*byte) | is_break);
                    *count = count.wrapping_sub(is_break);
                }
            }
            breaks += counts.iter().copied().map(usize::from).sum::<usize>();
        }
        for byte in tail {
            let is_break = matches!(byte, b'\n' | b'\r');
            breaks += usize::from(is_break);
            if !is_break && class_of(*byte) != Class::Value {
                return None;
            }
        }
        other.iter().all(|&lane| lane == 0).then_some(breaks)
    }
}

#[expect(
    clippy::inline_always,
    reason = "must be compiled for the vectors of the caller"
)]
#[inline(always)]
fn plain(byte: u8) -> u8 {
    let letter = ones((byte | 0x20).wrapping_sub(b'a') < 26);
    // `/` stands right before the digits.
    let digit_or_slash = ones(byte.wrapping_sub(b'/') < 11);
    letter | digit_or_slash | ones(byte == b'+')
}

#[expect(
    clippy::inline_always,
    reason = "must be compiled for the vectors of the caller"
)]
#[inline(always)]
fn ones(condition: bool) -> u8 {
    if condition { u8::MAX } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_plain_by_the_classes_of_its_bytes() {
        let arch = pulp::Arch::new();
        for byte in 0..=u8::MAX {
            for place in [0, 5, 31, 32, 40] {
                let mut block = [b'Q'; 41];
                block[place] = byte;
                let expected = match (byte, class_of(byte)) {
                    (b'\n' | b'\r', _) => Some(1),
                    (_, Class::Value) => Some(0),
                    _ => None,
                };
                assert_eq!(line_breaks_if_plain(arch, &block), expected, "{byte:#x}");
            }
        }
    }

    #[test]
    fn counts_do_not_overflow() {
        let arch = pulp::Arch::new();
        let block = vec![b'\n'; 70_000];
        assert_eq!(line_breaks_if_plain(arch, &block), Some(70_000));
    }

    #[test]
    fn values_are_those_of_the_standard_alphabet() {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let values: Vec<u8> = alphabet.iter().filter_map(|&byte| value_of(byte)).collect();
        assert_eq!(values, (0..64).collect::<Vec<u8>>());
    }
}
