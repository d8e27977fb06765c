//! The exit sentinel: the last line of a journal, by which a reader knows that the run has ended and
//! how. The shell writes it behind the agent's own output, in the same file.
//!
//! 1. A line is the sentinel when `JSON.parse` of it is an object that has the nonce of the run and
//!    an integer as the exit code: of keys that are there twice the last counts, and text may be
//!    escaped.
//! 2. [`ExitSentinel::may_be_in`] has no false negatives, so that a reader may look at the bytes of
//!    many lines at once and parse none.

use std::fmt;

use memchr::memmem::Finder;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::utf16::utf16;
use crate::journal::js_trim;

/// The key of the exit code.
pub const EXIT_KEY: &str = "__exit";
/// The key of the nonce.
pub const NONCE_KEY: &str = "__nonce";

/// How the escape of an ASCII character begins.
const ASCII_ESCAPE: &[u8] = br"\u00";

/// The sentinel line, without its newline. `code` is a number as JavaScript writes it.
pub fn exit_sentinel_line(code: &[u16], nonce: &[u16]) -> Vec<u16> {
    utf16![
        "{\"", EXIT_KEY, "\":", code, ",\"", NONCE_KEY, "\":\"", nonce, "\"}"
    ]
}

/// Finds the sentinel of one run.
#[derive(Debug, Clone)]
pub struct ExitSentinel {
    nonce: String,
    literal: Finder<'static>,
    escape: Finder<'static>,
    /// The nonce is of lower-case hex digits, as all are that this package makes.
    is_hex: bool,
}

impl ExitSentinel {
    /// That of the run with this nonce.
    pub fn new(nonce: &str) -> Self {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        Self {
            nonce: nonce.to_owned(),
            literal: Finder::new(nonce).into_owned(),
            escape: Finder::new(ASCII_ESCAPE),
            is_hex: !nonce.is_empty() && nonce.bytes().all(is_digit),
        }
    }

    /// Whether one of the lines in `bytes`, which need not be well-formed, may be the sentinel: the
    /// nonce stands there, or the escape of a character that it may hold.
    pub fn may_be_in(&self, bytes: &[u8]) -> bool {
        !self.is_hex || self.literal.find(bytes).is_some() || self.has_escaped_digit(bytes)
    }

    /// The exit code that a line tells when it is the sentinel.
    pub fn exit_code(&self, line: &str) -> Option<f64> {
        if !self.may_be_in(line.as_bytes()) {
            return None;
        }
        let fields: Fields = serde_json::from_str(js_trim(line)).ok()?;
        (fields.nonce? == self.nonce).then_some(fields.exit?)
    }

    /// The exit code that the last sentinel among the lines of a text tells.
    pub fn last_exit_code(&self, text: &str) -> Option<f64> {
        text.rsplit('\n').find_map(|line| self.exit_code(line))
    }

    fn has_escaped_digit(&self, bytes: &[u8]) -> bool {
        self.escape.find_iter(bytes).any(|at| {
            let code = bytes.get(at + ASCII_ESCAPE.len()..).unwrap_or_default();
            matches!(code, [b'3', b'0'..=b'9', ..] | [b'6', b'1'..=b'6', ..])
        })
    }
}

/// What counts of an object. A key of another type than it should be is as good as missing.
#[derive(Default)]
struct Fields {
    exit: Option<f64>,
    nonce: Option<String>,
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    /// All else is checked and kept raw: JSON has texts (half a surrogate pair) and numbers (beyond
    /// a double) that JavaScript reads and `serde_json` would refuse to turn into values.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
        let mut fields = Fields::default();
        while let Some((key, value)) = map.next_entry::<&RawValue, &RawValue>()? {
            match text_of(key).as_deref() {
                Some(EXIT_KEY) => fields.exit = integer_of(value),
                Some(NONCE_KEY) => fields.nonce = text_of(value),
                _ => {}
            }
        }
        Ok(fields)
    }
}

fn text_of(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// A value that `Number.isInteger` takes. What isn't a number in JSON isn't one for Rust, either,
/// which would read `inf` and `nan`, too.
fn integer_of(value: &RawValue) -> Option<f64> {
    let number: f64 = value.get().parse().ok()?;
    (number.fract() == 0.0).then_some(number)
}

#[cfg(test)]
mod tests;
