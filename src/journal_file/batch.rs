//! Batches of lines that own their text, so that they can go to another thread.

use crate::journal::{Batch, BatchDecoder, BatchText, JournalError, LongText};

/// A batch of lines, decoded.
#[derive(Debug)]
pub struct ReadyBatch {
    /// The text: of several lines, each with its newline, or of a long line without it.
    pub text: ReadyText,
    /// Where each line ends, in bytes.
    pub byte_ends: Vec<u32>,
    /// The same in UTF-16 code units, where the text isn't ASCII.
    pub unit_ends: Option<Vec<u32>>,
}

/// The text of a [`ReadyBatch`].
#[derive(Debug)]
pub enum ReadyText {
    /// All ASCII.
    Ascii(Vec<u8>),
    /// UTF-16.
    Utf16(Vec<u16>),
    /// One line that is too long to copy.
    Long(LongText),
}

impl ReadyBatch {
    /// Decodes a batch.
    ///
    /// # Errors
    ///
    /// [`JournalError::LineTooLong`] and [`JournalError::OutOfMemory`], for a long line.
    pub fn of(
        batch: Batch<'_>,
        decoder: &mut BatchDecoder,
        most_units: usize,
    ) -> Result<Self, JournalError> {
        match batch {
            Batch::Lines { bytes, ends, .. } => Ok(decode(bytes, ends, decoder)),
            Batch::Long { line, .. } => {
                let byte_ends = vec![line.bytes().len() as u32];
                let text = LongText::of(line, most_units)?;
                let unit_ends = match &text {
                    LongText::Ascii(_) => None,
                    LongText::Utf16(units) => Some(vec![units.len() as u32]),
                };
                Ok(Self {
                    text: ReadyText::Long(text),
                    byte_ends,
                    unit_ends,
                })
            }
        }
    }

    /// How many bytes of memory it takes, about.
    pub fn footprint(&self) -> usize {
        let text = match &self.text {
            ReadyText::Ascii(bytes) => bytes.len(),
            ReadyText::Utf16(units) | ReadyText::Long(LongText::Utf16(units)) => 2 * units.len(),
            ReadyText::Long(LongText::Ascii(line)) => line.bytes().len(),
        };
        let ends = self.byte_ends.len() + self.unit_ends.as_ref().map_or(0, Vec::len);
        text + ends * size_of::<u32>()
    }
}

fn decode(bytes: &[u8], ends: &[u32], decoder: &mut BatchDecoder) -> ReadyBatch {
    let (text, unit_ends) = match decoder.decode(bytes, ends) {
        BatchText::Ascii(bytes) => (ReadyText::Ascii(bytes.to_vec()), None),
        BatchText::Utf16(units, unit_ends) => {
            (ReadyText::Utf16(units.to_vec()), Some(unit_ends.to_vec()))
        }
    };
    ReadyBatch {
        text,
        byte_ends: ends.to_vec(),
        unit_ends,
    }
}
