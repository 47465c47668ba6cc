//! cargo: errors and warnings by headline, error codes, results, failing tests.

use super::{sums, Facts, Reader};
use crate::cut::Verdict;
use crate::line::Line;

/// Closing lines that begin with `error`: they tell of no further error.
const CLOSING: &[&str] =
    &["error: could not compile", "error: aborting due to", "error: test failed", "error: doctest failed", "error: test run failed"];

/// Reads what cargo and rustc print.
#[derive(Default)]
pub(super) struct Cargo {
    /// What a test printed stands here, and it may look like anything.
    captured: bool,
    nextest: bool,
}

impl Reader for Cargo {
    fn line(&mut self, line: &Line<'_>, verdict: Verdict, facts: &mut Facts) {
        if let Some(rest) = line.after("test ") {
            // `test size::tests::gibi ... FAILED`
            if let Some(name) = rest.strip_suffix(b" ... FAILED") {
                let name = name.strip_suffix(b" - should panic").unwrap_or(name);
                facts.refer_to("failed", line, 5, 5 + name.len());
            } else if rest.starts_with(b"result: ") {
                self.captured = false;
                sums::each(rest, |name, n| facts.add(name, n));
                facts.refer("results", line);
            }
            return;
        }
        let text = line.trimmed();
        if text.starts_with(b"Summary [") {
            // The head of nextest's own list: it names each failing test once more.
            self.nextest = true;
            sums::each(text, |name, n| facts.add(name, n));
            return facts.refer("results", line);
        }
        if self.nextest && (text.starts_with(b"FAIL [") || text.starts_with(b"SIGABRT [") || text.starts_with(b"SIGSEGV [")) {
            return facts.refer("failed", line);
        }
        if line.starts("---- ") && line.ends(" stdout ----") {
            self.captured = true;
            return;
        }
        if line.has("panicked at ") && verdict != Verdict::Pass {
            facts.refer("panics", line);
        }
        if line.text == b"failures:" || self.captured {
            return;
        }
        // `error: 2 targets failed:`
        let targets = line.starts("error: ") && (line.ends(" target failed:") || line.ends(" targets failed:"));
        if targets || CLOSING.iter().any(|c| line.starts(c)) {
            return facts.refer("final_status", line);
        }
        if line.text.trim_ascii_start().starts_with(b"Finished ") {
            return facts.refer("final_status", line);
        }
        self.headline(line, facts);
    }
}

impl Cargo {
    /// `error[E0425]: cannot find value`, `warning: unused variable: `x``
    fn headline(&mut self, line: &Line<'_>, facts: &mut Facts) {
        let start = short(line.text);
        let text = &line.text[start..];
        // `warning: `app` (lib) generated 3 warnings (1 duplicate)` counts what was told.
        let counts = line.has(" generated ") && line.has("warning");
        if (text.starts_with(b"warning: ") || text.starts_with(b"warning[")) && !counts {
            facts.add("warnings", 1);
            return facts.refer("diagnostics", line);
        }
        let Some(rest) = text.strip_prefix(b"error") else { return };
        if let Some(code) = rest.strip_prefix(b"[").and_then(|r| r.split(|b| *b == b']').next()) {
            if !facts.refers_to("codes", code) {
                facts.refer_to("codes", line, start + 6, start + 6 + code.len());
            }
        } else if !rest.starts_with(b": ") {
            return;
        }
        facts.add("errors", 1);
        facts.refer("diagnostics", line);
    }
}

/// Where the message starts: behind the place in `src/lib.rs:77:5: error[E0308]: ...`, the
/// short form.
fn short(text: &[u8]) -> usize {
    let Some(at) = memchr::memmem::find(text, b": ") else { return 0 };
    let mut parts = text[..at].rsplitn(3, |b| *b == b':');
    let numbered = |part: Option<&[u8]>| part.is_some_and(|p| !p.is_empty() && p.iter().all(u8::is_ascii_digit));
    let placed = numbered(parts.next()) && numbered(parts.next()) && parts.next().is_some_and(|p| p.ends_with(b".rs"));
    if placed {
        at + 2
    } else {
        0
    }
}
