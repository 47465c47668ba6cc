//! Playwright's runner: each failure once, however often it was retried, and the totals,
//! which stand below the names of what failed and what was flaky.

use super::explain::{is_rule, Explain};
use super::{beside, ending};
use crate::cut::{Cut, Noun, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Keep};

/// The row of Playwright.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "playwright",
    about: "Playwright: failing and flaky tests, told once for all retries, and the totals",
    sniff,
    opens: Opens::first(b"R", opens),
    cut: |_| Box::new(Playwright::default()),
};

const REPEATED: Noun = "repeated details";

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Part {
    #[default]
    List,
    Failure,
    /// A retry's explanation, before its first line.
    Retry,
    /// A retry that failed as the first try did.
    Again,
    /// Traces and screenshots.
    Attachment,
    Totals,
}

#[derive(Default)]
struct Playwright {
    part: Part,
    explain: Explain,
    seen: Seen,
    /// The failure's first line has not come yet.
    fresh: bool,
    /// The names below are those of flaky tests.
    flaky: bool,
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().any(opens) || lines.iter().filter(|l| listed(l.text).is_some()).count() >= 3
}

fn opens(line: &Line<'_>) -> bool {
    // `Running 66 tests using 1 worker`, `Running 4 tests using 2 workers, shard 1 of 2`
    line.starts("Running ") && line.text.get(8).is_some_and(u8::is_ascii_digit) && line.has(" using ") && line.has(" worker")
}

/// `  ✓   1 test/shop.spec.js:4:34 › totals › of 0 bolts (4ms)`: the sign.
fn listed(text: &[u8]) -> Option<&'static str> {
    let said = text.strip_prefix(b"  ")?;
    let sign =
        ["✓", "✘", "-", "ok", "x", "°"].into_iter().find(|s| said.strip_prefix(s.as_bytes()).is_some_and(|r| r.starts_with(b" ")))?;
    let rest = said[sign.len()..].trim_ascii_start();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    (digits > 0 && rest[digits..].starts_with(b" ") && crate::line::find(rest, " › ".as_bytes()).is_some()).then_some(sign)
}

/// `  4 failed`, `  90 passed (7.8s)`, `  1 error was not a part of any test, see above for details`
fn total(text: &[u8]) -> Option<&[u8]> {
    let said = text.strip_prefix(b"  ")?;
    let digits = said.iter().take_while(|b| b.is_ascii_digit()).count();
    let words = said[digits..].strip_prefix(b" ").filter(|_| digits > 0)?;
    let word = words.iter().take_while(|b| b.is_ascii_lowercase()).count();
    let rest = &words[word..];
    let is = match &words[..word] {
        b"failed" | b"flaky" | b"skipped" | b"interrupted" => rest.is_empty(),
        b"passed" => rest.is_empty() || rest.starts_with(b" ("),
        b"did" => rest == b" not run",
        b"error" | b"errors" => rest.starts_with(b" was not a part of") || rest.starts_with(b" were not a part of"),
        _ => false,
    };
    is.then(|| &words[..word])
}

impl Cut for Playwright {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        let said = line.trimmed();
        if said.is_empty() {
            return Keep(Edge);
        }
        if let Some(sign) = listed(text) {
            self.part = Part::List;
            return match sign {
                "✓" | "ok" => Drop("passing tests"),
                "-" | "°" => Drop("skipped tests"),
                _ => Keep(Detail),
            };
        }
        if let Some(word) = total(text) {
            self.part = Part::Totals;
            self.flaky = word == b"flaky";
            return Keep(if word == b"skipped" { Body } else { Total });
        }
        if opens(line) {
            return Keep(Edge);
        }
        if ending::is_death(line.text) {
            return Keep(Total);
        }
        // `  1) test/shop.spec.js:5:3 › totals › with a discount ─────`
        let digits = said.iter().take_while(|b| b.is_ascii_digit()).count();
        if line.indent() == 2 && digits > 0 && said[digits..].starts_with(b") ") {
            (self.part, self.fresh) = (Part::Failure, true);
            return Keep(self.explain.open());
        }
        match self.part {
            // The failed ones are named above; that one was only flaky is said here alone.
            Part::Totals if line.indent() == 4 => return Keep(if self.flaky { Top } else { Body }),
            Part::List | Part::Totals => {
                if line.starts("[") && text.get(1).is_some_and(u8::is_ascii_digit) {
                    // `[3/66] test/shop.spec.js:4:34 › ...` of the line reporter
                    return Drop("progress lines");
                }
                if line.starts("  Slow test file: ")
                    || line.starts("To open last HTML report run:")
                    || line.starts("  npx playwright show-report")
                {
                    return Drop("hints");
                }
                if line.starts("  Consider ") {
                    return Drop("hints");
                }
                if line.starts("Error: ") {
                    return Keep(Top);
                }
                return beside(line);
            }
            _ => {}
        }
        if said.starts_with(b"Retry #") {
            self.part = Part::Retry;
            return Keep(Edge);
        }
        if said.starts_with(b"attachment #") || said.starts_with(b"Error Context: ") {
            if self.part != Part::Again {
                self.part = Part::Attachment;
            }
            return if self.part == Part::Again { Drop(REPEATED) } else { Keep(Edge) };
        }
        if std::mem::take(&mut self.fresh) {
            self.seen.same(said);
        }
        match self.part {
            Part::Retry => {
                self.part = Part::Again;
                if self.seen.same(said) > 1 {
                    return Drop(REPEATED);
                }
                self.part = Part::Failure;
                self.explain.open();
                self.explain.line(text)
            }
            Part::Again => Drop(REPEATED),
            Part::Attachment if is_rule(said) => Keep(Edge),
            Part::Attachment => Keep(Edge),
            _ => self.explain.line(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn a_retry_that_fails_alike_is_told_once() {
        let text = "Running 3 tests using 1 worker\n\n  ✓   1 a.spec.js:4:3 › t › no error (4ms)\n  ✘   2 a.spec.js:5:3 › t › b (3ms)\n\n  1) a.spec.js:5:3 › t › b ────\n\n    Error: x\n\n    Expected: 1\n    Received: 2\n\n        at /home/dev/a.spec.js:5:13\n\n    Retry #1 ────\n\n    Error: x\n\n    Expected: 1\n\n  1 failed\n    a.spec.js:5:3 › t › b ───\n  1 passed (2.0s)";
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "Running tests using worker"));
        assert_eq!(marks(&SHAPE, text), "EE.DETETETTETEEE.E.E!B!");
    }
}
