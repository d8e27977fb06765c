//! Base64 to bytes, by the forgiving rules of `atob`, in chunks.
//!
//! A chunk is checked whole before any of it is decoded, since a bad character in it means that
//! nothing of it may be delivered. Both passes take the chunk in windows, so that a caller need
//! not hold a copy of it:
//!
//! ```text
//! check(window)*  accept()  decode(window)*      for each chunk
//! finish()                                       at the end of the stream
//! ```
//!
//! Invariants:
//!
//! 1. What a chunk completes (its *unit*: the characters that waited, and the chunk's own up to
//!    the last whole group of four) is valid or not as a unit, however it is windowed.
//! 2. At most three characters wait between chunks. They aren't judged before their group is
//!    complete.
//! 3. Left-over bits of a padded group are ignored, as `atob` does.

use super::JournalError;
use super::space::is_js_space;

mod alphabet;
mod tally;

use alphabet::{Class, class_of, value_of};
use tally::{Spot, Tally};

/// Text as the host holds it: one byte a character, or UTF-16.
#[derive(Debug, Clone, Copy)]
pub enum Units<'a> {
    /// Characters up to U+00FF, a byte each.
    Latin1(&'a [u8]),
    /// UTF-16 code units.
    Utf16(&'a [u16]),
}

/// A streaming decoder of forgiving base64.
#[derive(Debug)]
pub struct Base64Decoder {
    /// The characters that wait for the rest of their group: at most three between chunks.
    waiting: Vec<Spot>,
    /// The index in the stream of the first unit of the present chunk.
    chunk_start: u64,
    /// What the first pass has found in the present chunk.
    tally: Tally,
    /// Where in the stream the second pass is.
    decoded_to: u64,
    /// Characters of the present unit that are still to decode.
    remaining: u64,
    /// A window without its white space.
    characters: Vec<u8>,
    /// A window of UTF-16 in one byte a character.
    narrowed: Vec<u8>,
    arch: pulp::Arch,
}

impl Default for Base64Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Base64Decoder {
    /// A decoder at the start of a stream.
    pub fn new() -> Self {
        Self {
            waiting: Vec::new(),
            chunk_start: 0,
            tally: Tally::default(),
            decoded_to: 0,
            remaining: 0,
            characters: Vec::new(),
            narrowed: Vec::new(),
            arch: pulp::Arch::new(),
        }
    }

    /// First pass: takes note of the next window of the present chunk.
    pub fn check(&mut self, window: Units<'_>) {
        if self.tally.is_empty() {
            self.tally = Tally::behind(&self.waiting);
        }
        let index = self.chunk_start + self.tally.units();
        let mut scratch = std::mem::take(&mut self.narrowed);
        let narrowed = narrow(window, &mut scratch);
        self.tally.add(self.arch, narrowed, window, index);
        self.narrowed = scratch;
    }

    /// Ends the first pass. From here on [`decode`](Self::decode) takes the same windows again.
    ///
    /// Returns how many bytes the chunk will give.
    ///
    /// # Errors
    ///
    /// [`JournalError::InvalidCharacter`] or [`JournalError::MisplacedPadding`]. The decoder is
    /// then as it was before the chunk.
    pub fn accept(&mut self) -> Result<u64, JournalError> {
        let tally = match std::mem::take(&mut self.tally) {
            tally if tally.is_empty() => Tally::behind(&self.waiting),
            tally => tally,
        };
        let unit = tally.unit()?;
        self.remaining = unit.characters;
        self.decoded_to = self.chunk_start;
        self.chunk_start += tally.units();
        Ok(unit.bytes)
    }

    /// Second pass: appends to `out` what the next window of the accepted chunk completes.
    ///
    /// # Errors
    ///
    /// [`JournalError::InvalidCharacter`], only when the windows aren't those that were checked.
    pub fn decode(&mut self, window: Units<'_>, out: &mut Vec<u8>) -> Result<(), JournalError> {
        let mut scratch = std::mem::take(&mut self.narrowed);
        let narrowed = narrow(window, &mut scratch);
        let left = self
            .decode_window(narrowed, strip_rows, out)
            .or_else(|| self.decode_window(narrowed, strip_all, out));
        self.narrowed = scratch;
        let Some(left) = left else {
            return Err(JournalError::InvalidCharacter {
                unit: window.get(0).unwrap_or_default(),
                index: self.decoded_to,
            });
        };
        self.keep_waiting(window, left);
        self.decoded_to += window.len() as u64;
        Ok(())
    }

    /// Checks and decodes a chunk that is at hand whole.
    ///
    /// # Errors
    ///
    /// As [`accept`](Self::accept); nothing is appended then.
    pub fn decode_chunk(
        &mut self,
        chunk: Units<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), JournalError> {
        self.check(chunk);
        self.accept()?;
        self.decode(chunk, out)
    }

    /// Ends the stream.
    ///
    /// # Errors
    ///
    /// [`JournalError::MidQuantum`] when characters wait for the rest of their group: the frame was
    /// cut off, and bytes are missing.
    pub fn finish(&self) -> Result<(), JournalError> {
        match self.waiting.len() {
            0 => Ok(()),
            pending => Err(JournalError::MidQuantum { pending }),
        }
    }

    /// Decodes what `window` completes, without its white space as `strip` takes it out. Returns
    /// how many characters wait then, or `None` (and appends nothing) when one can't be decoded.
    fn decode_window(
        &mut self,
        window: &[u8],
        strip: fn(&[u8], &mut Vec<u8>),
        out: &mut Vec<u8>,
    ) -> Option<usize> {
        self.characters.clear();
        self.characters
            .extend(self.waiting.iter().map(|spot| narrow_unit(spot.unit)));
        strip(window, &mut self.characters);

        let at_hand = self.characters.len() as u64;
        let count = if self.remaining <= at_hand {
            self.remaining
        } else {
            at_hand & !3
        };
        let (groups, rest) = self.characters.split_at_checked(count as usize)?;
        if rest.iter().any(|&byte| class_of(byte) == Class::Space) {
            return None;
        }
        append_groups(groups, out)?;
        self.remaining -= count;
        Some(rest.len())
    }

    /// Keeps the last `left` characters of what waited and of `window`.
    fn keep_waiting(&mut self, window: Units<'_>, left: usize) {
        let mut tail: Vec<Spot> = (0..window.len())
            .rev()
            .filter_map(|at| {
                let unit = window.get(at)?;
                let index = self.decoded_to + at as u64;
                (!is_js_space(unit)).then_some(Spot { unit, index })
            })
            .take(left)
            .collect();
        tail.reverse();
        let kept = left - tail.len();
        self.waiting
            .drain(..self.waiting.len().saturating_sub(kept));
        self.waiting.append(&mut tail);
    }
}

impl Units<'_> {
    /// How many UTF-16 code units these are.
    pub fn len(&self) -> usize {
        match self {
            Self::Latin1(bytes) => bytes.len(),
            Self::Utf16(units) => units.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn get(&self, at: usize) -> Option<u16> {
        match self {
            Self::Latin1(bytes) => bytes.get(at).copied().map(u16::from),
            Self::Utf16(units) => units.get(at).copied(),
        }
    }
}

/// One byte a unit: wide white space becomes a space, and what else is wide a byte that isn't
/// base64 either.
fn narrow<'a>(window: Units<'a>, scratch: &'a mut Vec<u8>) -> &'a [u8] {
    match window {
        Units::Latin1(bytes) => bytes,
        Units::Utf16(units) => {
            scratch.clear();
            scratch.extend(units.iter().copied().map(narrow_unit));
            scratch
        }
    }
}

fn narrow_unit(unit: u16) -> u8 {
    match u8::try_from(unit) {
        Ok(byte) => byte,
        Err(_) if is_js_space(unit) => b' ',
        Err(_) => u8::MAX,
    }
}

/// Takes out line breaks that stand at equal distances for the most part: what `base64(1)` prints.
/// Other white space stays, and makes the decoding fail.
fn strip_rows(mut window: &[u8], out: &mut Vec<u8>) {
    while let Some(width) = memchr::memchr(b'\n', window) {
        while let Some((row, rest)) = window.split_at_checked(width)
            && let Some((b'\n', rest)) = rest.split_first()
        {
            out.extend_from_slice(row.strip_suffix(b"\r").unwrap_or(row));
            window = rest;
        }
    }
    out.extend_from_slice(window);
}

fn strip_all(window: &[u8], out: &mut Vec<u8>) {
    out.extend(
        window
            .iter()
            .filter(|&&byte| class_of(byte) != Class::Space),
    );
}

/// Appends the bytes of whole groups, the last of which may be padded.
fn append_groups(groups: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let before = out.len();
    let padded = if groups.ends_with(b"=") { 4 } else { 0 };
    let (body, last) = groups.split_at_checked(groups.len().checked_sub(padded)?)?;
    base64_simd::STANDARD_NO_PAD
        .decode_append(body, out)
        .ok()
        .and_then(|()| append_padded_group(last, out))
        .or_else(|| {
            out.truncate(before);
            None
        })
}

fn append_padded_group(group: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let value = |byte: &u8| value_of(*byte).map(u32::from);
    match group {
        [] => {}
        [a, b, b'=', b'='] => {
            let bits = value(a)? << 6 | value(b)?;
            out.push((bits >> 4) as u8);
        }
        [a, b, c, b'='] => {
            let bits = value(a)? << 12 | value(b)? << 6 | value(c)?;
            out.extend_from_slice(&[(bits >> 10) as u8, (bits >> 2) as u8]);
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests;
