//! How often a kind of line was met: bounded, and blind to digits.

use crate::cuts::mix::Mix;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher as _};

/// Kinds that are told apart; beyond that each is taken for a new one, and so kept.
const KINDS: usize = 1024;
/// Bytes of a line that make its kind.
const BYTES: usize = 256;

/// Counts lines by kind.
#[derive(Clone, Default)]
pub struct Seen {
    kinds: HashMap<u64, u32, BuildHasherDefault<Mix>>,
}

impl Seen {
    /// How often this text was met, this time included. Texts that differ in runs of
    /// digits only are of one kind.
    pub fn alike(&mut self, text: &[u8]) -> u32 {
        self.masked(text)
    }

    /// How often exactly this text was met, this time included.
    pub fn same(&mut self, text: &[u8]) -> u32 {
        let mut hasher = Mix::default();
        hasher.write(&text[..text.len().min(BYTES)]);
        self.kind(hasher.finish())
    }

    fn masked(&mut self, text: &[u8]) -> u32 {
        let mut hasher = Mix::default();
        let mut in_digits = false;
        for b in text.iter().take(BYTES) {
            if b.is_ascii_digit() {
                if !in_digits {
                    hasher.write_u8(b'0');
                }
                in_digits = true;
            } else {
                in_digits = false;
                hasher.write_u8(*b);
            }
        }
        self.kind(hasher.finish())
    }

    /// How often this kind was met before.
    #[must_use]
    pub fn met(&self, kind: u64) -> u32 {
        self.kinds.get(&kind).copied().unwrap_or_default()
    }

    /// How often this kind, told apart by the caller, was met, this time included.
    pub fn kind(&mut self, kind: u64) -> u32 {
        if let Some(count) = self.kinds.get_mut(&kind) {
            *count += 1;
            return *count;
        }
        if self.kinds.len() < KINDS {
            self.kinds.insert(kind, 1);
        }
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_make_no_difference_when_alike() {
        let mut seen = Seen::default();
        assert_eq!((seen.alike(b"a 1"), seen.alike(b"a 22"), seen.alike(b"a x")), (1, 2, 1));
        assert_eq!((seen.same(b"a 1"), seen.same(b"a 2")), (1, 1));
    }
}
