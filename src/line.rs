//! A cleaned line and the signs it carries.

pub use crate::signs::Signs;

use crate::signs::signs_of;
use std::cell::Cell;

/// One cleaned line, lent for the length of a call: no escapes, no line end.
pub struct Line<'a> {
    /// The bytes. When `hole` is set, the bytes before it and after it are the two
    /// ends of a line too long to be held.
    pub text: &'a [u8],
    /// Where bytes are missing inside, and how many.
    pub hole: Option<Hole>,
    /// False for a last line without a line end.
    pub ended: bool,
    /// Number of the line in the cleaned input, from 1.
    pub number: u64,
    /// The line as it came, carrier's prefix included; `text` is its end.
    whole: &'a [u8],
    signs: Cell<Option<Signs>>,
    /// No word of it makes a sign, nor of any part of it.
    wordless: bool,
    told: Cell<Option<Told>>,
}

/// Tells the kind of a line and its stem, as hashes, from the line alone.
pub type Teller = fn(&Line<'_>) -> (u64, u64);

/// Who has told a line's kind and stem, and what they are.
type Told = (Teller, (u64, u64));

/// What a line is besides its text: enough to lend it again from a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub hole: Option<Hole>,
    pub ended: bool,
    pub number: u64,
    pub signs: Option<Signs>,
    pub wordless: bool,
    pub told: Option<Told>,
}

/// Bytes left out of the middle of an over-long line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// Byte offset in the text at which they are missing.
    pub at: usize,
    /// How many are missing.
    pub bytes: u64,
}

impl<'a> Line<'a> {
    /// A line of the cleaned input.
    #[must_use]
    pub fn new(text: &'a [u8], number: u64) -> Self {
        Line { text, hole: None, ended: true, number, whole: text, signs: Cell::new(None), wordless: false, told: Cell::new(None) }
    }

    /// A line of the cleaned input; `wordless`: no word of it makes a sign, as somebody has seen.
    #[inline]
    pub(crate) fn looked_at(text: &'a [u8], number: u64, wordless: bool) -> Self {
        Line { wordless, signs: Cell::new(wordless.then(Signs::default)), ..Line::new(text, number) }
    }

    /// What the line as it came is besides its bytes.
    pub(crate) fn frame(&self) -> Frame {
        let at = self.prefix();
        let hole = self.hole.map(|h| Hole { at: h.at + at, ..h });
        Frame {
            hole,
            ended: self.ended,
            number: self.number,
            signs: if at == 0 { self.signs.get() } else { None },
            wordless: self.wordless,
            told: if at == 0 { self.told.get() } else { None },
        }
    }

    pub(crate) fn framed(text: &'a [u8], frame: Frame) -> Self {
        Line {
            text,
            hole: frame.hole,
            ended: frame.ended,
            number: frame.number,
            whole: text,
            signs: Cell::new(frame.signs),
            wordless: frame.wordless,
            told: Cell::new(frame.told),
        }
    }

