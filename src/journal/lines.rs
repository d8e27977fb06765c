//! Bytes to lines, many at a time.
//!
//! Invariants:
//!
//! 1. A line ends at the byte `0x0A` and at nothing else.
//! 2. Bytes behind the last newline stay, and are searched for a newline once.
//! 3. A batch is bounded: it holds one line, or lines of [`BatchLimits::bytes`] together at most.
//!    Strings cut out of the text of a batch keep all of it in memory.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::JournalError;

/// How much goes into a batch.
#[derive(Debug, Clone, Copy)]
pub struct BatchLimits {
    /// Bytes of lines together, newlines included. One line may be longer.
    pub bytes: usize,
    /// Lines.
    pub lines: usize,
    /// From this many bytes on, a line is handed over with the buffer that it came in.
    pub long_line_bytes: usize,
    /// The most UTF-16 code units that a line may have.
    pub units_a_line: usize,
}

/// Splits bytes into lines.
#[derive(Debug)]
pub struct LineFramer {
    limits: BatchLimits,
    bytes: Vec<u8>,
    /// Where the first line begins that was not taken yet.
    start: usize,
    /// No newline stands from `start` to here.
    searched: usize,
    ends: Vec<u32>,
}

/// What [`LineFramer::take`] takes.
#[derive(Debug)]
pub enum Batch<'a> {
    /// Lines of ordinary length.
    Lines {
        /// The bytes of the lines, each with its newline.
        bytes: &'a [u8],
        /// The place of each newline in `bytes`.
        ends: &'a [u32],
        /// Whether complete lines are left for the next batch.
        more: bool,
    },
    /// One line that is too long to copy.
    Long {
        /// The line.
        line: LongLine,
        /// Whether complete lines are left for the next batch.
        more: bool,
    },
}

/// A line with the buffer that it came in.
#[derive(Debug)]
pub struct LongLine {
    buffer: Vec<u8>,
    line: Range<usize>,
}

impl LineFramer {
    /// A framer at the start of a line.
    pub fn new(limits: BatchLimits) -> Self {
        Self {
            limits,
            bytes: Vec::new(),
            start: 0,
            searched: 0,
            ends: Vec::new(),
        }
    }

    /// How many bytes were pushed and not taken.
    pub fn pending_bytes(&self) -> usize {
        self.bytes.len() - self.start
    }

