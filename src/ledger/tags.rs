//! What omitted lines were: a noun of the cut, or bytes of the line itself.

use crate::cuts::mix::Mix;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// Stands for a word in the markers.
pub type Tag = u16;

/// Keys beyond this many are counted together.
const KEYS: usize = 1_000;
/// A key is named by at most so many bytes.
const KEY_BYTES: usize = 48;

/// Every word once.
#[derive(Clone)]
pub struct Tags {
    words: Vec<Box<[u8]>>,
    nouns: Vec<(&'static str, Tag)>,
    keys: HashMap<Box<[u8]>, Tag, BuildHasherDefault<Mix>>,
    /// How often each word was met, as a key.
    counts: Vec<u32>,
    /// The key that was met last, as most come in a row; and its tag, if it has one of its own.
    last: Vec<u8>,
    last_tag: Option<Tag>,
}

impl Default for Tags {
    fn default() -> Self {
        Tags { words: vec![Box::default()], nouns: Vec::new(), keys: HashMap::default(), counts: vec![0], last: Vec::new(), last_tag: None }
    }
}

impl Tags {
    /// No word: counted as a line and no more.
    pub const NONE: Tag = 0;

    /// The tag of a cut's noun.
    pub fn noun(&mut self, noun: &'static str) -> Tag {
        // A handful of nouns a cut: comparing addresses first is quicker than hashing.
        if let Some((_, tag)) = self.nouns.iter().find(|(n, _)| std::ptr::eq(*n, noun) || *n == noun) {
            return *tag;
        }
        let tag = self.add(noun.as_bytes());
        self.nouns.push((noun, tag));
        tag
    }

    /// The tag of a key out of a line, and how often it has been met, this time included.
    pub fn key(&mut self, key: &[u8]) -> (Tag, u32) {
        let key = &key[..super::fit::floor_char(key, KEY_BYTES)];
        if self.last != key || self.last_tag.is_none() && self.keys.len() < KEYS {
            self.last_tag = self.find(key);
            self.last.clear();
            self.last.extend_from_slice(key);
        }
        // At the bound one keeps: who knows what the new key stands for.
        let Some(tag) = self.last_tag else { return (self.noun("others"), 1) };
        let count = &mut self.counts[usize::from(tag)];
        *count += 1;
        (tag, *count)
    }

    /// The tag of a key's own, for as long as there are some.
    fn find(&mut self, key: &[u8]) -> Option<Tag> {
        if let Some(tag) = self.keys.get(key) {
            return Some(*tag);
        }
        if self.keys.len() >= KEYS {
            return None;
        }
        let tag = self.add(key);
        self.keys.insert(key.into(), tag);
        Some(tag)
    }

    /// Is it bytes of a line, and not a noun of a cut?
    pub fn is_key(&self, tag: Tag) -> bool {
        tag != Tags::NONE && !self.nouns.iter().any(|(_, noun)| *noun == tag)
    }

    /// The word of a tag.
    pub fn word(&self, tag: Tag) -> &[u8] {
        &self.words[usize::from(tag)]
    }

    fn add(&mut self, word: &[u8]) -> Tag {
        let tag = Tag::try_from(self.words.len()).unwrap_or(Tags::NONE);
        if tag != Tags::NONE {
            self.words.push(word.into());
            self.counts.push(0);
        }
        tag
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_counted_in_a_row_or_not_and_new_ones_beyond_the_bound_together() {
        let mut tags = Tags::default();
        let met: Vec<_> = [b"a", b"a", b"b", b"a", b"b"].map(|key| tags.key(key)).to_vec();
        assert_eq!(met, [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2)]);
        for i in 2..KEYS {
            tags.key(format!("key {i}").as_bytes());
        }
        let other = tags.key(b"one more");
        assert_eq!((other, tags.key(b"one more"), tags.key(b"yet another")), ((other.0, 1), other, other));
        assert_eq!(tags.key(b"a"), (1, 4));
        assert_eq!(tags.word(other.0), b"others");
    }
}
