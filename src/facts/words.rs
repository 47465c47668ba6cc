//! Builds and linters: what the tool counts itself, else its messages by their own word.

use super::{rank_of, sums, Facts, Reader};
use crate::cut::{Rank, Verdict};
use crate::line::Line;

/// Reads `x.c:1:2: error: ...`, `x.ts(1,2): error TS2322: ...`, and totals.
#[derive(Default)]
pub(super) struct Words {
    errors: u64,
    warnings: u64,
    stated: bool,
}

/// The word that a message carries after its place: `: error: `, ` - error TS1: `.
fn severity(line: &Line<'_>) -> Option<bool> {
    for (word, is_error) in [("error", true), ("warning", false)] {
        for at in memchr::memmem::find_iter(line.text, word.as_bytes()) {
            let before = line.text[..at].trim_ascii_end();
            let before = before.strip_suffix(b"fatal").map_or(before, |b| b.trim_ascii_end());
            let placed = at == 0 || matches!(before.last(), Some(b':' | b'-' | b']')) && line.text[..at].ends_with(b" ");
            let rest = &line.text[at + word.len()..];
            let told = rest.starts_with(b": ") || rest.starts_with(b"[") || rest.starts_with(b" ") && rest.contains(&b':') && at > 0;
            if placed && told {
                return Some(is_error);
            }
        }
    }
    None
}

impl Reader for Words {
    fn line(&mut self, line: &Line<'_>, verdict: Verdict, facts: &mut Facts) {
        if rank_of(verdict) == Some(Rank::Total) {
            if sums::is_aside(line) {
                return;
            }
            sums::each(line.text, |name, n| {
                self.stated |= matches!(name, "errors" | "warnings" | "problems");
                facts.add(name, n);
            });
            return;
        }
        if verdict == Verdict::Pass {
            return;
        }
        match severity(line) {
            Some(true) => self.errors += 1,
            Some(false) => self.warnings += 1,
            None => return,
        }
        facts.refer("diagnostics", line);
    }

    fn end(&mut self, facts: &mut Facts) {
        if !self.stated && self.errors + self.warnings > 0 {
            facts.add("errors", self.errors);
            facts.add("warnings", self.warnings);
        }
    }
}
