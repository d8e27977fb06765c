//! Garbage: any text in any chunks and windows. Nothing may panic; what was announced is what
//! comes; and whether it is valid does not depend on the windows.

#![no_main]

use ai_sandbox_native::journal::{Base64Decoder, JournalError, Units};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    chunks: Vec<Chunk>,
    window: u8,
}

#[derive(Arbitrary, Debug)]
enum Chunk {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

fn decode(input: &Input, window: usize) -> (Vec<u8>, Result<(), JournalError>) {
    let mut decoder = Base64Decoder::new();
    let mut out = Vec::new();
    for chunk in &input.chunks {
        let windows: Vec<Units<'_>> = match chunk {
            Chunk::Narrow(bytes) => bytes.chunks(window).map(Units::Latin1).collect(),
            Chunk::Wide(units) => units.chunks(window).map(Units::Utf16).collect(),
        };
        windows.iter().for_each(|window| decoder.check(*window));
        let announced = match decoder.accept() {
            Ok(bytes) => bytes,
            Err(error) => return (out, Err(error)),
        };
        let before = out.len();
        for window in windows {
            decoder
                .decode(window, &mut out)
                .expect("a window that was checked");
        }
        assert_eq!((out.len() - before) as u64, announced);
    }
    (out, decoder.finish())
}

fuzz_target!(|input: Input| {
    let whole = decode(&input, usize::MAX);
    let cut = decode(&input, usize::from(input.window) + 1);
    assert_eq!(whole, cut);
});
