//! Text that is put together as UTF-16, which is how JavaScript holds what it passes through.

/// A piece of such a text.
pub trait Piece {
    /// Appends it.
    fn append_to(&self, text: &mut Vec<u16>);
}

impl Piece for &str {
    fn append_to(&self, text: &mut Vec<u16>) {
        text.extend(self.encode_utf16());
    }
}

impl Piece for &[u16] {
    fn append_to(&self, text: &mut Vec<u16>) {
        text.extend_from_slice(self);
    }
}

impl Piece for Vec<u16> {
    fn append_to(&self, text: &mut Vec<u16>) {
        text.extend_from_slice(self);
    }
}

impl Piece for u64 {
    fn append_to(&self, text: &mut Vec<u16>) {
        self.to_string().as_str().append_to(text);
    }
}

/// One text of all the pieces.
macro_rules! utf16 {
    [$($piece:expr),+ $(,)?] => {{
        let mut text = Vec::new();
        $($crate::journal::run::utf16::Piece::append_to(&$piece, &mut text);)+
        text
    }};
}
pub(super) use utf16;
