//! Which values of a column are unlike the others met so far: bounded, one pass.
//!
//! A table is data, and what an engineer looks for in it is the row that does not fit: a
//! first `Exited` among `Up`, an empty cell, a minus, a `NaN`, a value far off the range.

mod form;

pub use form::number;

use crate::cuts::mix::Mix;
use form::{ratio, Forms};
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
    forms: Forms,
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
        let form = self.forms.of(value, !self.masked.many);
        if form.is_ratio {
            odd |= ratio(value).is_some_and(|(ready, of)| ready < of);
        }
        // `=cmd()`, `<none>`, `#REF!`: a sign that no value began with.
        odd |= warm && form.sign & !self.signs != 0;
        self.signs |= form.sign;
        let seen = self.plain.count(|| hash(value));
        let alike = self.masked.count(|| form.mask);
        let has_digits = form.has_digits;
        match form.number.map(|n| n.read(value)) {
            Some(n) => odd |= self.look_at_number(n, warm),
            None => odd |= warm && self.numbers > 0 && self.numbers + 1 >= filled - filled / 25,
        }
        let few = |kinds: &Kinds| warm && !kinds.many && before >= 4 * kinds.kinds.len() as u32;
        let new = |n: u32| n == 1 || n <= 3 && n * 50 <= before;
        // Values of a few kinds: with their digits if there are none in what is new, or none
        // varies; a duration is no new kind.
        if few(&self.plain) && (!has_digits || self.plain.kinds.len() <= 2 && self.numbers > 0) {
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
    /// How often a value of this hash was met, this time included.
    fn count(&mut self, hash: impl FnOnce() -> u64) -> u32 {
        if self.many {
            return u32::MAX;
        }
        let hash = hash();
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

/// Nothing, in the words of the tools that print tables.
pub fn is_empty(value: &[u8]) -> bool {
    matches!(value, b"" | b"-" | b"NULL" | b"null" | b"\\N" | b"<none>" | b"<null>" | b"(null)" | b"None" | b"N/A" | b"n/a" | b"\"\"")
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
