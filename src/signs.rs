//! Words that hint at a failure or a doubt: one pass over a line, whatever their case.

/// What a line's words hint at. A sign is a reason to look, never a verdict: names of
/// passing tests hold `error` too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signs(u8);

impl Signs {
    /// Something failed: `error`, `panicked`, `denied`, `Killed`, ...
    pub const ERROR: Signs = Signs(1);
    /// Something is doubtful: `warning`, `deprecated`.
    pub const WARNING: Signs = Signs(2);
    const NONE: Signs = Signs(0);

    /// As a number below four.
    pub(crate) fn bits(self) -> u8 {
        self.0
    }

    /// From such a number.
    pub(crate) fn from_bits(bits: u8) -> Self {
        Signs(bits)
    }

    /// Does it hold all of `other`?
    #[must_use]
    pub fn has(self, other: Signs) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A word that makes a sign, whether it is an error's, and where in it, counted from the
/// letter before it, its anchors begin: letters that few other words have. `fail` is searched
/// by `?fai`, `fail` and `ail?`, `traceback` by `aceb`, `ceba` and `ebac`.
struct Word(&'static str, bool, usize);

/// Matched without regard to case, from the start of a word (or of a camel-case hump:
/// `TypeError`, `IOException`).
const WORDS: &[Word] = &[
    Word("error", true, 0),
    Word("fail", true, 0),
    Word("fatal", true, 0),
    Word("panic", true, 0),
    Word("exception", true, 1),
    Word("traceback", true, 3),
    Word("denied", true, 1),
    Word("refused", true, 1),
    Word("killed", true, 1),
    Word("abort", true, 0),
    Word("segmentation fault", true, 10),
    Word("segfault", true, 3),
    Word("core dumped", true, 4),
    Word("not found", true, 3),
    Word("no such file", true, 4),
    Word("cannot", true, 1),
    Word("can't", true, 1),
    Word("could not", true, 4),
    Word("couldn't", true, 4),
    Word("unable to", true, 5),
    Word("undefined reference", true, 8),
    Word("unreachable", true, 3),
    Word("timed out", true, 4),
    Word("timeout", true, 2),
    Word("out of memory", true, 5),
    Word("oomkilled", true, 1),
    Word("no space left", true, 7),
    Word("conflict", true, 3),
    Word("rejected", true, 1),
    Word("invalid", true, 3),
    Word("crash", true, 0),
    Word("unhealthy", true, 1),
    Word("critical", true, 1),
    Word("emerg", true, 1),
    Word("unresolved", true, 1),
    Word("mismatch", true, 1),
    Word("stack overflow", true, 4),
    Word("exit status", true, 1),
    Word("exit code", true, 1),
    Word("exited with code", true, 1),
    Word("non-zero", true, 2),
    Word("warn", false, 0),
    Word("deprecat", false, 1),
];

/// Four letters that are looked for, by their low five bits, and the word that they are of.
#[derive(Clone, Copy)]
struct Anchor {
    letters: u32,
    word: u8,
    /// How many letters of the word stand before them, and one.
    before: u8,
}

/// Places of a text that are looked at: every third. A word of six letters and more has four
/// at one of them, wherever it stands; of a shorter one they may begin before it or end behind
/// it, and then anything may be the fourth.
const STRIDE: usize = 3;

/// The letter of a word at a place counted from the one before it, if it has one there.
const fn letter(word: &Word, at: usize) -> Option<u8> {
    let letters = word.0.as_bytes();
    if at == 0 || at > letters.len() {
        None
    } else {
        Some(letters[at - 1] & 31)
    }
}

const fn count_anchors() -> usize {
    let (mut n, mut i) = (0, 0);
    while i < STRIDE * WORDS.len() {
        let word = &WORDS[i / STRIDE];
        let at = word.2 + i % STRIDE;
        n += if letter(word, at).is_some() && letter(word, at + 3).is_some() { 1 } else { 32 };
        i += 1;
    }
    n
}

const ANCHORS: usize = count_anchors();

/// All anchors, by the high bits of their key: the low ones are the same whatever the last letter is.
static SORTED: ([Anchor; ANCHORS], [u16; 257]) = {
    let mut all = [Anchor { letters: 0, word: 0, before: 0 }; ANCHORS];
    let (mut n, mut i) = (0, 0);
    while i < STRIDE * WORDS.len() {
        let word = &WORDS[i / STRIDE];
        let at = word.2 + i % STRIDE;
        let (mut letters, mut any, mut k) = (0, None, 0);
        while k < 4 {
            match letter(word, at + k) {
                Some(letter) => letters |= (letter as u32) << (8 * k),
                None => any = Some(8 * k),
            }
            k += 1;
        }
        let mut other = 0;
        while other < 32 {
            let letters = letters | if let Some(shift) = any { other << shift } else { 0 };
            all[n] = Anchor { letters, word: (i / STRIDE) as u8, before: at as u8 };
            n += 1;
            other += if any.is_some() { 1 } else { 32 };
        }
        i += 1;
    }
    assert!(n == ANCHORS);
    let (mut sorted, mut starts) = (all, [0; 257]);
    let (mut to, mut high) = (0, 0);
    while high < 256 {
        let mut from = 0;
        while from < ANCHORS {
            if key(all[from].letters) >> 8 == high {
                sorted[to] = all[from];
                to += 1;
            }
            from += 1;
        }
        high += 1;
        starts[high] = to as u16;
    }
    (sorted, starts)
};

/// A bit for each anchor's key: one look-up for three bytes says no to almost all of them,
/// whatever their case.
static BITS: [u64; 1024] = {
    let mut bits = [0; 1024];
    let mut i = 0;
    while i < ANCHORS {
        let key = key(SORTED.0[i].letters);
        bits[key >> 6] |= 1 << (key & 63);
        i += 1;
    }
    bits
};

/// The low five bits of seven letters: those of `e` and `E` are the same.
const LETTERS: u64 = 0x001f_1f1f_1f1f_1f1f;

/// Sixteen bits of four letters.
const fn key(letters: u32) -> usize {
    (letters.wrapping_mul(0x9e37_79b1) >> 16) as usize
}

/// Is either of the places in eight bytes, given by the letters from there on, an anchor's?
fn may_anchor(letters: u64) -> bool {
    (bit(key(letters as u32)) | bit(key((letters >> (8 * STRIDE)) as u32))) & 1 == 1
}

/// The lowest bit says whether any anchor has this key.
fn bit(key: usize) -> u64 {
    BITS[key >> 6] >> (key & 63)
}

/// The signs of a line's words.
pub(crate) fn signs_of(text: &[u8]) -> Signs {
    let mut signs = Signs::NONE;
    let mut found = |word: &Word, from| {
        if stands_alone(text, from, from + word.0.len()) {
            signs.0 |= if word.1 { Signs::ERROR.0 } else { Signs::WARNING.0 };
        }
    };
    let mut rest = text;
    // Two places in eight bytes.
    while let Some(eight) = rest.first_chunk::<8>() {
        let letters = u64::from_le_bytes(*eight) & LETTERS;
        if may_anchor(letters) {
            words_near(text, text.len() - rest.len(), letters, &mut found);
        }
        rest = &rest[2 * STRIDE..];
    }
    // What is left, with nothing behind it.
    let letters = match text.last_chunk::<8>() {
        Some(eight) => u64::from_le_bytes(*eight) >> (8 * (8 - rest.len())),
        None => rest.iter().rev().fold(0, |letters, b| letters << 8 | u64::from(*b)),
    };
    words_near(text, text.len() - rest.len(), letters & LETTERS, &mut found);
    signs
}

/// Up to where a text of many lines holds no word that makes a sign: a line that ends there,
/// or before, has none. One pass over all of them costs less than one over each.
pub(crate) fn wordless(text: &[u8]) -> usize {
    let mut rest = text;
    // Four places at once.
    while rest.len() >= 16 {
        let two = [0, 2 * STRIDE].map(|from| rest[from..].first_chunk::<8>().map_or(0, |b| u64::from_le_bytes(*b) & LETTERS));
        if may_anchor(two[0]) | may_anchor(two[1]) {
            let (mut first, at) = (usize::MAX, text.len() - rest.len());
            words_near(text, at, two[0], &mut |_, from| first = first.min(from));
            words_near(text, at + 2 * STRIDE, two[1], &mut |_, from| first = first.min(from));
            if first < usize::MAX {
                return first;
            }
        }
        rest = &rest[4 * STRIDE..];
    }
    // A word that goes on here ends behind it.
    text.len() - rest.len()
}

/// The words that have letters at `at`, or at the next place that is looked at: where each begins.
fn words_near(text: &[u8], at: usize, letters: u64, found: &mut impl FnMut(&Word, usize)) {
    words_at(text, at, letters as u32, found);
    words_at(text, at + STRIDE, (letters >> (8 * STRIDE)) as u32, found);
}

/// The words that have these letters, which stand at `at`.
fn words_at(text: &[u8], at: usize, letters: u32, found: &mut impl FnMut(&Word, usize)) {
    let key = key(letters);
    if bit(key) & 1 == 0 {
        return;
    }
    let high = key >> 8;
    let (anchors, starts) = (&SORTED.0, &SORTED.1);
    for anchor in &anchors[usize::from(starts[high])..usize::from(starts[high + 1])] {
        let word = &WORDS[usize::from(anchor.word)];
        let from = (at + 1).checked_sub(usize::from(anchor.before)).filter(|_| anchor.letters == letters);
        let Some(from) = from else { continue };
        if text.get(from..from + word.0.len()).is_some_and(|t| t.eq_ignore_ascii_case(word.0.as_bytes())) {
            found(word, from);
        }
    }
}

/// Is the word at `from..to` said of something, or only part of a name or a zero count?
/// `0 errors`, `no errors`, `errors=0`, `error_log`, `on_error`, `"error": null` are no signs.
fn stands_alone(text: &[u8], from: usize, to: usize) -> bool {
    let before = &text[..from];
    if let Some(&b) = before.last() {
        let hump = text[from].is_ascii_uppercase() && b.is_ascii_lowercase() || b.is_ascii_uppercase() && text[from].is_ascii_uppercase();
        if b == b'_'
            || b == b'-' && before.len() > 1 && before[before.len() - 2].is_ascii_alphanumeric()
            || b.is_ascii_alphanumeric() && !hump
        {
            return false;
        }
        let said = before.trim_ascii_end();
        if said.len() < before.len() {
            let word = said.rsplit(|c| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
            if matches!(word, b"0" | b"no" | b"No" | b"without" | b"zero") && !said.ends_with(b".0") {
                return false;
            }
        }
    }
    let rest = &text[to..];
    let word_end = rest.iter().position(|c| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let mut rest = &rest[word_end..];
    if rest.starts_with(b"_") || rest.starts_with(b"-") && rest.get(1).is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    while let [b'"' | b'\'' | b' ' | b':' | b'=', tail @ ..] = rest {
        rest = tail;
    }
    let zero = rest.first() == Some(&b'0') && !rest.get(1).is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'.');
    !(zero || rest.starts_with(b"null") || rest.starts_with(b"[]") || rest.starts_with(b"false") || rest.starts_with(b"None"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Line;

    fn is_error(text: &str) -> bool {
        Line::new(text.as_bytes(), 1).is_error()
    }

    #[test]
    fn each_word_is_found_wherever_it_stands() {
        for Word(word, is_error, _) in WORDS {
            for (before, after) in (0..9).flat_map(|b| (0..9).map(move |a| (b, a))) {
                let text = format!("{}{}{}", ".".repeat(before), word.to_uppercase(), "!".repeat(after));
                assert_eq!(Line::new(text.as_bytes(), 1).signs(), if *is_error { Signs::ERROR } else { Signs::WARNING }, "{text}");
            }
        }
    }

    #[test]
    fn lines_before_a_word_have_no_signs() {
        for Word(word, ..) in WORDS {
            for (before, after) in (0..9).flat_map(|b| (0..20).map(move |a| (b, a))) {
                let head = format!("line\n{}\n", ".".repeat(before));
                let end = wordless(format!("{head}{word}\n{}", "!".repeat(after)).as_bytes());
                assert!(end + 1 >= head.len() || end + 16 > head.len() + word.len() + 1 + after, "{word} {before} {after}");
                assert!(end < head.len() + word.len(), "{word} {before} {after}");
            }
        }
    }

    #[test]
    fn words_that_fail_are_signs() {
        for text in [
            "error: x",
            "java.io.IOException: y",
            "E   TypeError: z",
            "Killed",
            "3 failed",
            "make: *** [a] Error 1",
            "10 errors",
            "exit status 2",
        ] {
            assert!(is_error(text), "{text}");
        }
    }

    #[test]
    fn names_and_zeros_are_not() {
        for text in [
            "0 errors",
            "errors=0",
            "no errors found",
            "test_error_path ok",
            "\"error\": null",
            "Failures: 0,",
            "exit status: 0",
            "exited with code 0",
            "on_error()",
            "terror",
        ] {
            assert!(!is_error(text), "{text}");
        }
    }
}
