//! Which values of a column are unlike the others met so far: bounded, one pass.
//!
//! A table is data, and what an engineer looks for in it is the row that does not fit: a
//! first `Exited` among `Up`, an empty cell, a minus, a `NaN`, a value far off the range.

use crate::cuts::mix::Mix;
use std::hash::Hasher as _;

/// Columns that are watched; wider tables are watched in part.
const COLUMNS: usize = 64;
/// Kinds of values that a column of few values may have.
const KINDS: usize = 12;
/// Values of a column that are needed before anything is odd.
const WARM: u32 = 12;
/// Odd values of a column beyond this many are no longer odd.
const REPORTS: u32 = 24;
/// Values far off the range are reported so often.
const RECORDS: u32 = 5;

/// The columns of a table, or the keys of a record.
#[derive(Default)]
pub struct Profile {
    columns: Vec<Column>,
}

impl Profile {
    /// Is this value unlike the column's others? It is counted either way.
    pub fn is_odd(&mut self, column: usize, value: &[u8]) -> bool {
        if column >= COLUMNS {
            return false;
        }
        if self.columns.len() <= column {
            self.columns.resize_with(column + 1, Column::default);
        }
        self.columns[column].is_odd(value.trim_ascii())
    }
}

/// What is known of a column.
#[derive(Default)]
struct Column {
    values: u32,
    empty: u32,
    numbers: u32,
    minus: u32,
    low: f64,
    high: f64,
    /// Values as they are, and with their digits and units of time masked.
    plain: Kinds,
    masked: Kinds,
    reports: u32,
    records: u32,
    /// Signs that values began with, a bit each.
    signs: u128,
}

impl Column {
    fn is_odd(&mut self, value: &[u8]) -> bool {
        let odd = self.look(value);
        if odd {
            self.reports += 1;
        }
        odd && self.reports <= REPORTS
    }

    fn look(&mut self, value: &[u8]) -> bool {
        let before = self.values;
        let warm = before >= WARM;
        let rare = |n: u32| n * 50 <= before;
        self.values += 1;
        if is_empty(value) {
            self.empty += 1;
            return warm && rare(self.empty - 1);
        }
        let filled = self.values - self.empty;
        // A column that is nearly always empty: what stands there is a remark.
        let mut odd = warm && rare(filled - 1);
        if let Some((ready, of)) = ratio(value) {
            odd |= ready < of;
        }
        match number(value) {
            Some(n) => odd |= self.look_at_number(n, warm),
            None => odd |= warm && self.numbers > 0 && self.numbers + 1 >= filled - filled / 25,
        }
        // `=cmd()`, `<none>`, `#REF!`: a sign that no value began with.
        let sign = value.first().filter(|b| b.is_ascii_punctuation() && !b"-+.'\"/".contains(b)).map_or(0, |b| 1 << b);
        odd |= warm && sign & !self.signs != 0;
        self.signs |= sign;
        let seen = self.plain.count(hash(value));
        let alike = self.masked.count(mask(value));
        let few = |kinds: &Kinds| warm && !kinds.many && before >= 4 * kinds.kinds.len() as u32;
        let new = |n: u32| n == 1 || n <= 3 && n * 50 <= before;
        // Values of a few kinds: with their digits if there are none in what is new, or none
        // varies; a duration is no new kind.
        let words = !value.iter().any(u8::is_ascii_digit);
        if few(&self.plain) && (words || self.plain.kinds.len() <= 2 && self.numbers > 0) {
            odd |= new(seen);
        } else if few(&self.masked) {
            odd |= new(alike);
        }
        odd
    }

    fn look_at_number(&mut self, n: f64, warm: bool) -> bool {
        let before = self.numbers;
        self.numbers += 1;
        if before == 0 {
            (self.low, self.high) = (n, n);
        }
        let mut odd = false;
        if n < 0.0 {
            odd |= warm && self.minus * 50 <= before;
            self.minus += 1;
        }
        let room = (self.high - self.low) * 0.25;
        if warm && before >= WARM && (n > self.high + room || n < self.low - room) && self.records < RECORDS {
            self.records += 1;
            odd = true;
        }
        self.low = self.low.min(n);
        self.high = self.high.max(n);
        odd
    }
}

/// Kinds of values, until there are too many to be kinds.
#[derive(Default)]
struct Kinds {
    kinds: Vec<(u64, u32)>,
    many: bool,
}

impl Kinds {
    fn count(&mut self, hash: u64) -> u32 {
        if self.many {
            return u32::MAX;
        }
        if let Some((_, n)) = self.kinds.iter_mut().find(|k| k.0 == hash) {
            *n += 1;
            return *n;
        }
        if self.kinds.len() >= KINDS {
            self.many = true;
            return u32::MAX;
        }
        self.kinds.push((hash, 1));
        1
    }
}

fn hash(value: &[u8]) -> u64 {
    let mut hasher = Mix::default();
    hasher.write(&value[..value.len().min(120)]);
    hasher.finish()
}

