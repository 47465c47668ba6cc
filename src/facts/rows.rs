//! Rows: matches of a search, levels of a log, and texts that tell nothing in numbers.

use super::{Facts, Reader};
use crate::cut::Verdict;
use crate::line::{Line, Signs};

/// Matches and the files that they are in.
pub(super) struct Matches {
    dialect: &'static str,
    path: Vec<u8>,
}

impl Matches {
    pub(super) fn new(dialect: &'static str) -> Matches {
        Matches { dialect, path: Vec::new() }
    }
}

/// `12:` or `12-` at the start: is it a match?
fn numbered(text: &[u8]) -> Option<bool> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    match text.get(digits) {
        Some(b':') if digits > 0 => Some(true),
        Some(b'-') if digits > 0 => Some(false),
        _ => None,
    }
}

/// The end of the path in `path:12:text`.
fn path_end(text: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b':', text).find(|at| *at > 0 && numbered(&text[at + 1..]) == Some(true))
}

impl Reader for Matches {
    fn line(&mut self, line: &Line<'_>, verdict: Verdict, facts: &mut Facts) {
        if matches!(verdict, Verdict::Pass | Verdict::Drop(_)) {
            return;
        }
        match self.dialect {
            "grep" => {
                let Some(end) = path_end(line.text) else { return };
                facts.add("matches", 1);
                if self.path != line.text[..end] {
                    self.path = line.text[..end].to_vec();
                    facts.add("files", 1);
                }
            }
            "heading" if verdict == Verdict::Head => facts.add("files", 1),
            "heading" | "one file" if numbered(line.text) == Some(true) => facts.add("matches", 1),
            "counts" => {
                let count = line.text.rsplit(|b| *b == b':').next().and_then(|n| std::str::from_utf8(n).ok()?.parse().ok());
                if let Some(n) = count {
                    facts.add("matches", n);
                    facts.add("files", u64::from(n > 0));
                }
            }
            _ => {}
        }
    }
}

/// Lines of a log that carry a sign.
pub(super) struct Levels;

impl Reader for Levels {
    fn line(&mut self, line: &Line<'_>, verdict: Verdict, facts: &mut Facts) {
        if verdict != Verdict::Pass {
            facts.add("error_lines", u64::from(line.is_error()));
            facts.add("warning_lines", u64::from(!line.is_error() && line.signs().has(Signs::WARNING)));
        }
    }
}

/// Nothing is known of such a text.
pub(super) struct Nothing;

impl Reader for Nothing {
    fn line(&mut self, _: &Line<'_>, _: Verdict, _: &mut Facts) {}
}
