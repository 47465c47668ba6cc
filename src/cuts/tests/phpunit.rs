//! PHPUnit, dots and testdox: failures and errors with message, difference and place, the
//! counts; the second print under testdox's summary goes.

use super::explain::Explain;
use super::{beside, ending};
use crate::cut::{Cut, Noun, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Total};
use Verdict::{Drop, Keep, KeepWith, Park};

/// The row of PHPUnit.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "phpunit",
    about: "PHPUnit (dots, testdox): failures and errors with difference and place, the counts",
    sniff,
    opens: Opens::first(b"P", opens),
    cut: |_| Box::new(PhpUnit::default()),
};

const REPEATED: Noun = "repeated details";

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Part {
    #[default]
    Progress,
    /// `There were 3 errors:`
    Failures,
    /// `There was 1 risky test:` and other lists that fail nothing.
    Notes,
    After,
}

#[derive(Default)]
struct PhpUnit {
    part: Part,
    explain: Explain,
    seen: Seen,
    /// `Summary of non-successful tests:` was seen.
    summary: bool,
    /// The present testdox failure was printed before.
    again: bool,
    /// The class above is parked and not yet told.
    class: bool,
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let count = |f: fn(&Line<'_>) -> bool| lines.iter().filter(|l| f(l)).count();
    lines.iter().any(opens)
        || count(|l| is_progress(l.text)) >= 1
        || count(|l| l.text.starts_with("   │".as_bytes())) >= 2 && count(|l| l.text.starts_with(" ✘ ".as_bytes())) >= 1
}

fn opens(line: &Line<'_>) -> bool {
    line.starts("PHPUnit ") && line.has(" by Sebastian Bergmann")
}

/// `....F... 63 / 562 ( 11%)`
fn is_progress(text: &[u8]) -> bool {
    let Some(head) = text.trim_ascii_end().strip_suffix(b"%)") else { return false };
    let letters = head.iter().take_while(|b| b".FEWRSIDNL".contains(b)).count();
    letters > 0
        && crate::line::find(&head[letters..], b" / ").is_some()
        && head[letters..].iter().all(|b| b.is_ascii_digit() || b" /(".contains(b))
}

/// `Tests: 562, Assertions: 556, Errors: 3.`, `OK (150 tests, 150 assertions)`, `FAILURES!`
fn is_total(line: &Line<'_>) -> bool {
    matches!(line.text, b"FAILURES!" | b"ERRORS!" | b"WARNINGS!" | b"No tests executed!")
        || line.starts("Tests: ") && line.has(", Assertions: ")
        || line.starts("OK (") && line.has(" test")
        || line.starts("OK, but ")
}

/// What a testdox line says behind its frame: `   │ Failed asserting ...`
fn framed(text: &[u8]) -> Option<&[u8]> {
    let said = text.trim_ascii_start();
    if text.len() - said.len() < 3 {
        return None;
    }
    ["│", "├", "┐", "┴", "╵", "┘"].iter().find_map(|s| said.strip_prefix(s.as_bytes()))
}

impl PhpUnit {
    fn dox(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.text;
        if let Some(rest) = framed(text) {
            return Some(if self.again {
                Drop(REPEATED)
            } else if rest.trim_ascii().is_empty() {
                Keep(Edge)
            } else {
                self.explain.line(rest)
            });
        }
        if text.first() != Some(&b' ') || text.starts_with(b"  ") {
            return None;
        }
        let said = line.trimmed();
        if said.starts_with("✔ ".as_bytes()) || said.starts_with(b"[x] ") {
            return Some(Drop("passing tests"));
        }
        if said.starts_with("✘ ".as_bytes()) || said.starts_with(b"[ ] ") {
            let met = self.seen.same(said);
            self.again = self.summary && met > 1;
            if self.again {
                return Some(Drop(REPEATED));
            }
            let rank = self.explain.open();
            return Some(if std::mem::take(&mut self.class) { KeepWith { rank, lines: 1, with: Body } } else { Keep(rank) });
        }
        if ["∅ ", "↩ ", "☢ ", "⚠ "].iter().any(|s| said.starts_with(s.as_bytes())) {
            self.again = true;
            return Some(Drop("skipped tests"));
        }
        None
    }

    /// `There were 3 errors:`, `There was 1 risky test:`, `2 tests triggered 1 warning:`
    fn list(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if !line.ends(":") || !(line.starts("There w") || line.has(" triggered ")) {
            return None;
        }
        let bad = line.ends(" error:") || line.ends(" errors:") || line.ends(" failure:") || line.ends(" failures:");
        self.part = if bad { Part::Failures } else { Part::Notes };
        Some(Keep(if bad { Body } else { Detail }))
    }
}

impl Cut for PhpUnit {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        let said = line.trimmed();
        if said.is_empty() {
            return Keep(Edge);
        }
        if is_total(line) {
            self.part = Part::After;
            return Keep(Total);
        }
        if is_progress(text) {
            return Drop("progress lines");
        }
        if let Some(verdict) = self.list(line).or_else(|| self.dox(line)) {
            return verdict;
        }
        if opens(line)
            || line.starts("Time: ")
            || line.starts("Runtime: ")
            || line.starts("Configuration: ")
            || line.starts("Random Seed: ")
        {
            return Keep(Edge);
        }
        if text == b"Summary of non-successful tests:" {
            self.summary = true;
            return Keep(Edge);
        }
        if ending::is_death(line.text) {
            return Keep(Total);
        }
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let numbered = digits > 0 && text[digits..].starts_with(b") ");
        match self.part {
            Part::Failures if numbered => Keep(self.explain.open()),
            Part::Failures if text == b"--" => Keep(Edge),
            Part::Failures if text == b"Caused by" => Keep(Body),
            Part::Failures => self.explain.line(text),
            Part::Notes => Keep(Edge),
            // testdox: the class that the next lines test.
            Part::Progress | Part::After
                if line.indent() == 0 && text.first().is_some_and(u8::is_ascii_uppercase) && text.len() < 120 && !line.is_error() =>
            {
                self.class = true;
                Park("class titles")
            }
            Part::Progress if said.iter().all(|b| b".FEWRSIDN".contains(b)) => Drop("progress lines"),
            Part::Progress | Part::After => beside(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn numbered_failures_stay() {
        let text = "PHPUnit 9.6.7 by Sebastian Bergmann and contributors.\n\n..F  3 / 3 (100%)\n\nThere was 1 failure:\n\n1) ATest::testX with data set \"error case 88\"\nFailed asserting that 1 is identical to 2.\n\n/a/tests/ATest.php:16\n\n--\n\nThere was 1 risky test:\n\n1) ATest::testN\nNo assertions\n\nFAILURES!\nTests: 3, Assertions: 3, Failures: 1.";
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "PHPUnit is by\n12 / 30 (40%)"));
        assert_eq!(marks(&SHAPE, text), "EE.EBETTETEEEDEEEE!!");
    }

    #[test]
    fn testdox_is_told_once() {
        let block = "Invoice\n ✔ Error case 1\n ✘ Vat\n   │\n   │ Failed asserting that 9 is 10.\n   │\n   │ /a/tests/ATest.php:17\n   │\n";
        let text = format!("{block}\nSummary of non-successful tests:\n\n{block}");
        assert_eq!(marks(&SHAPE, &text), "p.TETETEEEEp.......E");
    }
}
