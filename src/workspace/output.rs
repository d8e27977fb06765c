//! The newest output of a job.
//!
//! 1. The memory is constant however much comes: at most the limit, and a growing buffer before it
//!    is reached.
//! 2. A chunk costs the time of its own bytes, and of no more of them than are kept.
//! 3. Up to the limit the text doesn't depend on where the chunks are cut, also where a cut parts
//!    the two halves of a UTF-16 pair.

use std::collections::VecDeque;

/// How much of its output a job keeps.
pub const MAX_JOB_OUTPUT_BYTES: usize = 1024 * 1024;

/// The end of a text that grows: its newest bytes as UTF-8, cut at a character.
#[derive(Debug)]
pub struct OutputTail {
    max_bytes: usize,
    bytes: VecDeque<u8>,
    /// A first half of a UTF-16 pair at the end of a chunk, until the next one tells.
    high_surrogate: Option<u16>,
}

impl OutputTail {
    /// A tail of at most `max_bytes` bytes. It takes memory only as output comes.
    pub const fn new(max_bytes: usize) -> Self {
        Self {
            max_bytes,
            bytes: VecDeque::new(),
            high_surrogate: None,
        }
    }

    /// How many bytes of memory the tail takes.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Adds text.
    pub fn push(&mut self, chunk: &str) {
        if chunk.is_empty() {
            return;
        }
        self.end_pair();
        self.push_bytes(chunk.as_bytes());
    }

    /// Adds a string of JavaScript. A half of a pair that has no other half becomes U+FFFD.
    pub fn push_utf16(&mut self, chunk: &[u16]) {
        let Some((&first, after_first)) = chunk.split_first() else {
            return;
        };
        let mut units = chunk;
        if let Some(high) = self.high_surrogate.filter(|_| is_low_surrogate(first)) {
            self.high_surrogate = None;
            self.push_units(&[high, first]);
            units = after_first;
        }
        self.end_pair();
        if let Some((&last, before_last)) = units.split_last()
            && is_high_surrogate(last)
        {
            self.high_surrogate = Some(last);
            units = before_last;
        }
        let newest = newest_units(units, self.max_bytes);
        if newest.len() < units.len() {
            // What is left out here came after all that is kept.
            self.bytes.clear();
        }
        self.push_units(newest);
    }

    /// The text: all that was pushed, or the newest of it.
    pub fn text(&self) -> String {
        let mut text = Vec::with_capacity(self.bytes.len() + 3);
        text.extend(&self.bytes);
        if self.high_surrogate.is_some() {
            text.extend_from_slice("\u{FFFD}".as_bytes());
        }
        let newest = newest_characters(&text, self.max_bytes);
        // Only whole characters are in it, so nothing is replaced.
        String::from_utf8_lossy(newest).into_owned()
    }

    /// Gives up waiting for the other half of a pair.
    fn end_pair(&mut self) {
        if self.high_surrogate.take().is_some() {
            self.push_bytes("\u{FFFD}".as_bytes());
        }
    }

    fn push_units(&mut self, mut units: &[u16]) {
        let mut block = [0; 4096];
        while !units.is_empty() {
            let (read, written) =
                encoding_rs::mem::convert_utf16_to_utf8_partial(units, &mut block);
            self.push_bytes(block.get(..written).unwrap_or_default());
            units = units.get(read..).unwrap_or_default();
        }
    }

    fn push_bytes(&mut self, chunk: &[u8]) {
        let newest = chunk
            .get(chunk.len().saturating_sub(self.max_bytes)..)
            .unwrap_or_default();
        let overflow = (self.bytes.len() + newest.len()).saturating_sub(self.max_bytes);
        self.bytes.drain(..overflow);
        self.reserve(newest.len());
        self.bytes.extend(newest);
    }

