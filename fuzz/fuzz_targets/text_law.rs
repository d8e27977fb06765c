//! Law: text in any cuts is the UTF-8 of the whole text.

#![no_main]

use ai_sandbox_native::journal::Utf8Encoder;
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    pieces: Vec<Piece>,
}

#[derive(Arbitrary, Debug)]
enum Piece {
    Any(Vec<u16>),
    Characters(String),
    HalfOfAPair(u16),
    Empty,
}

impl Piece {
    fn units(&self) -> Vec<u16> {
        match self {
            Self::Any(units) => units.clone(),
            Self::Characters(text) => text.encode_utf16().collect(),
            Self::HalfOfAPair(bits) => vec![0xD800 | (bits & 0x7FF)],
            Self::Empty => Vec::new(),
        }
    }
}

fuzz_target!(|input: Input| {
    let pieces: Vec<Vec<u16>> = input.pieces.iter().map(Piece::units).collect();
    let mut encoder = Utf8Encoder::new();
    let mut out = Vec::new();
    for piece in &pieces {
        encoder.encode(piece, &mut out);
    }
    encoder.flush(&mut out);
    assert_eq!(out, String::from_utf16_lossy(&pieces.concat()).into_bytes());
});
