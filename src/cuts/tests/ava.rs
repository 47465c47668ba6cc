//! AVA: failing tests with their differences and places, uncaught exceptions, the counts.

use super::explain::Explain;
use super::{beside, ending};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Edge, Top, Total};
use Verdict::{Drop, Keep};

/// The row of AVA.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "ava",
    about: "AVA: failing tests with their differences and places, the counts",
    sniff,
    opens: Opens::indented(b"\xe2", |line| line.text.starts_with("  ✘ [fail]: ".as_bytes())),
    cut: |_| Box::new(Ava::default()),
};

#[derive(Default)]
struct Ava {
    explain: Explain,
    seen: Seen,
    /// Behind the list of verdicts, or in an uncaught exception.
    details: bool,
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let mut tests = 0;
    for line in lines {
        if SHAPE.opens.by(line) {
            return true;
        }
        tests += u32::from(line.text.starts_with("  ✔ ".as_bytes()) && line.has(" › "));
    }
    tests >= 3 || lines.iter().any(|l| l.text == "  ─".as_bytes()) && lines.iter().any(|l| count(l.text).is_some())
}

/// `  4 tests failed`, `  1 known failure`, `  62 tests passed`
fn count(text: &[u8]) -> Option<bool> {
    let said = text.strip_prefix(b"  ")?;
    let digits = said.iter().take_while(|b| b.is_ascii_digit()).count();
    let words = said[digits..].strip_prefix(b" ").filter(|_| digits > 0)?.trim_ascii();
    let is = |ends: &[&str]| ends.iter().any(|e| words == e.as_bytes());
    if is(&[
        "test failed",
        "tests failed",
        "test passed",
        "tests passed",
        "uncaught exception",
        "uncaught exceptions",
        "unhandled rejection",
        "unhandled rejections",
        "hook failed",
        "hooks failed",
        "tests remaining",
        "test remaining",
    ]) {
        return Some(true);
    }
    is(&["known failure", "known failures", "test skipped", "tests skipped", "test todo", "tests todo"]).then_some(false)
}

impl Cut for Ava {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        let said = line.trimmed();
        if said.is_empty() {
            return Keep(Edge);
        }
        if let Some(matters) = count(text) {
            self.details = false;
            return Keep(if matters { Total } else { Edge });
        }
        if text.starts_with("  ✔ ".as_bytes()) {
            self.details = false;
            return Drop("passing tests");
        }
        if let Some(name) = text.strip_prefix("  ✘ [fail]: ".as_bytes()) {
            self.details = false;
            self.seen.same(name);
            return Keep(Body);
        }
        if text.starts_with("  ✘ ".as_bytes()) {
            return Keep(Top);
        }
        if line.starts("  - [skip] ") || line.starts("  - [todo] ") {
            return Drop("skipped tests");
        }
        if text == "  ─".as_bytes() {
            self.details = true;
            return Keep(Edge);
        }
        if line.starts("  Uncaught exception in ") || line.starts("  Unhandled rejection in ") || line.starts("  Error in ") {
            self.details = true;
            self.explain.open();
            return Keep(Top);
        }
        if ending::is_death(line.text) {
            return Keep(Total);
        }
        if !self.details {
            return beside(line);
        }
        let named = line.indent() == 2 && (self.seen.same(said) > 1 || line.has(" › ") && !said.starts_with("› ".as_bytes()));
        if named {
            return Keep(self.explain.open());
        }
        // ` › file://test/color.js:4:37`, and `test/color.js:4` above the source.
        if let Some(place) = said.strip_prefix("› ".as_bytes()) {
            return self.explain.stack(place);
        }
        // ` 4: test("pads", ...)`: source.
        let digits = said.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits > 0 && said[digits..].starts_with(b": ") {
            return Keep(Edge);
        }
        self.explain.line(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn an_expected_failure_is_a_pass() {
        let text = "  ✔ color › no error\n  ✘ [fail]: color › pads\n  ✔ [expected fail] color › names\n  ─\n\n  color › pads\n\n  test/color.js:4\n\n   3: for\n\n  Difference (- actual, + expected):\n\n  - '#0aff'\n  + '#000aff'\n\n  ─\n\n  1 test failed\n  1 known failure";
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "  ✔ built\n  1 test failed"));
        assert_eq!(marks(&SHAPE, text), ".B.EETETEEETETTEEE!E");
    }
}
