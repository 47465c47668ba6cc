//! What a value looks like, whatever its digits are.
//!
//! All that a column asks about a value but the number that it is follows from its form, and
//! a column has few forms: they are remembered, so that a value is taken apart once a form.

use crate::cuts::mix::{short, Mix};
use std::hash::Hasher as _;

/// Forms of a column that are remembered; a power of two.
const FORMS: usize = 16;

/// What a value is besides its digits.
#[derive(Clone, Copy, Default)]
pub struct Form {
    /// Hash of the value with its digits as noughts, and its length.
    key: u64,
    len: usize,
    /// Hash of the value with its digits and units of time masked.
    pub mask: u64,
    /// How the number that it is is read.
    pub number: Option<Number>,
    /// The sign that it begins with, as a bit.
    pub sign: u128,
    pub has_digits: bool,
    pub is_ratio: bool,
}

impl Form {
    fn new(value: &[u8], key: u64, masked: bool) -> Form {
        let sign = value.first().filter(|b| b.is_ascii_punctuation() && !b"-+.'\"/".contains(b)).map_or(0, |b| 1 << b);
        Form {
            key,
            len: value.len(),
            mask: if masked { mask(value) } else { 0 },
            number: Number::of(value),
            sign,
            has_digits: value.iter().any(u8::is_ascii_digit),
            is_ratio: ratio(value).is_some(),
        }
    }
}

/// The forms that a column met last.
#[derive(Default)]
pub struct Forms(Vec<Form>);

impl Forms {
    /// The form of a value that is not empty; `masked`: its mask is asked for.
    pub fn of(&mut self, value: &[u8], masked: bool) -> &Form {
        if self.0.is_empty() {
            self.0.resize(FORMS, Form::default());
        }
        let key = key(value);
        let form = &mut self.0[key as usize % FORMS];
        if form.key != key || form.len != value.len() {
            *form = Form::new(value, key, masked);
        }
        form
    }
}

/// Hash of a value with all digits alike.
fn key(value: &[u8]) -> u64 {
    let mut hasher = Mix::default();
    let mut words = value.chunks_exact(8);
    for word in &mut words {
        hasher.write_u64(level(u64::from_le_bytes(word.try_into().unwrap_or_default())));
    }
    hasher.write_u64(level(short(words.remainder())));
    hasher.finish()
}

/// Eight bytes, digits among them as `0`.
fn level(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // A digit is below ten without its `0`; what is not takes the sum beyond 127.
    let rest = word ^ (EACH * 0x30);
    let beyond = ((rest & (EACH * 0x7f)) + EACH * 0x76) | rest;
    let digits = (!beyond >> 7) & EACH;
    word & !(digits * 0x0f)
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

/// `0/1`: so many ready of so many.
pub fn ratio(value: &[u8]) -> Option<(u32, u32)> {
    let at = memchr::memchr(b'/', value)?;
    let part = |digits: &[u8]| {
        let short = (1..=4).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
        short.then(|| digits.iter().fold(0, |n, b| n * 10 + u32::from(b - b'0')))
    };
    Some((part(&value[..at])?, part(&value[at + 1..])?))
}

/// How a number is written.
#[derive(Clone, Copy)]
pub struct Number {
    /// Where its digits are, and the signs between them.
    from: usize,
    to: usize,
    /// What the digits after the decimal point divide it by.
    scale: f64,
    /// What its unit multiplies it by; below nought for a minus.
    factor: f64,
}

impl Number {
    /// How a value is a number, if it is one.
    fn of(value: &[u8]) -> Option<Number> {
        let all = value.len();
        let value = value.strip_prefix(b"$").unwrap_or(value);
        let (minus, value) = match value {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, value),
        };
        if !value.first()?.is_ascii_digit() {
            return None;
        }
        let from = all - value.len();
        let len = value.iter().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b',')).count();
        let (digits, unit) = value.split_at(len);
        // The last sign is the decimal point, unless three digits follow a comma.
        let point = digits.iter().rposition(|b| matches!(b, b'.' | b','));
        let point = point.filter(|at| digits[*at] == b'.' || digits.len() - at != 4);
        let scale = (1..point.map_or(1, |at| len - at)).fold(1.0, |scale, _| scale * 10.0);
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
        Some(Number { from, to: from + len, scale, factor: if minus { -factor } else { factor } })
    }

    /// The number that a value of this form is.
    pub fn read(&self, value: &[u8]) -> f64 {
        let digits = value[self.from..self.to].iter().map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10);
        // So many digits make no sum that is rounded.
        let n = if self.to - self.from <= 15 {
            digits.fold(0_u64, |n, d| n * 10 + u64::from(d)) as f64
        } else {
            digits.fold(0.0, |n, d| n * 10.0 + f64::from(d))
        };
        n / self.scale * self.factor
    }
}

/// The number that a value is: `-3`, `1,234.50`, `19,99`, `44.7%`, `4.0K`, `250m`, `6 (30m ago)`.
pub fn number(value: &[u8]) -> Option<f64> {
    Number::of(value).map(|n| n.read(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_differ_in_more_than_digits() {
        assert_eq!(key(b"a-17 of 2026/9"), key(b"a-93 of 1999/0"));
        for other in ["a-17 of 2026:9", "a-17 of 2026/a", "a-7 of 2026/9", "q-17 of 2026/9", "a-/: of 2026/9"] {
            assert_ne!(key(b"a-17 of 2026/9"), key(other.as_bytes()), "{other}");
        }
        assert!((0..=255).all(|b| level(b) == if (48..58).contains(&b) { 48 } else { b }));
    }

    #[test]
    fn a_form_is_remembered_and_its_number_is_not() {
        let mut forms = Forms::default();
        for (text, n) in [("-3.50K", -3584.0), ("-4.00K", -4096.0), ("10000000000000000000", 1e19)] {
            let number = forms.of(text.as_bytes(), true).number;
            assert_eq!(number.map(|n| n.read(text.as_bytes())), Some(n), "{text}");
        }
    }
}