    /// The line as it came, lent again without the first `prefix` bytes in front of its text.
    #[must_use]
    pub fn behind(&self, prefix: usize) -> Line<'a> {
        let frame = self.frame();
        let whole = Line::framed(self.whole, frame);
        if prefix == 0 || prefix > self.whole.len() || frame.hole.is_some_and(|h| h.at < prefix) {
            return whole;
        }
        let hole = frame.hole.map(|h| Hole { at: h.at - prefix, ..h });
        let signs = self.wordless.then(Signs::default);
        Line { text: &self.whole[prefix..], hole, signs: Cell::new(signs), told: Cell::new(None), ..whole }
    }

    /// How many bytes of the line stand before its text: a carrier's prefix.
    #[must_use]
    pub fn prefix(&self) -> usize {
        self.whole.len() - self.text.len()
    }

    /// The line as it came.
    #[must_use]
    pub fn whole(&self) -> &'a [u8] {
        self.whole
    }

    /// The line's bytes with its line end, those missing inside included.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.whole.len() as u64 + u64::from(self.ended) + self.hole.map_or(0, |h| h.bytes)
    }

    /// Does it start with `prefix`?
    #[must_use]
    pub fn starts(&self, prefix: &str) -> bool {
        self.text.starts_with(prefix.as_bytes())
    }

    /// Does it end with `suffix`?
    #[must_use]
    pub fn ends(&self, suffix: &str) -> bool {
        self.text.ends_with(suffix.as_bytes())
    }

    /// Does it hold `part` anywhere? Costs a search: ask for prefixes first.
    #[must_use]
    pub fn has(&self, part: &str) -> bool {
        find(self.text, part.as_bytes()).is_some()
    }

    /// What follows `prefix`, if the line starts with it.
    #[must_use]
    pub fn after(&self, prefix: &str) -> Option<&'a [u8]> {
        self.text.strip_prefix(prefix.as_bytes())
    }

    /// How many blanks (spaces or tabs) it starts with.
    #[must_use]
    pub fn indent(&self) -> usize {
        self.text.iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
    }

    /// The line without the blanks around it.
    #[must_use]
    pub fn trimmed(&self) -> &'a [u8] {
        self.text.trim_ascii()
    }

    /// Nothing but blanks?
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.trimmed().is_empty()
    }

    /// The signs, looked for once a line and only when asked for.
    #[must_use]
    pub fn signs(&self) -> Signs {
        if let Some(signs) = self.signs.get() {
            return signs;
        }
        let signs = signs_of(self.text);
        self.signs.set(Some(signs));
        signs
    }

    /// Is it known that no word of it makes a sign, nor of any part of it?
    pub(crate) fn is_wordless(&self) -> bool {
        self.wordless
    }

    /// The kind and stem that this teller has told ahead, if it has.
    #[must_use]
    pub fn told(&self, teller: Teller) -> Option<(u64, u64)> {
        self.told.get().filter(|told| std::ptr::fn_addr_eq(told.0, teller)).map(|told| told.1)
    }

    /// Does it carry an error sign?
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.signs().has(Signs::ERROR)
    }
}

/// Where `part` stands in `text`. For one short search in one line: nothing is prepared, and
/// the scan goes for the part's least usual byte.
#[must_use]
pub fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let usual = |b: &u8| b.is_ascii_lowercase() || matches!(b, b' ' | b'.' | b':');
    let at = part.iter().position(|b| !usual(b)).or_else(|| part.iter().position(|b| *b != b' ')).unwrap_or(0);
    let Some(&byte) = part.get(at) else { return Some(0) };
    let last = text.len().checked_sub(part.len())?;
    memchr::memchr_iter(byte, &text[at..=last + at]).find(|i| text[*i..].starts_with(part))
}

/// Is `word` one of the words of a list with a blank between them?
#[must_use]
pub fn lists(list: &str, word: &[u8]) -> bool {
    let list = list.as_bytes();
    let Some(first) = word.first() else { return false };
    let starts = memchr::memchr_iter(*first, list).filter(|at| *at == 0 || list[at - 1] == b' ');
    starts.filter_map(|at| list[at..].strip_prefix(word)).any(|rest| matches!(rest.first(), None | Some(b' ')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found() {
        let text = b"a (b) a (c) x::y";
        for part in ["a", "(c)", "x::y", " a (", "y", "zz", "a (b) a (c) x::y and more"] {
            assert_eq!(find(text, part.as_bytes()), memchr::memmem::find(text, part.as_bytes()), "{part}");
        }
        assert_eq!(find(b"", b""), Some(0));
    }

    #[test]
    fn words_of_a_list_are_whole() {
        assert!(["cat", "at", "catch"].iter().all(|w| lists("cat at catch", w.as_bytes())));
        assert!(!["", "c", "atc", "catc", "ch"].iter().any(|w| lists("cat at catch", w.as_bytes())));
    }

    #[test]
    fn a_prefix_is_before_the_text_and_counts() {
        let long = Line { hole: Some(Hole { at: 9, bytes: 100 }), ..Line::new(b"web-1  | error: x", 1) };
        let line = long.behind(9);
        assert_eq!((line.text, line.prefix(), line.bytes()), (b"error: x".as_slice(), 9, long.bytes()));
        assert_eq!(line.hole.map(|h| h.at), Some(0));
        let again = line.behind(0);
        assert_eq!((again.text, again.hole), (long.text, long.hole));
    }
}
