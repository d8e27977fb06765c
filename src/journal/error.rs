//! What can go wrong while framing, with the numbers that a message needs.

/// A fault in the input, or a lack of memory for it.
///
/// Positions are those of the input that the parser saw; the caller adds where that began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// A character that is neither base64 nor white space stands inside a group.
    #[error("invalid base64 character U+{unit:04X} at character {index}")]
    InvalidCharacter {
        /// The UTF-16 code unit that was found.
        unit: u16,
        /// Its index in the stream, in UTF-16 code units, white space included.
        index: u64,
    },
    /// A `=` stands elsewhere than as the last one or two characters of what a chunk completes.
    #[error("misplaced base64 padding at character {index}")]
    MisplacedPadding {
        /// The index of the first `=` in the stream, in UTF-16 code units.
        index: u64,
    },
    /// The input ended inside a group of four characters.
    #[error("base64 frame ended mid-quantum with {pending} character(s) pending")]
    MidQuantum {
        /// How many characters wait: 1 to 3.
        pending: usize,
    },
    /// A line has more UTF-16 code units than a string may have.
    #[error("a line of at least {bytes} bytes is too long for a string")]
    LineTooLong {
        /// The length of the line in bytes, as far as it is known.
        bytes: u64,
    },
    /// There is no memory for a line.
    #[error("no memory for a line of at least {bytes} bytes")]
    OutOfMemory {
        /// The length of the line in bytes, as far as it is known.
        bytes: u64,
    },
}
