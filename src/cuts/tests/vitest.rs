//! vitest: failing suites and tests with their errors, unhandled errors, totals; passing
//! tests go, and what tests printed is plain data.

use super::explain::{is_rule, Explain};
use super::{beside, ending};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Keep};

/// The row of vitest.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "vitest",
    about: "vitest: failing suites and tests with their errors, unhandled errors, totals",
    sniff,
    opens: Opens::first(b"\xe2", opens).or_indented(b"RDT"),
    cut: |_| Box::new(Vitest::default()),
};

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Part {
    #[default]
    Progress,
    /// What a test printed: `stdout | src/a.test.ts > name`.
    Printed,
    Failure,
    After,
}

#[derive(Default)]
struct Vitest {
    part: Part,
    explain: Explain,
    /// Lines since the last verdict of a failing test's short message.
    note: bool,
    /// What a terminal shows while tests run was met.
    drawn: bool,
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().any(opens)
}

fn opens(line: &Line<'_>) -> bool {
    // ` RUN  v3.2.7 /home/dev/app/web/spa`, ` Test Files  2 failed | 6 passed (8)`, `⎯⎯⎯ Failed Tests 6 ⎯⎯⎯`
    match line.text.first() {
        Some(b' ') => {
            (line.starts(" RUN  v") || line.starts(" DEV  v")) && line.text.get(7).is_some_and(u8::is_ascii_digit) || is_totals(line)
        }
        Some(0xe2) => {
            line.text.starts_with("⎯⎯".as_bytes())
                && (line.has(" Failed Tests ") || line.has(" Failed Suites ") || line.has(" Unhandled Errors "))
        }
        _ => false,
    }
}

fn is_totals(line: &Line<'_>) -> bool {
    line.starts(" Test Files  ") && line.ends(")") && (line.has(" passed") || line.has(" failed") || line.has(" skipped"))
}

/// A frame of what a terminal shows while tests run; the closing totals have two blanks.
///
/// ```text
///  ❯ src/a.test.ts [queued]
///  ❯ src/b.test.ts 3/4
///  Test Files 1 failed | 0 passed (41)
///    Start at 18:15:47
/// ```
fn is_drawn(said: &[u8]) -> bool {
    let digit = |rest: Option<&[u8]>| rest.is_some_and(|r| r.first().is_some_and(u8::is_ascii_digit));
    if said.starts_with("❯ ".as_bytes()) {
        let last = said.rsplit(|b| *b == b' ').next().unwrap_or_default();
        return last == b"[queued]" || last.contains(&b'/') && last.iter().all(|b| b.is_ascii_digit() || *b == b'/');
    }
    ["Test Files ", "Tests ", "Start at ", "Duration "].iter().any(|w| digit(said.strip_prefix(w.as_bytes())))
}

impl Vitest {
    fn progress(&mut self, text: &[u8]) -> Option<Verdict> {
        let said = text.trim_ascii_start();
        let indent = text.len() - said.len();
        if indent == 0 {
            return None;
        }
        let mark = |sign: &str| said.strip_prefix(sign.as_bytes()).is_some_and(|rest| rest.starts_with(b" "));
        let verdict = if mark("✓") || mark("√") {
            Drop("passing tests")
        } else if is_drawn(said) {
            self.drawn = true;
            Drop("progress")
        } else if mark("↓") || mark("-") && indent >= 3 && self.part == Part::Progress {
            Drop("skipped tests")
        } else if mark("×") || mark("✗") {
            self.note = true;
            self.part = Part::Progress;
            return Some(Keep(Body));
        } else if (mark("❯") || mark(">"))
            && crate::line::find(said, b" test").is_some()
            && said.ends_with(b"s")
            && memchr::memchr(b'(', said).is_some()
        {
            // ` ❯ src/build.test.js (10 tests | 6 failed | 2 skipped) 223ms`
            Keep(Body)
        } else if mark("→") && self.part == Part::Progress {
            return Some(Keep(Edge));
        } else {
            return None;
        };
        if self.part != Part::Failure || indent <= 3 {
            self.part = Part::Progress;
        }
        self.note = false;
        Some(verdict)
    }

