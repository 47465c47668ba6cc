//! Which lines speak words that no line before them spoke: bounded, one pass.
//!
//! A program that names a thousand things in one wording (`ember took 3ms`) has no kinds that
//! come back, but its words do. A line of several new ones says something else.

use crate::cuts::mix::Mix;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher as _};

/// Words that are known; beyond that nothing is new.
const WORDS: usize = 4096;
/// Lines before anything is new.
const WARM: u32 = 120;
/// New words of a line that says something else.
const NEW: u32 = 3;
/// Bytes of a line that are read.
const BYTES: usize = 300;

/// The words so far.
#[derive(Default)]
pub struct Novel {
    words: HashSet<u64, BuildHasherDefault<Mix>>,
    lines: u32,
    /// How many of the last lines or so had a new word, in 1024ths.
    fresh: u32,
}

impl Novel {
    /// A line whose words are all known.
    pub fn known(&mut self) {
        self.lines += 1;
        self.fresh -= self.fresh / 64;
    }

    /// Learns a line's words: are so many of them new as few lines have?
    pub fn is_new(&mut self, text: &[u8]) -> bool {
        let new = if self.words.len() < WORDS { self.learn(&text[..text.len().min(BYTES)]) } else { 0 };
        self.known();
        let settled = self.lines > WARM && self.fresh < 100;
        self.fresh += if new > 0 { 16 } else { 0 };
        settled && new >= NEW
    }

    /// Learns the words; how many are new?
    fn learn(&mut self, text: &[u8]) -> u32 {
        let (mut new, mut at) = (0, 0);
        while at < text.len() {
            let rest = &text[at..];
            let word = rest.iter().position(|b| !b.is_ascii_alphabetic()).unwrap_or(rest.len());
            at += word + 1;
            // Names and ids hold digits.
            if rest.get(word).is_some_and(u8::is_ascii_digit) {
                at += rest[word + 1..].iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(rest.len());
            } else if word >= 3 && self.words.len() < WORDS {
                let mut hasher = Mix::default();
                hasher.word(rest, word, 0);
                new += u32::from(self.words.insert(hasher.finish()));
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_words_are_new_and_other_names_are_not() {
        let mut novel = Novel::default();
        let names = ["ember", "harbor", "raven", "onyx", "pixel"];
        assert!(!(0..400).any(|i| novel.is_new(format!("job {} for {} took {i}ms", names[i % 5], names[i / 5 % 5]).as_bytes())));
        assert!(novel.is_new(b"switching to read-only mode") && !novel.is_new(b"job sigma for onyx took 3ms"));
        let mut prose = Novel::default();
        let word = |i: u32| char::from(b'a' + (i % 26) as u8);
        assert!(!(0..900)
            .any(|i| prose.is_new(format!("x{0}{1}y z{1}{0} {1}{1}{0}q", word(i), word(i / 26)).replace(char::is_numeric, "").as_bytes())));
    }
}
