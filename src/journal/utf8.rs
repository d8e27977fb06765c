//! Text to UTF-8, for the path on which a provider has already decoded the journal.
//!
//! Invariants:
//!
//! 1. The output is always well-formed UTF-8: a lone surrogate becomes U+FFFD.
//! 2. A surrogate pair gives its one character wherever the text was cut. A high surrogate at the
//!    end of a chunk is therefore held until the next unit, or the end, tells what it is.

use encoding_rs::mem::convert_utf16_to_utf8_partial;

/// Units that are looked at together.
const BLOCK: usize = 32;
/// U+FFFD in UTF-8.
const REPLACEMENT: [u8; 3] = [0xEF, 0xBF, 0xBD];

/// Encodes text that comes in pieces of UTF-16.
#[derive(Debug, Default)]
pub struct Utf8Encoder {
    /// A high surrogate that ended the last piece.
    held: Option<u16>,
}

impl Utf8Encoder {
    /// An encoder at the start of a text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends the UTF-8 of `units` to `out`.
    pub fn encode(&mut self, units: &[u16], out: &mut Vec<u8>) {
        let Some((&first, mut rest)) = units.split_first() else {
            return;
        };
        match self.held.take() {
            Some(high) if is_low_surrogate(first) => push_char([high, first], out),
            Some(_) => {
                out.extend_from_slice(&REPLACEMENT);
                rest = units;
            }
            None => rest = units,
        }
        if let Some((&last, before)) = rest.split_last()
            && is_high_surrogate(last)
        {
            self.held = Some(last);
            rest = before;
        }
        append_utf8(rest, out);
    }

    /// Ends the text: a held high surrogate has found no partner and becomes U+FFFD.
    pub fn flush(&mut self, out: &mut Vec<u8>) {
        if self.held.take().is_some() {
            out.extend_from_slice(&REPLACEMENT);
        }
    }
}

const fn is_high_surrogate(unit: u16) -> bool {
    unit & 0xFC00 == 0xD800
}

const fn is_low_surrogate(unit: u16) -> bool {
    unit & 0xFC00 == 0xDC00
}

fn push_char(pair: [u16; 2], out: &mut Vec<u8>) {
    for decoded in char::decode_utf16(pair) {
        let character = decoded.unwrap_or(char::REPLACEMENT_CHARACTER);
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// Runs of ASCII are narrowed here, many times faster than the converter does it. A pair of
/// surrogates never lies on both sides of a cut between runs, as neither half is ASCII.
fn append_utf8(units: &[u16], out: &mut Vec<u8>) {
    let mut any = 0..0;
    for block in units.chunks(BLOCK) {
        if block.iter().fold(0, |all, unit| all | unit) >= 0x80 {
            any.end += block.len();
            continue;
        }
        append_any_utf8(units.get(any.clone()).unwrap_or_default(), out);
        out.extend(block.iter().map(|&unit| unit as u8));
        any = any.end + block.len()..any.end + block.len();
    }
    append_any_utf8(units.get(any).unwrap_or_default(), out);
}

/// Room is made for a byte a unit first, and for the worst case only when that is short.
fn append_any_utf8(mut units: &[u16], out: &mut Vec<u8>) {
    let mut bytes_a_unit = 1;
    while !units.is_empty() {
        let start = out.len();
        // The converter wants room for a whole character before it writes one.
        out.resize(start + units.len() * bytes_a_unit + 4, 0);
        let (read, written) = match out.get_mut(start..) {
            Some(room) => convert_utf16_to_utf8_partial(units, room),
            None => (units.len(), 0),
        };
        out.truncate(start + written);
        units = units.get(read..).unwrap_or_default();
        bytes_a_unit = 3;
    }
}

#[cfg(test)]
mod tests {
    use super::Utf8Encoder;
    use crate::journal::chunkings::chunkings;
    use proptest::prelude::*;

    fn encode<'a>(pieces: impl IntoIterator<Item = &'a [u16]>) -> Vec<u8> {
        let mut encoder = Utf8Encoder::new();
        let mut out = Vec::new();
        for piece in pieces {
            encoder.encode(piece, &mut out);
        }
        encoder.flush(&mut out);
        out
    }

    /// The obvious way: the whole text at once.
    fn oracle(units: &[u16]) -> Vec<u8> {
        String::from_utf16_lossy(units).into_bytes()
    }

    #[test]
    fn joins_a_pair_wherever_it_is_cut() {
        let text: Vec<u16> = "a😀\u{e9}\u{20ac}😀\n".encode_utf16().collect();
        for pieces in chunkings(&text) {
            assert_eq!(encode(pieces.iter().map(Vec::as_slice)), oracle(&text));
        }
    }

    #[test]
    fn replaces_lone_surrogates() {
        let cases: [(&[&[u16]], &str); 6] = [
            (&[&[0xD83D]], "\u{FFFD}"),
            (&[&[0xD83D], &[0x61]], "\u{FFFD}a"),
            (&[&[0xD83D], &[0xD83D, 0xDE00]], "\u{FFFD}😀"),
            (&[&[0xDE00], &[0xD83D]], "\u{FFFD}\u{FFFD}"),
            (&[&[0xD83D], &[], &[0xDE00]], "😀"),
            (&[&[0xD83D], &[0xDE00, 0xDE00]], "😀\u{FFFD}"),
        ];
        for (pieces, expected) in cases {
            assert_eq!(encode(pieces.iter().copied()), expected.as_bytes());
        }
    }

    proptest! {
        #[test]
        fn equals_the_oracle_in_every_chunking(
            units in prop::collection::vec(
                prop_oneof![0u16..0x80, 0x80u16..0x3000, 0xD7FEu16..0xE002, any::<u16>()],
                0..200,
            ),
        ) {
            for pieces in chunkings(&units) {
                prop_assert_eq!(encode(pieces.iter().map(Vec::as_slice)), oracle(&units));
            }
        }
    }
}
