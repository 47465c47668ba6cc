//! What kind of line it is: its words, blind to numbers and ids.

use crate::cuts::mix::Mix;
use std::hash::Hasher as _;

/// Bytes of a message that make its kind.
const BYTES: usize = 200;
/// Words that make its stem.
const STEM: usize = 4;

/// What a byte is to a kind.
mod class {
    /// Space and tab: nothing.
    pub const BLANK: u8 = 1;
    /// Of a word,
    pub const WORD: u8 = 2;
    /// a digit,
    pub const DIGIT: u8 = 4;
    /// no digit of a hexadecimal number.
    pub const NOT_HEX: u8 = 8;
}

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        if b == b' ' || b == b'\t' {
            classes[byte] = class::BLANK;
        } else if b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80 {
            classes[byte] = class::WORD;
            if b.is_ascii_digit() {
                classes[byte] |= class::DIGIT;
            }
            if !b.is_ascii_hexdigit() {
                classes[byte] |= class::NOT_HEX;
            }
        }
        byte += 1;
    }
    classes
};

/// The kind of a message and its stem, as hashes. Messages that differ in numbers and hex
/// ids only are of one kind; a status keeps its number, so that 200 and 500 stay two.
#[must_use]
pub fn of(body: &[u8], salt: u64) -> (u64, u64) {
    let mut hasher = Mix::default();
    hasher.write_u64(salt);
    let mut stem = None;
    let (mut at, mut words) = (0, 0);
    let mut counts = false;
    let body = &body[..body.len().min(BYTES)];
    while let Some(&byte) = body.get(at) {
        let first = CLASSES[usize::from(byte)];
        if first & class::WORD == 0 {
            if first != class::BLANK {
                hasher.write_u8(byte);
            }
            at += 1;
            continue;
        }
        let mut all = first;
        let rest = &body[at + 1..];
        let more = rest.iter().position(|b| {
            let class = CLASSES[usize::from(*b)];
            all |= class;
            class & class::WORD == 0
        });
        let word = &body[at..at + 1 + more.unwrap_or(rest.len())];
        // A number, an id, a word that may be one: `decade`.
        let masked = all & class::DIGIT != 0 || word.len() >= 4 && all & class::NOT_HEX == 0;
        if !masked || counts && word.len() <= 3 {
            hasher.write(word);
        } else {
            hasher.write_u8(b'0');
        }
        counts = says_status(word);
        words += 1;
        if words == STEM {
            stem = Some(hasher.finish());
        }
        at += word.len();
        // Past a long run of words only the beginning tells the kind.
        if words >= 30 {
            break;
        }
    }
    let kind = hasher.finish();
    (kind, stem.unwrap_or(kind))
}

/// Does a number after this word tell kinds apart?
fn says_status(word: &[u8]) -> bool {
    matches!(word.len(), 4..=6 | 8 | 10 | 11)
        && matches!(word[0] | 0x20, b's' | b'c' | b'e' | b'r')
        && [b"status".as_slice(), b"code", b"statuscode", b"status_code", b"exit", b"exited", b"signal", b"errno", b"returned"]
            .iter()
            .any(|w| w.len() == word.len() && w.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ids_are_masked_and_statuses_are_not() {
        let kind = |text: &str| of(text.as_bytes(), 0).0;
        assert_eq!(kind("took 13 ms for 7fa3c2d0"), kind("took 7 ms for cafebabe"));
        assert_ne!(kind("request done status=200"), kind("request done status=500"));
        assert_ne!(kind("a b"), kind("a c"));
    }
}
