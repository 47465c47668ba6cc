//! Linters, type checkers and formatters: every rule with its first places, errors before
//! style, the totals; further hits of a rule are counted under its name.
//!
//! One file a form of output: tools that print alike share one. Nothing of a finding is
//! noise, so what does not fit is only of low rank.

mod amid;
mod annotated;
mod biome;
mod eslint;
mod flat;
mod format;
mod hooks;
mod mypy;
mod oxlint;
mod pyright;
mod ruff;
mod shellcheck;

pub(crate) use annotated::annotation;

use super::seen::Seen;
use crate::cut::{Rank, Shape, Verdict};
use crate::line::Line;
use regex::bytes::Regex;
use std::sync::LazyLock;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[
    &hooks::SHAPE,
    &biome::SHAPE,
    &oxlint::SHAPE,
    &ruff::SHAPE,
    &pyright::SHAPE,
    &mypy::SHAPE,
    &eslint::SHAPE,
    &shellcheck::SHAPE,
    &flat::SHAPE,
    &format::SHAPE,
    &amid::SHAPE,
];

/// The first so many errors are all shown, whatever their rule,
const FEW: u32 = 12;
/// and so many more where there is room.
const SOME: u32 = 24;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// The code does not work: a syntax error, an undefined name.
    Error,
    /// Likely a mistake: most rules of most tools.
    Doubt,
    /// A matter of style, or what the tool itself calls a warning beside errors.
    Style,
}

/// How often each rule was met: the first places of a rule matter, the rest is a count.
#[derive(Default)]
struct Rules {
    seen: Seen,
    /// Findings of class Error so far: where they are few, more of a rule are shown.
    errors: u32,
}

impl Rules {
    /// The rank of the next finding of a rule, and its number within the rule.
    fn rank(&mut self, rule: &[u8], class: Class) -> (Rank, u32) {
        let n = self.seen.same(rule);
        self.errors += u32::from(class == Class::Error);
        let few = match (class, self.errors) {
            (Class::Error, ..=FEW) => Rank::Top,
            (Class::Error, ..=SOME) => Rank::Body,
            _ => Rank::Edge,
        };
        (rank_of(n, class).max(few), n)
    }

    /// The same, where a rule has messages of many kinds: the first of a kind is worth more.
    fn rank_by_words(&mut self, rule: &[u8], words: &[u8], class: Class) -> (Rank, u32) {
        let (rank, n) = self.rank(rule, class);
        let new = self.seen.same(words) == 1;
        (if new { rank.max(Rank::Body) } else { rank }, n)
    }
}

/// `line` at `rank`, counted under `rule` from its fourth on.
fn folded(line: &Line<'_>, rule: &[u8], rank: Rank, n: u32) -> Verdict {
    let from = (rule.as_ptr() as usize).wrapping_sub(line.text.as_ptr() as usize);
    if rank > Rank::Edge && n > 3 || from >= line.text.len() || rule.is_empty() {
        return Verdict::Keep(rank);
    }
    Verdict::Fold { rank, from, to: from + rule.len() }
}

fn rank_of(n: u32, class: Class) -> Rank {
    match (class, n) {
        (Class::Error, 1..=2) | (Class::Doubt, 1) => Rank::Top,
        (Class::Error, 3) | (Class::Doubt, 2) | (Class::Style, 1) => Rank::Body,
        (Class::Doubt, 3) | (Class::Style, 2..=3) => Rank::Detail,
        _ => Rank::Edge,
    }
}

/// What explains a finding: its code frame, its notes. The place leads to the code, so only
/// the first findings of a rule show it.
fn explained(n: u32, class: Class, most: Rank) -> Verdict {
    Verdict::Keep(match (class, n) {
        (Class::Error, 1..=2) => Rank::Body.min(most),
        (Class::Error, 3) | (Class::Doubt, 1) => Rank::Detail.min(most),
        (Class::Error, 4..=5) | (_, 1..=3) => Rank::Edge,
        _ => return Verdict::Drop("repeated details"),
    })
}

/// `F821`, `E501`, `PLR0913`, `SC2086`: at the start of the text, and what follows it.
fn code(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let letters = text.iter().take_while(|b| b.is_ascii_uppercase()).count();
    let digits = text.iter().skip(letters).take_while(|b| b.is_ascii_digit()).count();
    let (code, rest) = text.split_at(letters + digits);
    ((1..=8).contains(&letters) && (1..=5).contains(&digits) && matches!(rest.first(), Some(b' ' | b':' | b'\t'))).then_some((code, rest))
}

