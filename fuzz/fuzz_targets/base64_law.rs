//! Law: what was encoded comes back, wrapped at any width with any white space, in any chunks.

#![no_main]

use ai_sandbox_native::journal::{Base64Decoder, Units};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SPACES: [u16; 10] = [
    0x0A, 0x0A, 0x0D, 0x20, 0x09, 0xA0, 0x2003, 0x2028, 0xFEFF, 0x1680,
];

#[derive(Arbitrary, Debug)]
struct Input {
    data: Vec<u8>,
    width: u8,
    spaces: Vec<u8>,
    cuts: Vec<u8>,
}

fn encode(data: &[u8]) -> Vec<u16> {
    let mut text = Vec::new();
    for group in data.chunks(3) {
        let bits = (0..3).fold(0u32, |bits, at| {
            bits << 8 | u32::from(group.get(at).copied().unwrap_or(0))
        });
        for at in 0..4 {
            let value = (bits >> (18 - 6 * at)) & 63;
            let character = if at > group.len() {
                b'='
            } else {
                ALPHABET[value as usize]
            };
            text.push(u16::from(character));
        }
    }
    text
}

fn wrap(text: &[u16], width: usize, spaces: &[u8]) -> Vec<u16> {
    let mut wrapped = Vec::new();
    for (at, row) in text.chunks(width).enumerate() {
        wrapped.extend_from_slice(row);
        let space = spaces.get(at % spaces.len().max(1)).copied().unwrap_or(0);
        wrapped.push(SPACES[usize::from(space) % SPACES.len()]);
    }
    wrapped
}

fuzz_target!(|input: Input| {
    let text = wrap(
        &encode(&input.data),
        usize::from(input.width) + 1,
        &input.spaces,
    );
    let mut decoder = Base64Decoder::new();
    let mut out = Vec::new();
    let mut rest = text.as_slice();
    let mut cuts = input.cuts.iter();
    while !rest.is_empty() {
        let cut = cuts
            .next()
            .map_or(rest.len(), |&cut| usize::from(cut).min(rest.len()));
        let (chunk, tail) = rest.split_at(cut);
        decoder
            .decode_chunk(Units::Utf16(chunk), &mut out)
            .expect("what was encoded is valid");
        rest = tail;
    }
    decoder.finish().expect("what was encoded is complete");
    assert_eq!(out, input.data);
});
