//! Neighbours alike after masking numbers: retries, polls, verbose copies.

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::digits;
use crate::cuts::mix::Mix;
use crate::hint::Hint;
use crate::line::{Line, Signs};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher as _};

/// The row.
pub const SHAPE: Shape = Shape {
    name: "repeat",
    dialect: "alike",
    about: "near-identical lines: two of a kind, the last, and whatever is unlike them",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Alike::default()),
};

/// Fewer lines than this prove nothing.
const LEAST: usize = 40;
/// How far back a line's like may stand: a retry prints a few lines each time.
const CYCLE: usize = 5;
/// More kinds than this in a window are no mere repetition.
const FEW: usize = 12;
/// Kinds that are told apart; beyond that a line is a new one, and so kept.
const KINDS: usize = 512;
/// Lines at places in so many files or more are a list; in fewer they are a program's log.
const FILES: usize = 3;
/// Lines of a kind that are shown.
const SAMPLES: u32 = 2;

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let mut last = [0_u64; CYCLE];
    let mut kinds = Vec::new();
    let (mut told, mut like, mut rows, mut places, mut files) = (0, 0, 0, 0, Vec::new());
    for line in lines.iter().filter(|l| !l.is_blank()) {
        let kind = kind(line.text).0;
        told += 1;
        like += usize::from(last.contains(&kind));
        let at = located(line.text);
        rows += usize::from(is_data(line.text));
        places += usize::from(at.is_some());
        if let Some(at) = at.filter(|at| files.len() < FILES && !files.contains(at)) {
            files.push(at);
        }
        last[told % CYCLE] = kind;
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
        if kinds.len() > FEW {
            return false;
        }
    }
    told >= LEAST && like * 100 >= told * 85 && rows * 2 < told && (places * 2 < told || files.len() < FILES)
}

/// Is the line mostly numbers and signs, or in columns? Then it is data, and each row may
/// matter; as do the frames of a trace.
fn is_data(text: &[u8]) -> bool {
    if matches!(text[0], b' ' | b'\t' | b'#') || text.contains(&b'\t') || crate::line::find(text, b"   ").is_some() {
        return true;
    }
    let letters = text.iter().filter(|b| b.is_ascii_alphabetic() || **b >= 0x80).count();
    let digits = text.iter().filter(|b| b.is_ascii_digit()).count();
    letters < 8 || digits > letters
}

/// Does it begin with a commit's hash or a place in a file? Such a list was asked for, row
/// by row: `94cf810d|Ann B|...`, `src/a.rs:57: leftover conflict marker`, `a.cs(12,3): x`.
fn located(text: &[u8]) -> Option<&[u8]> {
    let hash = text.iter().take_while(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(*b)).count();
    let mixed = |id: &[u8]| id.iter().any(u8::is_ascii_digit) && id.iter().any(u8::is_ascii_alphabetic);
    if (7..=64).contains(&hash) && mixed(&text[..hash]) && !text.get(hash).is_some_and(u8::is_ascii_alphanumeric) {
        return Some(&text[..hash]);
    }
    let word = text.iter().take(200).take_while(|b| **b != b' ').count();
    let word = &text[..word];
    let place = |at: usize| word.get(at + 1).is_some_and(u8::is_ascii_digit) && word[..at].iter().any(|b| matches!(b, b'.' | b'/'));
    let file = |at: usize| word[..at].iter().rev().take_while(|b| **b != b'.').all(u8::is_ascii_alphabetic);
    memchr::memchr_iter(b':', word)
        .chain(memchr::memchr_iter(b'(', word))
        .find(|at| *at > 2 && place(*at) && file(*at))
        .map(|at| &word[..at])
}

/// What a byte is to a kind.
mod class {
    /// Neither of the others.
    pub const SIGN: u8 = 0;
    /// A digit,
    pub const DIGIT: u8 = 1;
    /// a letter that may be one,
    pub const TO_F: u8 = 2;
    /// and one that may not.
    pub const PAST_F: u8 = 4;
}

const CLASSES: [u8; 256] = {
    let mut classes = [class::SIGN; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'0'..=b'9' => class::DIGIT,
            b'a'..=b'f' | b'A'..=b'F' => class::TO_F,
            b'g'..=b'z' | b'G'..=b'Z' => class::PAST_F,
            _ => class::SIGN,
        };
        byte += 1;
    }
    classes
};