    fn anywhere(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.text;
        match text.first() {
            Some(b' ') => {
                if line.starts(" FAIL  ") {
                    self.part = Part::Failure;
                    return Some(Keep(self.explain.open()));
                }
                if is_totals(line) {
                    self.part = Part::After;
                    return Some(Keep(Total));
                }
                let said = text.trim_ascii_start();
                let total = |word: &[u8]| {
                    said.strip_prefix(word).and_then(|r| r.strip_prefix(b"  ")).is_some_and(|r| r.first().is_some_and(u8::is_ascii_digit))
                };
                if total(b"Tests") || total(b"Errors") || total(b"Type Errors") || total(b"Snapshots") {
                    return Some(Keep(Total));
                }
                if said.starts_with(b"Start at  ") || said.starts_with(b"Duration  ") {
                    return Some(Keep(Edge));
                }
                if line.starts(" RUN  v") || line.starts(" DEV  v") {
                    return Some(Keep(Edge));
                }
                if self.part != Part::Failure {
                    return self.progress(text);
                }
                if text.starts_with(" ✓ ".as_bytes()) || text.starts_with(" ❯ ".as_bytes()) && line.has(" tests | ") {
                    return self.progress(text);
                }
                None
            }
            Some(0xe2) if text.starts_with("⎯⎯".as_bytes()) => {
                if line.has("Unhandled ") || line.has("Uncaught ") {
                    self.part = Part::Failure;
                    self.explain.open();
                    return Some(Keep(Top));
                }
                if line.has("Failed ") {
                    self.part = Part::Failure;
                    return Some(Keep(Detail));
                }
                Some(Keep(Edge))
            }
            Some(b's') if line.starts("stdout | ") || line.starts("stderr | ") => {
                self.part = Part::Printed;
                Some(Keep(Edge))
            }
            Some(b'E') if line.starts("ERROR: Coverage for ") => Some(Keep(Top)),
            Some(b'N') if line.starts("No test files found, exiting with code ") => Some(Keep(Total)),
            Some(b'A') if line.starts("All files ") => Some(Keep(Total)),
            Some(b'V') if line.starts("Vitest caught ") => Some(Keep(Top)),
            Some(b'T') if line.starts("This might cause false positive tests.") => Some(Drop("hints")),
            Some(b'>') if line.starts("> ") => Some(Keep(Edge)),
            _ => ending::is_death(line.text).then_some(Keep(Total)),
        }
    }
}

impl Cut for Vitest {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(verdict) = self.anywhere(line) {
            return verdict;
        }
        let said = line.trimmed();
        if said.is_empty() {
            // Between the frames of a terminal.
            return if self.drawn && self.part == Part::Progress { Drop("progress") } else { Keep(Edge) };
        }
        match self.part {
            Part::Failure => self.explain.line(line.text),
            Part::Printed if said.starts_with(b"at ") => Drop("runtime frames"),
            Part::Printed => Keep(Edge),
            Part::Progress if self.note => Keep(Edge),
            Part::After if line.has("|") => Keep(Edge),
            Part::Progress | Part::After if is_rule(said) => Keep(Edge),
            Part::Progress | Part::After => beside(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn what_a_terminal_shows_while_tests_run_goes() {
        let text = " RUN  v4.1.12 /a\n\n ❯ f.test.mjs [queued]\n\n Test Files 0 passed (2)\n      Tests 0 passed (0)\n   Start at 18:15:47\n\n ❯ f.test.mjs 4/4\n ✓ f.test.mjs (1 test) 3ms\n Test Files  1 failed | 1 passed (2)";
        assert_eq!(marks(&SHAPE, text), "EE........!");
    }

    #[test]
    fn failures_and_totals_stay() {
        let text = " RUN  v3.2.7 /home/dev/app\n\n ❯ src/a.test.js (2 tests | 1 failed) 5ms\n   ✓ a > FAIL is fine 1ms\n   × a > b 3ms\n     → expected 1 to be 2\n ✓ src/b.test.js (27 tests) 5ms\n\n⎯⎯⎯ Failed Tests 1 ⎯⎯⎯\n\n FAIL  src/a.test.js > a > b\nAssertionError: expected 1 to be 2\n\nExpected: 2\nReceived: 1\n\n ❯ src/a.test.js:5:78\n      3| it\n       |   ^\n\n⎯⎯⎯⎯[1/1]⎯\n\n Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 28 passed (29)";
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "RUN v3\n FAIL  x\n Test Files  are here"));
        assert_eq!(marks(&SHAPE, text), "EEB.BE.EDETTETTETEEEEE!!");
    }
}