    /// Doubles the memory as a vector does, but never beyond the limit.
    fn reserve(&mut self, additional: usize) {
        let needed = self.bytes.len() + additional;
        if needed > self.bytes.capacity() {
            let capacity = needed.max(2 * self.bytes.capacity()).min(self.max_bytes);
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
    }
}

/// As many units from the end as can matter to a tail of `max_bytes`: each is a byte at least.
fn newest_units(units: &[u16], max_bytes: usize) -> &[u16] {
    let newest = units
        .get(units.len().saturating_sub(max_bytes)..)
        .unwrap_or_default();
    match newest.split_first() {
        // Of a pair that the cut parts, or of a character that has no room anyway.
        Some((&first, rest)) if newest.len() < units.len() && is_low_surrogate(first) => rest,
        _ => newest,
    }
}

/// The last `max_bytes` bytes, from the first that starts a character.
fn newest_characters(bytes: &[u8], max_bytes: usize) -> &[u8] {
    let newest = bytes
        .get(bytes.len().saturating_sub(max_bytes)..)
        .unwrap_or_default();
    let starts_character = |byte: &u8| byte & 0b1100_0000 != 0b1000_0000;
    let start = newest
        .iter()
        .position(starts_character)
        .unwrap_or(newest.len());
    newest.get(start..).unwrap_or_default()
}

const fn is_high_surrogate(unit: u16) -> bool {
    matches!(unit, 0xD800..=0xDBFF)
}

const fn is_low_surrogate(unit: u16) -> bool {
    matches!(unit, 0xDC00..=0xDFFF)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The newest `max_bytes` bytes of `text`, cut at a character: the obvious way.
    fn newest(text: &str, max_bytes: usize) -> String {
        let cut =
            (0..=text.len()).find(|&at| text.is_char_boundary(at) && text.len() - at <= max_bytes);
        text[cut.unwrap()..].to_owned()
    }

    #[test]
    fn keeps_all_up_to_the_limit() {
        let mut tail = OutputTail::new(8);
        assert_eq!(tail.text(), "");
        tail.push("abc");
        tail.push("");
        tail.push("defgh");
        assert_eq!(tail.text(), "abcdefgh");
        tail.push("i");
        assert_eq!(tail.text(), "bcdefghi");
    }

    #[test]
    fn a_chunk_above_the_limit_leaves_its_end() {
        let mut tail = OutputTail::new(4);
        tail.push("0");
        tail.push("abcdefgh");
        assert_eq!(tail.text(), "efgh");
        tail.push_utf16(&"0123456789".encode_utf16().collect::<Vec<_>>());
        assert_eq!(tail.text(), "6789");
    }

    #[test]
    fn the_limit_never_cuts_a_character() {
        for max_bytes in 0..12 {
            let text = "a€😀é";
            let mut tail = OutputTail::new(max_bytes);
            tail.push(text);
            assert_eq!(tail.text(), newest(text, max_bytes));
            let mut tail = OutputTail::new(max_bytes);
            tail.push_utf16(&text.encode_utf16().collect::<Vec<_>>());
            assert_eq!(tail.text(), newest(text, max_bytes));
        }
    }

    #[test]
    fn a_pair_parted_by_the_chunks_is_one_character() {
        let mut tail = OutputTail::new(100);
        tail.push_utf16(&[0x61, 0xD83D]);
        assert_eq!(tail.text(), "a\u{FFFD}");
        tail.push_utf16(&[]);
        tail.push("");
        tail.push_utf16(&[0xDE00, 0x62]);
        assert_eq!(tail.text(), "a😀b");
    }

    #[test]
    fn a_lone_half_becomes_one_replacement_character() {
        let mut tail = OutputTail::new(100);
        tail.push_utf16(&[0xDE00, 0x61, 0xD83D]);
        tail.push_utf16(&[0xD83D]);
        tail.push_utf16(&[0x62, 0xD83D]);
        tail.push("c");
        assert_eq!(tail.text(), "\u{FFFD}a\u{FFFD}\u{FFFD}b\u{FFFD}c");
    }

    #[test]
    fn a_chunk_above_the_limit_that_starts_within_a_pair_leaves_nothing_older() {
        let mut tail = OutputTail::new(4);
        tail.push("old");
        tail.push_utf16(&"0😀abc".encode_utf16().collect::<Vec<_>>());
        assert_eq!(tail.text(), "abc");
    }

    #[test]
    fn memory_stays_at_the_limit() {
        let mut tail = OutputTail::new(MAX_JOB_OUTPUT_BYTES);
        let chunk = "0123456789abcde\n".repeat(4099);
        for _ in 0..2000 {
            tail.push(&chunk);
            assert!(tail.bytes.capacity() <= MAX_JOB_OUTPUT_BYTES);
        }
        let text = tail.text();
        assert_eq!(text.len(), MAX_JOB_OUTPUT_BYTES);
        assert!(text.ends_with(&chunk));
    }

    fn pieces() -> impl Strategy<Value = Vec<String>> {
        proptest::collection::vec("[a-c€😀é\n]{0,9}", 0..20)
    }

    proptest! {
        #[test]
        fn is_the_end_of_all_that_came(pieces in pieces(), max_bytes in 0_usize..40) {
            let mut tail = OutputTail::new(max_bytes);
            for piece in &pieces {
                tail.push(piece);
            }
            prop_assert_eq!(tail.text(), newest(&pieces.concat(), max_bytes));
        }

        #[test]
        fn utf16_chunks_give_the_same_wherever_they_are_cut(
            pieces in pieces(),
            cut in 1_usize..9,
            max_bytes in 0_usize..40,
        ) {
            let text = pieces.concat();
            let units: Vec<u16> = text.encode_utf16().collect();
            let mut tail = OutputTail::new(max_bytes);
            for chunk in units.chunks(cut) {
                tail.push_utf16(chunk);
            }
            prop_assert_eq!(tail.text(), newest(&text, max_bytes));
        }

        #[test]
        fn ill_formed_utf16_is_read_as_rust_reads_it(
            units in proptest::collection::vec(
                prop_oneof![Just(0x61), Just(0xD83D), Just(0xDE00), any::<u16>()], 0..40,
            ),
            cut in 1_usize..9,
            max_bytes in 0_usize..60,
        ) {
            let mut tail = OutputTail::new(max_bytes);
            for chunk in units.chunks(cut) {
                tail.push_utf16(chunk);
            }
            prop_assert_eq!(tail.text(), newest(&String::from_utf16_lossy(&units), max_bytes));
        }
    }
}