    /// How many bytes of memory the buffer takes.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Appends bytes.
    ///
    /// # Errors
    ///
    /// [`JournalError::OutOfMemory`]; nothing was appended.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        self.input(bytes.len())?.extend_from_slice(bytes);
        Ok(())
    }

    /// The buffer to append to, with room for `room` bytes, for decoders that write in place.
    ///
    /// # Errors
    ///
    /// [`JournalError::OutOfMemory`].
    pub fn input(&mut self, room: usize) -> Result<&mut Vec<u8>, JournalError> {
        // Moving what is left costs no more than what was taken before it had cost.
        if self.start >= self.bytes.len() - self.start {
            self.bytes.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        let bytes = (self.pending_bytes() + room) as u64;
        self.bytes
            .try_reserve(room)
            .map_err(|_| JournalError::OutOfMemory { bytes })?;
        Ok(&mut self.bytes)
    }

    /// Gives back the memory in which no bytes wait, for a framer that may be idle for long.
    pub fn shrink(&mut self) {
        self.bytes.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        self.bytes.shrink_to_fit();
    }

    /// Takes the complete lines at the front, as many as a batch may hold.
    ///
    /// # Errors
    ///
    /// [`JournalError::LineTooLong`], for an incomplete line that can't become a string any more.
    pub fn take(&mut self) -> Result<Option<Batch<'_>>, JournalError> {
        let unsearched = self.bytes.get(self.searched..).unwrap_or_default();
        let Some(first) = memchr(b'\n', unsearched) else {
            self.searched = self.bytes.len();
            return self.check_pending().map(|()| None);
        };
        let end = self.searched + first;
        if end - self.start >= self.limits.long_line_bytes {
            return self.take_long(end).map(Some);
        }
        Ok(Some(self.take_lines(end)))
    }

    fn take_lines(&mut self, first_end: usize) -> Batch<'_> {
        let Self {
            limits,
            bytes,
            start,
            searched,
            ends,
        } = self;
        let waiting = bytes.get(*start..).unwrap_or_default();
        let from = first_end - *start;
        let mut taken = 0;
        let mut more = false;
        ends.clear();
        for end in memchr_iter(b'\n', waiting.get(from..).unwrap_or_default()) {
            let end = from + end;
            let full = ends.len() >= limits.lines || end >= limits.bytes;
            if full && !ends.is_empty() {
                more = true;
                break;
            }
            ends.push(end as u32);
            taken = end + 1;
        }
        *start += taken;
        *searched = *start;
        Batch::Lines {
            bytes: waiting.get(..taken).unwrap_or_default(),
            ends,
            more,
        }
    }

    fn take_long(&mut self, end: usize) -> Result<Batch<'_>, JournalError> {
        let tail = self.bytes.get(end + 1..).unwrap_or_default();
        let more = memchr(b'\n', tail).is_some();
        let line = self.start..end;
        // The smaller side is copied, the other keeps the buffer.
        let (buffer, line) = if tail.len() <= line.len() {
            let rest = copy(tail)?;
            self.start = 0;
            let mut buffer = std::mem::replace(&mut self.bytes, rest);
            buffer.truncate(end);
            buffer.shrink_to_fit();
            (buffer, line)
        } else {
            let buffer = copy(self.bytes.get(line).unwrap_or_default())?;
            self.start = end + 1;
            let line = 0..buffer.len();
            (buffer, line)
        };
        self.searched = self.start;
        Ok(Batch::Long {
            line: LongLine { buffer, line },
            more,
        })
    }

    /// A UTF-16 code unit stands for three bytes at most.
    fn check_pending(&self) -> Result<(), JournalError> {
        let bytes = self.pending_bytes();
        if bytes / 3 <= self.limits.units_a_line {
            return Ok(());
        }
        Err(JournalError::LineTooLong {
            bytes: bytes as u64,
        })
    }
}

fn copy(bytes: &[u8]) -> Result<Vec<u8>, JournalError> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(bytes.len())
        .map_err(|_| JournalError::OutOfMemory {
            bytes: bytes.len() as u64,
        })?;
    copy.extend_from_slice(bytes);
    Ok(copy)
}

impl LongLine {
    /// The bytes of the line, without its newline.
    pub fn bytes(&self) -> &[u8] {
        self.buffer.get(self.line.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Batch, BatchLimits, LineFramer};
    use crate::journal::JournalError;
    use crate::journal::chunkings::chunkings;
    use proptest::prelude::*;

    const LIMITS: BatchLimits = BatchLimits {
        bytes: 32,
        lines: 4,
        long_line_bytes: 64,
        units_a_line: 200,
    };

    /// All lines of `pieces`, with the count of bytes up to the end of each.
    fn frame<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<(Vec<u8>, usize)>, usize) {
        let mut framer = LineFramer::new(LIMITS);
        let mut lines = Vec::new();
        let mut position = 0;
        for piece in pieces {
            framer.push(piece).unwrap();
            let mut expect_more = None;
            while let Some(batch) = framer.take().unwrap() {
                assert_ne!(expect_more, Some(false), "a line after the last");
                match batch {
                    Batch::Lines { bytes, ends, more } => {
                        assert!(ends.len() == 1 || bytes.len() <= LIMITS.bytes);
                        assert!((1..=LIMITS.lines).contains(&ends.len()));
                        let mut start = 0;
                        for &end in ends {
                            let end = end as usize;
                            assert_eq!(bytes[end], b'\n');
                            lines.push((bytes[start..end].to_vec(), position + end + 1));
                            start = end + 1;
                        }
                        assert_eq!(start, bytes.len());
                        position += bytes.len();
                        expect_more = Some(more);
                    }
                    Batch::Long { line, more } => {
                        position += line.bytes().len() + 1;
                        lines.push((line.bytes().to_vec(), position));
                        expect_more = Some(more);
                    }
                }
            }
            assert_ne!(expect_more, Some(true), "no line where one was announced");
        }
        (lines, framer.pending_bytes())
    }

