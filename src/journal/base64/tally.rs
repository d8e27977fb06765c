//! What the first pass finds out about a chunk.

use super::alphabet::{Class, class_of, line_breaks_if_plain};
use super::{Units, narrow_unit};
use crate::journal::JournalError;

/// Windows are judged in blocks of this many bytes, so that one odd character makes only its own
/// block slow.
const BLOCK: usize = 1024;

/// A character that isn't white space, and where in the stream it stood.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) unit: u16,
    pub(super) index: u64,
}

/// What the unit of a chunk is.
pub(super) struct Unit {
    /// Its length in characters: a multiple of four.
    pub(super) characters: u64,
    /// How many bytes it gives.
    pub(super) bytes: u64,
}

/// A character of note, and its place among those that aren't white space.
#[derive(Debug, Clone, Copy)]
struct Found {
    ordinal: u64,
    spot: Spot,
}

#[derive(Debug, Default)]
pub(super) struct Tally {
    /// UTF-16 code units of the chunk.
    units: u64,
    /// Characters that aren't white space, with those that waited.
    characters: u64,
    first_other: Option<Found>,
    first_padding: Option<Found>,
    /// The place of the second `=`.
    second_padding: Option<u64>,
}

impl Tally {
    /// The tally of a chunk before which `waiting` stands.
    pub(super) fn behind(waiting: &[Spot]) -> Self {
        let mut tally = Self::default();
        for spot in waiting {
            tally.note(class_of(narrow_unit(spot.unit)), *spot);
        }
        tally
    }

    /// Whether nothing of the chunk was added yet.
    pub(super) fn is_empty(&self) -> bool {
        self.units == 0
    }

    pub(super) fn units(&self) -> u64 {
        self.units
    }

    /// Adds a window, given as it is and narrowed to bytes; `index` is that of its first unit.
    pub(super) fn add(&mut self, arch: pulp::Arch, narrowed: &[u8], window: Units<'_>, index: u64) {
        let mut at = 0;
        for block in narrowed.chunks(BLOCK) {
            match line_breaks_if_plain(arch, block) {
                Some(breaks) => self.characters += (block.len() - breaks) as u64,
                None => self.add_slowly(block, window, at, index),
            }
            at += block.len();
        }
        self.units += narrowed.len() as u64;
    }

    fn add_slowly(&mut self, block: &[u8], window: Units<'_>, block_at: usize, index: u64) {
        for (at, &byte) in (block_at..).zip(block) {
            let unit = window.get(at).unwrap_or_default();
            let index = index + at as u64;
            self.note(class_of(byte), Spot { unit, index });
        }
    }

    fn note(&mut self, class: Class, spot: Spot) {
        let ordinal = self.characters;
        let found = Found { ordinal, spot };
        match class {
            Class::Space => return,
            Class::Value => {}
            Class::Other => self.first_other = self.first_other.or(Some(found)),
            Class::Padding if self.first_padding.is_none() => self.first_padding = Some(found),
            Class::Padding => self.second_padding = self.second_padding.or(Some(ordinal)),
        }
        self.characters += 1;
    }

    /// The unit of the chunk. What is behind it waits, and isn't judged.
    pub(super) fn unit(&self) -> Result<Unit, JournalError> {
        let characters = self.characters & !3;
        let within = |found: &Found| found.ordinal < characters;
        let padding = self.first_padding.filter(within);
        let misplaced = padding.filter(|found| !self.may_pad(found.ordinal, characters));
        let other = self.first_other.filter(within);

        match (misplaced, other) {
            (Some(padding), Some(other)) if other.ordinal < padding.ordinal => invalid(other.spot),
            (Some(padding), _) => Err(JournalError::MisplacedPadding {
                index: padding.spot.index,
            }),
            (None, Some(other)) => invalid(other.spot),
            (None, None) => Ok(Unit {
                characters,
                bytes: characters / 4 * 3 - padding.map_or(0, |found| characters - found.ordinal),
            }),
        }
    }

    /// Whether a first `=` may stand at `ordinal` in a unit of so many characters.
    fn may_pad(&self, ordinal: u64, characters: u64) -> bool {
        match characters - ordinal {
            1 => true,
            2 => self.second_padding == Some(ordinal + 1),
            _ => false,
        }
    }
}

fn invalid(spot: Spot) -> Result<Unit, JournalError> {
    Err(JournalError::InvalidCharacter {
        unit: spot.unit,
        index: spot.index,
    })
}
