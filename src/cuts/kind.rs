//! What kind of line it is: its words, blind to numbers and ids.

use crate::cuts::mix::Mix;
use std::hash::Hasher as _;

/// Bytes of a message that make its kind.
const BYTES: usize = 200;
/// Words that make its stem.
const STEM: usize = 4;

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
    while at < body.len() {
        let byte = body[at];
        if !is_word(byte) {
            if byte != b' ' && byte != b'\t' {
                hasher.write_u8(byte);
            }
            at += 1;
            continue;
        }
        let end = at + body[at..].iter().take_while(|b| is_word(**b)).count();
        let word = &body[at..end];
        let masked = is_id(word);
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
        at = end;
        // Past a long run of words only the beginning tells the kind.
        if words >= 30 {
            break;
        }
    }
    let kind = hasher.finish();
    (kind, stem.unwrap_or(kind))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn is_id(word: &[u8]) -> bool {
    word.iter().any(u8::is_ascii_digit) || word.len() >= 4 && word.iter().all(u8::is_ascii_hexdigit)
}

/// Does a number after this word tell kinds apart?
fn says_status(word: &[u8]) -> bool {
    [b"status".as_slice(), b"code", b"statuscode", b"status_code", b"exit", b"exited", b"signal", b"errno", b"returned"]
        .iter()
        .any(|w| w.eq_ignore_ascii_case(word))
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