    /// The obvious way: split the whole.
    fn oracle(bytes: &[u8]) -> (Vec<(Vec<u8>, usize)>, usize) {
        let mut position = 0;
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            if let Some(line) = piece.strip_suffix(b"\n") {
                position += piece.len();
                lines.push((line.to_vec(), position));
            }
        }
        (lines, bytes.len() - position)
    }

    #[test]
    fn only_the_newline_ends_a_line() {
        let text = "a\rb\0c\u{2028}\n\n\nd";
        for pieces in chunkings(text.as_bytes()) {
            assert_eq!(
                frame(pieces.iter().map(Vec::as_slice)),
                oracle(text.as_bytes())
            );
        }
    }

    #[test]
    fn case_1_a_long_line_is_searched_once() {
        let mut framer = LineFramer::new(BatchLimits {
            units_a_line: 1 << 29,
            ..LIMITS
        });
        for _ in 0..5746 {
            framer.push(&[b'a'; 1460]).unwrap();
            assert!(framer.take().unwrap().is_none());
            assert_eq!(framer.searched, framer.bytes.len());
        }
        framer.push(b"\n").unwrap();
        match framer.take().unwrap() {
            Some(Batch::Long { line, more: false }) => assert_eq!(line.bytes().len(), 8_389_160),
            other => panic!("{other:?}"),
        }
        assert_eq!(framer.pending_bytes(), 0);
    }

    #[test]
    fn shrinking_keeps_what_waits() {
        let mut framer = LineFramer::new(LIMITS);
        framer.push(&[b'\n'; 4]).unwrap();
        framer.push(b"ab").unwrap();
        assert!(framer.take().unwrap().is_some());
        assert!(framer.take().unwrap().is_none());
        framer.shrink();
        assert!(framer.capacity() < 8);
        assert_eq!(framer.pending_bytes(), 2);
        framer.push(b"c\n").unwrap();
        match framer.take().unwrap() {
            Some(Batch::Lines { bytes, .. }) => assert_eq!(bytes, b"abc\n"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_line_that_can_not_be_a_string_is_an_error_before_it_ends() {
        let mut framer = LineFramer::new(LIMITS);
        framer.push(&[b'a'; 602]).unwrap();
        assert!(framer.take().unwrap().is_none());
        framer.push(b"aa").unwrap();
        assert_eq!(
            framer.take().unwrap_err(),
            JournalError::LineTooLong { bytes: 604 }
        );
    }

    proptest! {
        #[test]
        fn equals_the_oracle_in_every_chunking(
            bytes in prop::collection::vec(
                prop_oneof![1 => Just(b'\n'), 6 => any::<u8>()],
                0..300,
            ),
        ) {
            for pieces in chunkings(&bytes) {
                prop_assert_eq!(frame(pieces.iter().map(Vec::as_slice)), oracle(&bytes));
            }
        }

        #[test]
        fn lines_of_every_length_and_cut(
            lengths in prop::collection::vec(0usize..150, 0..12),
            piece in 1usize..200,
        ) {
            let bytes: Vec<u8> = lengths
                .iter()
                .flat_map(|&length| [vec![b'x'; length], vec![b'\n']].concat())
                .collect();
            prop_assert_eq!(frame(bytes.chunks(piece)), oracle(&bytes));
        }
    }
}