/// Hash of a value without its numbers and units of time: `Up 3 hours` is like `Up 2 days`.
fn mask(value: &[u8]) -> u64 {
    let mut hasher = Mix::default();
    for part in value[..value.len().min(120)].split_inclusive(|b| !b.is_ascii_alphanumeric()) {
        let word = part.strip_suffix(b" ").unwrap_or(part);
        if word.is_empty() || is_time(word) {
            continue;
        }
        let mut in_digits = false;
        for b in part {
            if !b.is_ascii_digit() {
                hasher.write_u8(*b);
            } else if !in_digits {
                hasher.write_u8(b'0');
            }
            in_digits = b.is_ascii_digit();
        }
    }
    hasher.finish()
}

fn is_time(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 12] = [b"second", b"minute", b"hour", b"day", b"week", b"month", b"year", b"About", b"an", b"a", b"Less", b"than"];
    let one = word.strip_suffix(b"s").unwrap_or(word);
    if word.iter().all(u8::is_ascii_digit) || WORDS.contains(&one) {
        return true;
    }
    // `3d4h`, `22m`, `5s`
    word[0].is_ascii_digit() && word.iter().all(|b| b.is_ascii_digit() || b"smhdwy".contains(b))
}

/// Nothing, in the words of the tools that print tables.
pub fn is_empty(value: &[u8]) -> bool {
    matches!(value, b"" | b"-" | b"NULL" | b"null" | b"\\N" | b"<none>" | b"<null>" | b"(null)" | b"None" | b"N/A" | b"n/a" | b"\"\"")
}

/// `0/1`: so many ready of so many.
fn ratio(value: &[u8]) -> Option<(u32, u32)> {
    let at = memchr::memchr(b'/', value)?;
    let part = |digits: &[u8]| {
        let short = (1..=4).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
        short.then(|| digits.iter().fold(0, |n, b| n * 10 + u32::from(b - b'0')))
    };
    Some((part(&value[..at])?, part(&value[at + 1..])?))
}

/// The number that a value is: `-3`, `1,234.50`, `19,99`, `44.7%`, `4.0K`, `250m`, `6 (30m ago)`.
pub fn number(value: &[u8]) -> Option<f64> {
    let value = value.strip_prefix(b"$").unwrap_or(value);
    let (minus, value) = match value {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, value),
    };
    if !value.first()?.is_ascii_digit() {
        return None;
    }
    let len = value.iter().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b',')).count();
    let (digits, unit) = value.split_at(len);
    // The last sign is the decimal point, unless three digits follow a comma.
    let point = digits.iter().rposition(|b| matches!(b, b'.' | b','));
    let point = point.filter(|at| digits[*at] == b'.' || digits.len() - at != 4);
    let (mut n, mut scale) = (0.0, 1.0);
    for (i, b) in digits.iter().enumerate() {
        if b.is_ascii_digit() {
            n = n * 10.0 + f64::from(b - b'0');
            if point.is_some_and(|at| i > at) {
                scale *= 10.0;
            }
        }
    }
    let factor = match unit {
        b"" | b"%" | b"B" | b"s" | b"m" | b"ms" => 1.0,
        b"K" | b"k" | b"Ki" | b"kB" | b"KB" | b"KiB" => 1024.0,
        b"M" | b"Mi" | b"MB" | b"MiB" => 1_048_576.0,
        b"G" | b"Gi" | b"GB" | b"GiB" => 1_073_741_824.0,
        b"T" | b"Ti" | b"TB" | b"TiB" => 1_099_511_627_776.0,
        [b' ', b'(', ..] => 1.0,
        [b'e' | b'E', rest @ ..] if !rest.is_empty() && rest.iter().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+')) => 1.0,
        _ => return None,
    };
    Some(n / scale * factor * if minus { -1.0 } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn odd(usual: &[&str], value: &str) -> bool {
        let mut profile = Profile::default();
        for i in 0..40 {
            profile.is_odd(0, usual[i % usual.len()].as_bytes());
        }
        profile.is_odd(0, value.as_bytes())
    }

    #[test]
    fn what_does_not_fit_is_odd() {
        for (usual, value) in [
            (&["Up 3 hours (healthy)", "Up 2 days (healthy)", "Up 5 days (healthy)"][..], "Up 3 hours (unhealthy)"),
            (&["Running"], "CrashLoopBackOff"),
            (&["1", "7", "9"], "-3"),
            (&["1.5", "7.25", "9.0"], "NaN"),
            (&["1", "7", "9"], ""),
            (&[""], "see ticket 311"),
            (&["120", "300", "211"], "499"),
            (&["2/2"], "1/2"),
            (&["a b", "c d", "e f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q"], "=cmd|x"),
        ] {
            assert!(odd(usual, value), "{value}");
        }
    }

    #[test]
    fn what_fits_is_not() {
        for (usual, value) in [
            (&["Up 3 hours", "Up 2 days"][..], "Up 12 minutes"),
            (&["1", "7", "9"], "8"),
            (&["user1@example.com", "user22@example.com"], "user7@example.com"),
            (&["120", "300", "211"], "301"),
        ] {
            assert!(!odd(usual, value), "{value}");
        }
    }

    #[test]
    fn numbers_are_read() {
        for (text, n) in [("-3", -3.0), ("1,234.5", 1234.5), ("19,99", 19.99), ("4.0K", 4096.0), ("6 (30m ago)", 6.0), ("44.7%", 44.7)] {
            assert_eq!(number(text.as_bytes()), Some(n), "{text}");
        }
        assert!(number(b"NaN").is_none() && number(b"2026-01-02").is_none() && number(b"12:30").is_none());
    }
}
