//! Law: bytes in any cuts, with any limits, give the lines, the text and the positions of the
//! whole.

#![no_main]

use ai_sandbox_native::journal::{
    Batch, BatchDecoder, BatchLimits, BatchText, LineFramer, LongText,
};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    pieces: Vec<Vec<u8>>,
    batch_bytes: u8,
    batch_lines: u8,
    long_line_bytes: u8,
    /// Which pieces are pushed without taking what they complete.
    held_back: u64,
}

type Lines = Vec<(Vec<u16>, usize)>;

fn oracle(bytes: &[u8]) -> Lines {
    let mut position = 0;
    let mut lines = Vec::new();
    for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
        let Some(line) = piece.strip_suffix(b"\n") else {
            break;
        };
        position += piece.len();
        let text = String::from_utf8_lossy(line);
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
        lines.push((text.encode_utf16().collect(), position));
    }
    lines
}

fn take_all(framer: &mut LineFramer, decoder: &mut BatchDecoder, lines: &mut Lines) {
    let mut position = lines.last().map_or(0, |line| line.1);
    while let Some(batch) = framer.take().expect("no line is too long") {
        match batch {
            Batch::Lines { bytes, ends, .. } => {
                let mut start = 0;
                let mut byte_start = 0;
                let units: Vec<u16>;
                let (units, unit_ends) = match decoder.decode(bytes, ends) {
                    BatchText::Ascii(text) => {
                        units = text.iter().copied().map(u16::from).collect();
                        (units.as_slice(), ends)
                    }
                    BatchText::Utf16(units, unit_ends) => (units, unit_ends),
                };
                for (&end, &byte_end) in unit_ends.iter().zip(ends) {
                    position += byte_end as usize + 1 - byte_start;
                    lines.push((units[start..end as usize].to_vec(), position));
                    start = end as usize + 1;
                    byte_start = byte_end as usize + 1;
                }
            }
            Batch::Long { line, .. } => {
                position += line.bytes().len() + 1;
                let units = match LongText::of(line, usize::MAX).expect("no limit") {
                    LongText::Ascii(line) => line.bytes().iter().copied().map(u16::from).collect(),
                    LongText::Utf16(units) => units,
                };
                lines.push((units, position));
            }
        }
    }
}

fuzz_target!(|input: Input| {
    let mut framer = LineFramer::new(BatchLimits {
        bytes: usize::from(input.batch_bytes),
        lines: usize::from(input.batch_lines) + 1,
        long_line_bytes: usize::from(input.long_line_bytes),
        units_a_line: usize::MAX,
    });
    let mut decoder = BatchDecoder::default();
    let mut lines = Lines::new();
    for (at, piece) in input.pieces.iter().enumerate() {
        framer.push(piece).expect("memory");
        if input.held_back >> (at % 64) & 1 == 0 {
            take_all(&mut framer, &mut decoder, &mut lines);
        }
    }
    take_all(&mut framer, &mut decoder, &mut lines);
    let bytes = input.pieces.concat();
    let expected = oracle(&bytes);
    let taken = expected.last().map_or(0, |line| line.1);
    assert_eq!(lines, expected);
    assert_eq!(framer.pending_bytes(), bytes.len() - taken);
});
