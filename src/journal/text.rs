//! The text of lines, as `new TextDecoder()` decodes each line alone.
//!
//! Ill-formed UTF-8 becomes U+FFFD by the WHATWG rule (one for each maximal subpart), and one byte
//! order mark at the start of a line is dropped.

use encoding_rs::UTF_8;
use encoding_rs::mem::convert_utf8_to_utf16;

use super::{JournalError, LongLine};

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
const NEWLINE: u16 = 0x0A;
/// Bytes that are looked at together.
const BLOCK: usize = 32;
/// How much of a long line is decoded at a time.
const PIECE_UNITS: usize = 4 * 1024;

/// The text of a batch of lines: each line and its newline.
#[derive(Debug, PartialEq, Eq)]
pub enum BatchText<'a> {
    /// All ASCII. Offsets in the text are offsets in the bytes.
    Ascii(&'a [u8]),
    /// UTF-16, with the place of each newline.
    Utf16(&'a [u16], &'a [u32]),
}

/// The text of a long line, without its newline.
#[derive(Debug)]
pub enum LongText {
    /// All ASCII: the bytes are the text.
    Ascii(LongLine),
    /// UTF-16.
    Utf16(Vec<u16>),
}

/// Decodes batches; keeps its buffers between them.
#[derive(Debug, Default)]
pub struct BatchDecoder {
    units: Vec<u16>,
    ends: Vec<u32>,
}

impl BatchDecoder {
    /// The text of `bytes`, whose newlines stand at `ends`.
    pub fn decode<'a>(&'a mut self, bytes: &'a [u8], ends: &[u32]) -> BatchText<'a> {
        if bytes.is_ascii() {
            return BatchText::Ascii(bytes);
        }
        // The converter wants one unit more than it writes at most.
        let room = bytes.len() + 1;
        if self.units.len() < room {
            self.units.resize(room, 0);
        }
        self.ends.clear();
        let mut start = 0;
        let mut written = 0;
        for &end in ends {
            let line = bytes.get(start..end as usize).unwrap_or_default();
            if let Some(room) = self.units.get_mut(written..) {
                written += decode_line(line, room);
            }
            self.ends.push(written as u32);
            if let Some(newline) = self.units.get_mut(written) {
                *newline = NEWLINE;
            }
            written += 1;
            start = end as usize + 1;
        }
        let units = self.units.get(..written).unwrap_or_default();
        BatchText::Utf16(units, &self.ends)
    }
}

impl LongText {
    /// The text of `line`, of `most_units` at most.
    ///
    /// # Errors
    ///
    /// [`JournalError::LineTooLong`] and [`JournalError::OutOfMemory`].
    pub fn of(line: LongLine, most_units: usize) -> Result<Self, JournalError> {
        let bytes = line.bytes();
        if !bytes.is_ascii() {
            return decode_long(bytes, most_units).map(Self::Utf16);
        }
        if bytes.len() > most_units {
            return Err(JournalError::LineTooLong {
                bytes: bytes.len() as u64,
            });
        }
        Ok(Self::Ascii(line))
    }
}

/// In pieces: room for the worst case would be four times what most text needs.
fn decode_long(line: &[u8], most_units: usize) -> Result<Vec<u16>, JournalError> {
    let bytes = line.len() as u64;
    let mut decoder = UTF_8.new_decoder_without_bom_handling();
    let mut rest = without_mark(line);
    let mut piece = [0; PIECE_UNITS];
    let mut units = Vec::new();
    loop {
        let (result, read, written, _) = decoder.decode_to_utf16(rest, &mut piece, true);
        if units.len() + written > most_units {
            return Err(JournalError::LineTooLong { bytes });
        }
        units
            .try_reserve(written)
            .map_err(|_| JournalError::OutOfMemory { bytes })?;
        units.extend_from_slice(piece.get(..written).unwrap_or_default());
        rest = rest.get(read..).unwrap_or_default();
        if result == encoding_rs::CoderResult::InputEmpty {
            return Ok(units);
        }
    }
}

/// Returns how many units were written. ASCII is widened here, which the converter does slowly.
fn decode_line(line: &[u8], room: &mut [u16]) -> usize {
    if line.is_ascii() {
        return widen(line, room);
    }
    let line = without_mark(line);
    let mut written = 0;
    let mut start = 0;
    // A sequence that an ASCII byte cuts off is ill-formed, so what lies between blocks of ASCII can
    // be decoded alone.
    for (at, block) in (0..).step_by(BLOCK).zip(line.chunks(BLOCK)) {
        if block.is_ascii() {
            written += convert(line.get(start..at), room.get_mut(written..));
            written += room.get_mut(written..).map_or(0, |room| widen(block, room));
            start = at + block.len();
        }
    }
    written + convert(line.get(start..), room.get_mut(written..))
}

fn widen(ascii: &[u8], room: &mut [u16]) -> usize {
    for (unit, byte) in room.iter_mut().zip(ascii) {
        *unit = u16::from(*byte);
    }
    ascii.len()
}

fn convert(bytes: Option<&[u8]>, room: Option<&mut [u16]>) -> usize {
    match (bytes, room) {
        (None | Some([]), _) | (_, None) => 0,
        (Some(bytes), Some(room)) => convert_utf8_to_utf16(bytes, room),
    }
}

fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::{BatchDecoder, BatchText, LongText, PIECE_UNITS};
    use crate::journal::{Batch, BatchLimits, JournalError, LineFramer, LongLine};
    use proptest::prelude::*;

    fn decode(bytes: &[u8]) -> Vec<String> {
        let ends: Vec<u32> = memchr::memchr_iter(b'\n', bytes)
            .map(|end| end as u32)
            .collect();
        let mut decoder = BatchDecoder::default();
        // The second time the buffers hold what the first left.
        decoder.decode("é😀\n".repeat(40).as_bytes(), &[]);
        let (units, ends) = match decoder.decode(bytes, &ends) {
            BatchText::Ascii(bytes) => {
                let units = bytes.iter().copied().map(u16::from).collect();
                (units, ends)
            }
            BatchText::Utf16(units, ends) => (units.to_vec(), ends.to_vec()),
        };
        let mut start = 0;
        let lines = ends.iter().map(|&end| {
            let line = String::from_utf16(&units[start..end as usize]).unwrap();
            assert_eq!(units[end as usize], 0x0A);
            start = end as usize + 1;
            line
        });
        let lines = lines.collect();
        assert_eq!(start, units.len());
        lines
    }

    /// The obvious way: the standard library's lossy decoding, which follows the same rule.
    fn oracle(bytes: &[u8]) -> Vec<String> {
        bytes
            .split_inclusive(|&byte| byte == b'\n')
            .filter_map(|line| line.strip_suffix(b"\n"))
            .map(oracle_line)
            .collect()
    }

    fn oracle_line(line: &[u8]) -> String {
        let text = String::from_utf8_lossy(line);
        text.strip_prefix('\u{FEFF}').unwrap_or(&text).to_owned()
    }

    fn long(bytes: &[u8]) -> LongLine {
        let mut framer = LineFramer::new(BatchLimits {
            bytes: 1,
            lines: 1,
            long_line_bytes: 0,
            units_a_line: usize::MAX,
        });
        framer.push(bytes).unwrap();
        framer.push(b"\n").unwrap();
        match framer.take().unwrap() {
            Some(Batch::Long { line, .. }) => line,
            other => panic!("{other:?}"),
        }
    }

    fn decode_long(bytes: &[u8]) -> String {
        match LongText::of(long(bytes), usize::MAX).unwrap() {
            LongText::Ascii(line) => String::from_utf8(line.bytes().to_vec()).unwrap(),
            LongText::Utf16(units) => String::from_utf16(&units).unwrap(),
        }
    }

    #[test]
    fn case_4_ill_formed_bytes_are_replaced_line_by_line() {
        let bytes = b"\x61\xe2\x82\x0a\x80\x80\x0a";
        assert_eq!(decode(bytes), ["a\u{FFFD}", "\u{FFFD}\u{FFFD}"]);
    }

    #[test]
    fn case_7_one_mark_at_the_start_of_each_line_is_dropped() {
        let bytes = b"\xef\xbb\xbf\x41\n\xef\xbb\xbf\x42\n\xef\xbb\xbf\xef\xbb\xbfC\xef\xbb\xbf\n";
        assert_eq!(decode(bytes), ["A", "B", "\u{FEFF}C\u{FEFF}"]);
        assert_eq!(decode_long(b"\xef\xbb\xbf\xef\xbb\xbfC"), "\u{FEFF}C");
    }

    #[test]
    fn ascii_is_not_copied() {
        let bytes = b"one\ntwo\n";
        let mut decoder = BatchDecoder::default();
        assert_eq!(decoder.decode(bytes, &[3, 7]), BatchText::Ascii(bytes));
    }

    #[test]
    fn characters_cut_between_the_pieces_of_a_long_line() {
        for shift in 0..8 {
            let text = "x".repeat(shift) + &"aé€😀\u{FEFF}".repeat(PIECE_UNITS);
            assert!(decode_long(text.as_bytes()) == text);
        }
    }

    #[test]
    fn a_line_may_have_just_so_many_units() {
        for (text, units) in [("abcd", 4), ("é😀b", 4)] {
            assert!(LongText::of(long(text.as_bytes()), units).is_ok());
            let error = LongText::of(long(text.as_bytes()), units - 1).unwrap_err();
            let bytes = text.len() as u64;
            assert_eq!(error, JournalError::LineTooLong { bytes });
        }
    }

    fn bytes_of_interest() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b"\n".to_vec()),
            Just(b"\xEF\xBB\xBF".to_vec()),
            "[a-z\u{e9}\u{20ac}\u{1f600}]{0,4}".prop_map(String::into_bytes),
            prop::collection::vec(0x80u8..=0xff, 1..4),
            prop::collection::vec(any::<u8>(), 1..4),
        ];
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn equals_the_oracle(mut bytes in bytes_of_interest()) {
            // A batch ends with a newline.
            bytes.push(b'\n');
            prop_assert_eq!(decode(&bytes), oracle(&bytes));
        }

        #[test]
        fn a_long_line_equals_the_oracle(bytes in bytes_of_interest()) {
            let line: Vec<u8> = bytes.into_iter().filter(|&byte| byte != b'\n').collect();
            prop_assert_eq!(decode_long(&line), oracle_line(&line));
        }
    }
}
