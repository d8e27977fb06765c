//! SHA-256, of which names and nonces have the first digits.

use sha2::{Digest, Sha256};

/// The first `digits` lower-case hex digits, 64 at most, of the hash of the pieces together.
pub fn sha256_hex(pieces: &[&str], digits: usize) -> String {
    let mut hash = Sha256::new();
    for piece in pieces {
        hash.update(piece);
    }
    let hash = hash.finalize();
    let halves = hash.iter().flat_map(|byte| [byte >> 4, byte & 0xF]);
    halves.take(digits).map(hex_digit).collect()
}

/// The lower-case hex digit of a value below 16.
pub fn hex_digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16).unwrap_or('0')
}

#[cfg(test)]
mod tests {
    use super::sha256_hex;

    #[test]
    fn is_the_hash_of_the_standard() {
        let whole = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_hex(&["abc"], 64), whole);
        assert_eq!(sha256_hex(&["a", "", "bc"], 16), &whole[..16]);
    }
}
