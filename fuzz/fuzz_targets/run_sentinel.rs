//! The exit sentinel. Garbage: no panic, and no sentinel where a look at the bytes sees none. Law: of
//! an object that is written out in any spelling, the last nonce and the last exit code count.

#![no_main]

use ai_sandbox_native::journal::run::ExitSentinel;
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

const NONCE: &str = "0123456789abcdef0123456789abcdef";

#[derive(Arbitrary, Debug)]
struct Input {
    fields: Vec<Field>,
    /// Which characters are escaped, bit by bit.
    escapes: u64,
    depth: u16,
    cut: Option<u16>,
    garbage: String,
    nonce: String,
    bytes: Vec<u8>,
}

#[derive(Arbitrary, Debug)]
enum Field {
    Exit(i32),
    Fraction(i16),
    NoExit,
    Nonce,
    OtherNonce(String),
    Other(String, i8),
    Nested,
    HalfOfAPair(u8),
    Infinite,
}

fuzz_target!(|input: Input| {
    law(&input);
    garbage(&input);
});

fn law(input: &Input) {
    let mut bits = input.escapes;
    let fields: Vec<_> = input
        .fields
        .iter()
        .map(|field| field.text(input.depth, &mut bits))
        .collect();
    let line = format!(" {{{}}}\r", fields.join(", "));
    let sentinel = ExitSentinel::new(NONCE);
    assert_eq!(sentinel.exit_code(&line), expected(&input.fields), "{line}");
    let text = format!("{}\n{line}\n{}", input.garbage, "not this");
    if let Some(code) = expected(&input.fields) {
        assert!(sentinel.may_be_in(line.as_bytes()));
        assert_eq!(sentinel.last_exit_code(&text), Some(code));
    }
    if let Some(cut) = input.cut {
        // Without its last brace, or with any other part missing at the end, it is none.
        let inner = line.trim_end();
        let end = inner.floor_char_boundary(usize::from(cut) % inner.len());
        assert_eq!(sentinel.exit_code(&inner[..end]), None);
    }
}

fn garbage(input: &Input) {
    for nonce in [NONCE, &input.nonce] {
        let sentinel = ExitSentinel::new(nonce);
        let lossy = String::from_utf8_lossy(&input.bytes);
        for text in [input.garbage.as_str(), &lossy] {
            for line in [text.to_owned(), text.replace('N', nonce)] {
                if sentinel.exit_code(&line).is_some() {
                    assert!(sentinel.may_be_in(line.as_bytes()));
                }
                let _ = sentinel.last_exit_code(&line);
            }
        }
        let _ = sentinel.may_be_in(&input.bytes);
    }
}

fn expected(fields: &[Field]) -> Option<f64> {
    let mut exit = None;
    let mut is_ours = false;
    for field in fields {
        match field {
            Field::Exit(code) => exit = Some(f64::from(*code)),
            Field::Fraction(_) | Field::NoExit | Field::Infinite => exit = None,
            Field::Nonce => is_ours = true,
            Field::OtherNonce(text) => is_ours = text == NONCE,
            Field::Other(..) | Field::Nested | Field::HalfOfAPair(_) => {}
        }
    }
    exit.filter(|_| is_ours)
}

impl Field {
    fn text(&self, depth: u16, bits: &mut u64) -> String {
        let exit = spelled("__exit", bits);
        let nonce = spelled("__nonce", bits);
        match self {
            Self::Exit(code) => format!("{exit}:{code}"),
            Self::Fraction(number) => format!("{exit} : {number}.5"),
            Self::NoExit => format!("{exit}:\"0\""),
            Self::Nonce => format!("{nonce}:{}", spelled(NONCE, bits)),
            Self::OtherNonce(text) => format!("{nonce}:{}", spelled(text, bits)),
            // Never one of the two keys: theirs begin otherwise.
            Self::Other(key, value) => format!("{}:{value}e5", spelled(&format!("x{key}"), bits)),
            Self::Nested => {
                let depth = usize::from(depth) + 1;
                format!("\"x\":{}{}", "[".repeat(depth), "]".repeat(depth))
            }
            Self::HalfOfAPair(low) => format!("\"\\ud8{low:02x}\":\"\\uDC{low:02X}\\n\""),
            Self::Infinite => format!("{exit}:-1e999"),
        }
    }
}

/// A JSON string, with some of its characters escaped, and those that must be.
fn spelled(text: &str, bits: &mut u64) -> String {
    let mut spelled = String::from('"');
    for character in text.chars() {
        let must = matches!(character, '"' | '\\' | '\0'..='\x1f');
        let may = *bits & 1 == 1;
        *bits = bits.rotate_right(1);
        if must || may {
            for unit in character.encode_utf16(&mut [0; 2]) {
                spelled += &format!("\\u{unit:04x}");
            }
        } else {
            spelled.push(character);
        }
    }
    spelled + "\""
}