/// What a Python linter's code says of the weight.
fn class_of(code: &[u8]) -> Class {
    let letters = code.iter().take_while(|b| b.is_ascii_uppercase()).count();
    let (letters, digits) = code.split_at(letters);
    match (letters, digits) {
        // Unused imports, star imports, f-strings without fields, long lines.
        (b"F", b"401" | b"541") => Class::Style,
        (b"F", b"403" | b"405" | b"811" | b"841" | b"842") => Class::Doubt,
        (b"F" | b"PLE", _) => Class::Error,
        // pylint has four digits: E0602 undefined, F0001 fatal, W0611 doubtful.
        (b"E", [_, _, _, _]) => Class::Error,
        (b"W", [_, _, _, _]) => Class::Doubt,
        (b"E", [b'9', ..]) => Class::Error,
        // A bare except.
        (b"E", b"722") => Class::Doubt,
        (b"E" | b"W" | b"C" | b"D" | b"I" | b"N" | b"R" | b"Q" | b"T" | b"UP" | b"ANN" | b"COM" | b"SIM" | b"RUF" | b"PLR" | b"PLC", _) => {
            Class::Style
        }
        (b"S" | b"SC" | b"B" | b"BLE" | b"ASYNC" | b"PLW" | b"SA" | b"G", _) => Class::Doubt,
        _ => Class::Style,
    }
}

/// The words of a message up to the first name in quotes, or behind it.
fn words(said: &[u8]) -> &[u8] {
    let quote = memchr::memchr(b'"', said).unwrap_or(said.len());
    if quote > 3 {
        return said[..quote].trim_ascii();
    }
    let rest = &said[(quote + 1).min(said.len())..];
    let close = memchr::memchr(b'"', rest).map_or(rest, |n| &rest[n + 1..]);
    close[..memchr::memchr(b'"', close).unwrap_or(close.len())].trim_ascii()
}

/// Closing lines of the tools that this family knows.
pub(super) fn is_total(line: &Line<'_>) -> bool {
    // Found 64 errors. | Found 1100 errors in 25 files (checked 50 source files)
    // Found 593 warnings and 12 errors. | [*] 22 fixable with `--fix` (24 unsafe fixes ...)
    // Your code has been rated at 8.77/10 | 58 files inspected, 120 offenses detected
    // ✖ 1830 problems (265 errors, 1565 warnings) | 12 issues: | 96 errors, 1 warning, 0 informations
    static TOTAL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"^(?:(?:✖ |x |× )?\d+ (?:errors?|warnings?|problems?|issues?|issues?:|source files? checked)(?:\.|$| \(| in \d|, \d)",
            r"|Found \d+ (?:error|warning|info|issue|problem|fixable)",
            r"|\d+ files? (?:inspected|checked|would be|left|reformatted|already)",
            r"|\s+\d+ (?:errors?|warnings?) (?:and \d+ warnings? )?(?:are )?potentially fixable",
            r"|\[\*\] \d+ (?:potentially )?fixable |No fixes available",
            r"|Success: no issues found|All checks passed|Your code has been rated at|ESLint found too many warnings",
            r"|Checked \d+ files? in |Diagnostics not shown: |The number of diagnostics exceeds|\d+ issues?\.$)",
        ))
        .expect("a constant pattern")
    });
    let said = line.text.trim_ascii_start();
    let maybe = match said.first() {
        Some(b'F' | b'[' | b'N' | b'S' | b'A' | b'Y' | b'E' | b'C' | b'D' | b'T' | b'x' | 0xe2 | 0xc3) => true,
        // A number, and what was counted.
        Some(b'0'..=b'9') => {
            let digits = said.iter().take_while(|b| b.is_ascii_digit()).count();
            matches!(said[digits..], [b' ', b'e' | b'w' | b'p' | b'i' | b's' | b'f', ..])
        }
        _ => false,
    };
    maybe && line.text.len() <= 300 && TOTAL.is_match(line.text)
}

/// Nothing but carets, tildes, dashes and blanks, with a caret: the sign under a code line.
fn is_caret(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    !text.is_empty() && text.contains(&b'^') && text.iter().all(|b| matches!(b, b'^' | b'~' | b'-' | b' ' | b'.' | b'|'))
}

/// Does the text look like the path of one file, and like nothing else?
fn is_path(text: &[u8]) -> bool {
    let name = text.rsplit(|b| matches!(b, b'/' | b'\\')).next().unwrap_or_default();
    !text.is_empty()
        && text.len() < 300
        && !text[0].is_ascii_whitespace()
        && (name.len() < text.len() || name.contains(&b'.'))
        && !name.is_empty()
        && !name.ends_with(b".")
        && !text.iter().any(|b| matches!(b, b'"' | b'\'' | b'`' | b'|' | b'=' | b',' | b';' | b'<' | b'>' | b'{' | b'\t'))
        && crate::line::find(text, b": ").is_none()
        && crate::line::find(text, b"://").is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_their_weight() {
        assert_eq!(code(b"F821 Undefined"), Some((b"F821".as_slice(), b" Undefined".as_slice())));
        assert_eq!(code(b"Found 3"), None);
        assert_eq!(
            [class_of(b"F821"), class_of(b"E501"), class_of(b"E0602"), class_of(b"B904")],
            [Class::Error, Class::Style, Class::Error, Class::Doubt]
        );
    }

    #[test]
    fn totals_are_known() {
        for text in [
            "Found 64 errors.",
            "✖ 1 problem (1 error, 0 warnings)",
            "96 errors, 1 warning, 0 informations",
            "3 files inspected, no offenses",
        ] {
            assert!(is_total(&Line::new(text.as_bytes(), 1)), "{text}");
        }
        assert!(!is_total(&Line::new(b"Found it in the cellar", 1)));
    }
}
