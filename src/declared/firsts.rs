//! The bytes that what a pattern matches may begin with.

use std::iter::Peekable;
use std::str::Chars;

/// A mark a byte.
pub type Bytes = [bool; 256];

/// What a part of a pattern matches: the bytes it may begin with, and whether it may be nothing.
struct Begin {
    bytes: Bytes,
    empty: bool,
}

const NOTHING: Begin = Begin { bytes: [false; 256], empty: true };
const ANYTHING: Begin = Begin { bytes: [true; 256], empty: false };

/// The bytes that a line which `pattern` matches may begin with; all of them where the pattern is
/// not bound to the line's beginning, or not understood. An empty line has none, and is for the
/// caller to think of.
pub fn of(pattern: &str) -> Bytes {
    let flags = pattern.match_indices("(?").any(|(at, _)| !pattern[at + 2..].starts_with(':'));
    let Some(bound) = pattern.strip_prefix('^').filter(|_| !flags) else { return ANYTHING.bytes };
    let mut chars = bound.chars().peekable();
    let begin = sequence(&mut chars);
    // What follows another branch is not bound.
    if begin.empty || chars.next().is_some() {
        ANYTHING.bytes
    } else {
        begin.bytes
    }
}

fn sequence(chars: &mut Peekable<Chars<'_>>) -> Begin {
    let mut all = NOTHING;
    while chars.peek().is_some_and(|c| !matches!(c, '|' | ')')) {
        let part = part(chars);
        if all.empty {
            add(&mut all.bytes, &part.bytes);
            all.empty = part.empty;
        }
    }
    all
}

/// A letter, a class or a group, and how often it comes.
fn part(chars: &mut Peekable<Chars<'_>>) -> Begin {
    let mut part = match chars.next() {
        Some('\\') => escaped(chars.next()),
        Some('[') => class(chars),
        Some('(') => group(chars),
        Some('^' | '$') => NOTHING,
        Some('.') | None => ANYTHING,
        Some(letter) => one_of(letter.to_string().as_bytes().first(), false),
    };
    while let Some(times) = chars.next_if(|c| matches!(c, '*' | '+' | '?' | '{')) {
        part.empty |= times != '+';
        if times == '{' {
            chars.by_ref().find(|c| *c == '}');
        }
    }
    part
}

fn group(chars: &mut Peekable<Chars<'_>>) -> Begin {
    if chars.next_if_eq(&'?').is_some() {
        chars.next();
    }
    let mut all = sequence(chars);
    while chars.next_if_eq(&'|').is_some() {
        let branch = sequence(chars);
        add(&mut all.bytes, &branch.bytes);
        all.empty |= branch.empty;
    }
    chars.next();
    all
}

/// Reads over a class. What it holds is told of `[^x]` alone.
fn class(chars: &mut Peekable<Chars<'_>>) -> Begin {
    let ahead: Vec<char> = chars.clone().take(3).collect();
    let mut begin = ANYTHING;
    if let ['^', sign, ']'] = ahead[..] {
        if sign.is_ascii() && !matches!(sign, '\\' | '[' | ']') {
            begin.bytes[sign as usize] = false;
        }
    }
    chars.next_if_eq(&'^');
    chars.next_if_eq(&']');
    let mut depth = 1;
    while depth > 0 {
        match chars.next() {
            Some('\\') => drop(chars.next()),
            Some('[') => depth += 1,
            Some(']') => depth -= 1,
            Some(_) => {}
            None => break,
        }
    }
    begin
}

fn escaped(letter: Option<char>) -> Begin {
    match letter {
        Some('d') => one_of(b"0123456789", true),
        Some('s') => one_of(b"\t\n\x0b\x0c\r ", true),
        Some('t') => one_of(b"\t", false),
        Some(sign) if sign.is_ascii_punctuation() => one_of([sign as u8].iter(), false),
        _ => ANYTHING,
    }
}

/// One of these bytes; `more`: or of a letter beyond ASCII.
fn one_of<'a>(bytes: impl IntoIterator<Item = &'a u8>, more: bool) -> Begin {
    let mut begin = Begin { bytes: [false; 256], empty: false };
    bytes.into_iter().for_each(|b| begin.bytes[usize::from(*b)] = true);
    begin.bytes[0x80..].iter_mut().for_each(|b| *b |= more);
    begin
}

fn add(all: &mut Bytes, more: &Bytes) {
    all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn each_match_begins_with_one_of_them() {
        let all: String = (' '..='~').collect();
        for (pattern, bytes) in [
            ("^abc", "a"),
            ("^(rsync: )?warning: ", "rw"),
            ("^(?:a|[xy]?\\.|)q", &all),
            ("^(?:a|c?\\.)q", ".ac"),
            ("^ *\\d+ x", " 0123456789"),
            ("^a{0,2}b", "ab"),
            ("^a|b", &all),
            ("a", &all),
            ("^a*$", &all),
            ("^(?i)a", &all),
            ("^((a)|b+)+c", "ab"),
            // Taken for `(+)?`: more than there are, and never fewer.
            ("^((a)|b+)+?c", "abc"),
            ("^\\[x\\] ", "["),
            ("^\\x41", &all),
            ("^[^]]b", &all),
            ("^[^ab]c", &all),
            ("^[^ ]\\S*", all.trim_start()),
        ] {
            let told: String = (' '..='~').filter(|c| of(pattern)[*c as usize]).collect();
            assert_eq!(told, bytes, "{pattern}");
        }
    }
}
