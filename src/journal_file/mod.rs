//! A journal on a disk: its lines, read and framed with calls that block.
//!
//! Invariants:
//!
//! 1. The lines are those of the framing over the file's bytes from the start position, whatever
//!    the sizes of the reads.
//! 2. One call of [`FileReader::read`] reads [`READ_BYTES`] at most, so the reader is never further
//!    ahead of its caller than that.
//! 3. Only regular files are opened, and opening one never waits for another process.
//! 4. What is wrong with the file is said behind all lines that can be read of it.

mod batch;
mod error;
mod open;
mod reader;

pub use batch::{ReadyBatch, ReadyText};
pub use error::{FileError, Operation};
pub use reader::{FileReader, Progress, READ_BYTES, Reading};

#[cfg(test)]
mod tests;
