//! What kind of line it is: its words, blind to numbers and ids.

use crate::cuts::mix::{Mix, SPREAD};
use std::hash::Hasher as _;

/// Bytes of a message that make its kind.
const BYTES: usize = 200;
/// Words that make its stem.
const STEM: usize = 4;
/// Words that make its kind: past a long run of words only the beginning tells it.
const WORDS: usize = 30;

/// What a byte is to a kind.
mod class {
    /// Space and tab: nothing.
    pub const BLANK: u8 = 1;
    /// Of a word, and a digit,
    pub const DIGIT: u8 = 2;
    /// or no digit of a hexadecimal number.
    pub const NOT_HEX: u8 = 4;
    /// Of no word.
    pub const OTHER: u8 = 8;
}

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        if b == b' ' || b == b'\t' {
            classes[byte] = class::OTHER | class::BLANK;
        } else if b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80 {
            if b.is_ascii_digit() {
                classes[byte] |= class::DIGIT;
            }
            if !b.is_ascii_hexdigit() {
                classes[byte] |= class::NOT_HEX;
            }
        } else {
            classes[byte] = class::OTHER;
        }
        byte += 1;
    }
    classes
};

/// What goes into a hash where a word is masked,
const MASKED: u64 = 1 << 32;
/// and where there is none behind the last signs.
const NO_WORD: u64 = 2 << 32;

/// The kind of a message and its stem, as hashes. Messages that differ in numbers and hex
/// ids only are of one kind; a status keeps its number, so that 200 and 500 stay two.
#[must_use]
#[inline]
pub fn of(body: &[u8], salt: u64) -> (u64, u64) {
    let (kind, stem, _) = of_status(body, salt);
    (kind, stem)
}

/// The same; and whether there is a status in it, so that digits may tell kinds apart.
#[must_use]
pub fn of_status(body: &[u8], salt: u64) -> (u64, u64, bool) {
    let body = &body[..body.len().min(BYTES)];
    let mut hasher = Mix::default();
    hasher.write_u64(salt);
    let mut stem = None;
    // The signs before the next word, blanks left out, and the word before.
    let (mut at, mut signs, mut before, mut status) = (0, 0u64, 0..0, false);
    'text: for words in [STEM, WORDS - STEM] {
        for _ in 0..words {
            while let Some(&byte) = body.get(at) {
                let class = CLASSES[usize::from(byte)];
                if class & class::OTHER == 0 {
                    break;
                }
                if class & class::BLANK == 0 {
                    signs = signs.wrapping_add(u64::from(byte) + 1).wrapping_mul(SPREAD);
                }
                at += 1;
            }
            if at == body.len() {
                break 'text;
            }
            let (len, masked) = word(body, at);
            if !masked {
                hasher.word(&body[at..], len, signs);
            } else if len <= 3 && says_status(&body[before]) {
                status = true;
                hasher.word(&body[at..], len, signs);
            } else {
                hasher.pair(0, signs ^ MASKED);
            }
            signs = 0;
            before = at..at + len;
            at += len;
        }
        stem.get_or_insert(hasher);
    }
    if signs != 0 {
        hasher.pair(0, signs ^ NO_WORD);
    }
    let kind = hasher.finish();
    (kind, stem.map_or(kind, |stem| stem.finish()), status)
}

/// The length of the word that begins at `at`, and whether it is masked: a number, an id, a
/// word that may be one, `decade`.
fn word(text: &[u8], at: usize) -> (usize, bool) {
    let (mut end, mut all) = (at, 0);
    while let Some(byte) = text.get(end) {
        all |= CLASSES[usize::from(*byte)];
        if all & class::OTHER != 0 {
            break;
        }
        end += 1;
    }
    let len = end - at;
    (len, all & class::DIGIT != 0 || len >= 4 && all & class::NOT_HEX == 0)
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
        assert_eq!(kind("a  b"), kind("a b"));
        for (one, other) in [("a b", "ab"), ("abcdefgh ij", "abcdefghij"), ("a [", "a [7"), ("((((((((a", "(((((((a"), ("zürich", "zorich")]
        {
            assert_ne!(kind(one), kind(other), "{one} {other}");
        }
    }
}