/// The line with its numbers masked, as a hash; and whether one of them was not. Numbers of unlike size stay apart, as do
/// those that say how something ended (`status 500`, `exit code 3`, `" 502 `).
fn kind(text: &[u8]) -> (u64, bool) {
    let mut hasher = Mix::default();
    let (mut i, mut told) = (0, false);
    let text = text.get(..400).unwrap_or(text);
    while i < text.len() {
        let (mut end, mut all) = (i, 0);
        while let Some(byte) = text.get(end) {
            let class = CLASSES[usize::from(*byte)];
            if class == class::SIGN {
                break;
            }
            all |= class;
            end += 1;
        }
        let (token, word) = (&text[i..end], end - i);
        if word == 0 {
            if !(text[i] == b' ' && i > 0 && text[i - 1] == b' ') {
                hasher.write_u8(text[i]);
            }
            i += 1;
            continue;
        }
        if all & class::DIGIT == 0 {
            hasher.word(&text[i..], word, 0);
        } else if all == class::DIGIT && ends_something(&text[..i]) {
            hasher.word(&text[i..], word, 0);
            told = true;
        } else if all == class::DIGIT {
            hasher.write_u8(match word {
                _ if i > 0 && text[i - 1] == b'.' => b'0',
                1..=2 => b'1',
                3..=4 => b'3',
                _ => b'9',
            });
        } else if word >= 6 && all & class::PAST_F == 0 {
            hasher.write_u8(b'#');
        } else {
            // file12, x3: the letters stay.
            let mut was = false;
            for b in token {
                if !b.is_ascii_digit() {
                    hasher.write_u8(*b);
                } else if !was {
                    hasher.write_u8(b'0');
                }
                was = b.is_ascii_digit();
            }
        }
        i = end;
    }
    (hasher.finish(), told)
}

/// Does a number after this text say how something ended?
fn ends_something(before: &[u8]) -> bool {
    if before.ends_with(b"\" ") {
        return true;
    }
    let said = before.trim_ascii_end();
    let said = said.strip_suffix(b":").or(said.strip_suffix(b"=")).unwrap_or(said).trim_ascii_end();
    // The words, by their last letter.
    let words: &[&[u8]] = match said.last().map(u8::to_ascii_lowercase) {
        Some(b's') => &[b"status"],
        Some(b'e') => &[b"code"],
        Some(b't') => &[b"exit"],
        Some(b'l') => &[b"signal"],
        Some(b'o') => &[b"errno"],
        Some(b'c') => &[b"rc"],
        Some(b'p') => &[b"http"],
        _ => &[],
    };
    words.iter().any(|w| said.len() >= w.len() && said[said.len() - w.len()..].eq_ignore_ascii_case(w))
}

/// Numbers of a line that are watched.
const NUMBERS: usize = 10;
/// A number that was the same so often is not expected to change.
const STEADY: u32 = 5;
/// Changes after which it is a number like any other.
const CHANGES: u32 = 8;

/// What the lines of a kind have in common.
#[derive(Default)]
struct Kind {
    count: u32,
    numbers: Vec<Number>,
}

/// One number of a kind's lines: `0 failed` a hundred times, and once `3 failed`.
#[derive(Clone, Copy)]
struct Number {
    usual: u64,
    met: u32,
    changes: u32,
}

impl Kind {
    /// Counts a line with these numbers; is one of them not what it has always been?
    fn take(&mut self, numbers: impl Iterator<Item = u64>) -> bool {
        self.count += 1;
        let mut odd = false;
        for (i, value) in numbers.enumerate() {
            let Some(number) = self.numbers.get_mut(i) else {
                self.numbers.push(Number { usual: value, met: 1, changes: 0 });
                continue;
            };
            if number.usual == value {
                number.met += 1;
            } else if number.met < STEADY {
                number.changes = CHANGES;
            } else if number.changes < CHANGES {
                number.changes += 1;
                odd = true;
            }
        }
        odd
    }
}

/// The last line and its kind: most often the next one differs from it in digits alone.
#[derive(Default)]
struct Last {
    text: Vec<u8>,
    kind: u64,
    /// A number in it tells its kind.
    told: bool,
    /// Where its first runs of digits stand.
    runs: Vec<(usize, usize)>,
}

impl Last {
    /// Takes the next line, and tells its kind.
    fn next(&mut self, text: &[u8]) -> u64 {
        let same = digits::alone(text, &self.text);
        if !same || self.told {
            (self.kind, self.told) = kind(text);
        }
        if !same {
            self.text.clear();
            self.text.extend_from_slice(text);
            self.runs.clear();
            self.runs.extend(runs(text).take(NUMBERS));
        }
        self.kind
    }

    /// The first numbers of the line that was taken last, whose text this is.
    fn numbers<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = u64> + 'a {
        let value = |run: &[u8]| run.iter().fold(0u64, |n, digit| n.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')));
        self.runs.iter().map(move |&(from, to)| value(&text[from..to]))
    }
}

