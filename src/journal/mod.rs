//! Journal framing: from what a host reads of a journal to its lines. What a journal is called, and
//! the commands around it, are in [`run`].
//!
//! ```text
//! base64 text ──▶ Base64Decoder ──┐
//! text        ──▶ Utf8Encoder ────┼──▶ LineFramer ──▶ Batch (text of many lines, their ends)
//! bytes       ────────────────────┘
//! ```
//!
//! All are push parsers: they take what came, keep what is incomplete, and never wait.
//!
//! Invariants:
//!
//! 1. On valid input the output does not depend on where the input was cut, with the one
//!    exception that the contract makes: base64 padding may end what one chunk completes.
//! 2. Each input byte is looked at a bounded number of times, however it was cut: the cost is
//!    linear.
//! 3. Positions count bytes of the journal, never characters, and never what decoding dropped or
//!    replaced.
//!
//! The contract is that of `journal-bytes` of the TypeScript package `@tanstack/ai-sandbox`.

mod base64;
mod error;
mod lines;
pub mod run;
mod space;
mod text;
mod utf8;

pub use base64::{Base64Decoder, Units};
pub use error::JournalError;
pub use lines::{Batch, BatchLimits, LineFramer, LongLine};
pub(crate) use space::{is_js_space_char, js_trim};
pub use text::{BatchDecoder, BatchText, LongText};
pub use utf8::Utf8Encoder;

#[cfg(test)]
mod chunkings;