/// Where runs of digits stand in a line.
fn runs(text: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let from = at + text[at..].iter().position(u8::is_ascii_digit)?;
        at = from + text[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        Some((from, at))
    })
}

#[derive(Default)]
struct Alike {
    last: Last,
    kinds: HashMap<u64, Kind, BuildHasherDefault<Mix>>,
    /// Parked in a row, new kinds in a row, odd ones shown.
    parked: u32,
    fresh: u32,
    odd: u32,
    lines: u32,
    /// An error was passed on; frames may follow it.
    broken: bool,
}

impl Cut for Alike {
    fn yields(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        self.lines += 1;
        let kind = self.last.next(line.text);
        let room = self.kinds.len() < KINDS;
        let known = if room { Some(self.kinds.entry(kind).or_default()) } else { self.kinds.get_mut(&kind) };
        let (odd, count) = known.map_or((false, 1), |kind| (kind.take(self.last.numbers(line.text)), kind.count));
        if odd {
            return Verdict::KeepWith { rank: Rank::Top, lines: 1, with: Rank::Detail };
        }
        if count > SAMPLES {
            (self.fresh, self.broken) = (0, false);
            self.parked += 1;
            return Verdict::Spare("repeated lines");
        }
        if count == 1 {
            self.fresh += 1;
        }
        // The text has changed its nature: others may know it.
        if self.fresh > 8 && self.lines > 30 {
            return Verdict::Pass;
        }
        // What breaks the monotony may be another tool's to tell: a trace, a failing test.
        if count == 1 && self.lines > 20 && (line.is_error() || self.broken && line.text.starts_with(b"\t")) {
            (self.parked, self.broken) = (0, true);
            return Verdict::Pass;
        }
        let rank = if line.signs().has(Signs::ERROR) {
            Rank::Top
        } else if self.lines <= 20 || count > 1 {
            Rank::Detail
        } else {
            self.odd += 1;
            if self.odd <= 40 {
                Rank::Body
            } else {
                Rank::Edge
            }
        };
        match std::mem::take(&mut self.parked) {
            0 => Verdict::Keep(rank),
            _ => Verdict::KeepWith { rank, lines: 1, with: Rank::Detail },
        }
    }

    fn end(&mut self) -> (u16, Rank) {
        (if self.parked > 0 { 2 } else { 0 }, Rank::Body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    fn polls(n: u32) -> String {
        (1..=n).map(|i| format!("waiting for db:5432 ... attempt {i}/300\n")).collect()
    }

    #[test]
    fn two_and_the_last_stay() {
        let text = polls(6) + "db did not come up";
        assert_eq!(marks(&SHAPE, &text), "DDssssD");
        assert!(sniffs(&SHAPE, &polls(60)));
    }

    #[test]
    fn a_number_that_never_changed_is_watched() {
        let rows = |i: u32| format!("suite {i} finished: 12 passed, {} failed", if i == 30 { 3 } else { 0 });
        let text: Vec<String> = (1..=40).map(rows).collect();
        let said = marks(&SHAPE, &text.join("\n"));
        assert_eq!((&said[29..30], said.matches('T').count()), ("T", 1), "{said}");
    }

    #[test]
    fn a_status_is_no_number() {
        assert_ne!(kind(b"GET /a HTTP/1.1\" 200 12"), kind(b"GET /a HTTP/1.1\" 500 12"));
        assert_eq!(kind(b"step 3 of 20"), kind(b"step 4 of 20"));
        assert_ne!(kind(b"time=12 ms"), kind(b"time=91234 ms"));
        let mut last = Last::default();
        for text in ["a1 b 17", "a2 b 93", "exit 17", "exit 93", "a12 b 7", "c 17", "c d7", "c 17"] {
            assert_eq!(last.next(text.as_bytes()), kind(text.as_bytes()).0, "{text}");
        }
    }

    #[test]
    fn places_and_commits_are_data() {
        for text in ["94cf810d84c8|Ann B|x", "src/a.rs:57: leftover conflict marker", "C:\\a\\b1.cs(12,3): warning CS0168: x"] {
            assert!(located(text.as_bytes()).is_some(), "{text}");
        }
        assert!([b"waiting for db:5432 ... attempt 3/300".as_slice(), b"12:30:01 retry", b"deadbeef x"]
            .iter()
            .all(|t| located(t).is_none()));
    }

    #[test]
    fn data_and_prose_are_not_taken() {
        let rows: String = (1..90).map(|i| format!("{i},{},3.5\n", i * 7)).collect();
        assert!(!sniffs(&SHAPE, &rows));
        assert!(!sniffs(&SHAPE, &"a line of prose\nand another one\nthat is short\nfour\nfive\nsix".repeat(2)));
    }
}
