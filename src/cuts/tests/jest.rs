//! jest: each failing test's block, suites that do not load, coverage below its threshold;
//! passing tests and the second print of every failure go.

use super::explain::Explain;
use super::{beside, ending};
use crate::cut::{Cut, Noun, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Keep};

/// The row of jest.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "jest",
    about: "jest: each failing test with its message, values and place; suites that do not load; totals",
    sniff,
    opens: Opens::first(b"PFT", opens).or_indented(b"PF"),
    cut: |_| Box::new(Jest::default()),
};

const PASSING: Noun = "passing tests";
const REPEATED: Noun = "repeated details";

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Part {
    /// No suite has been named yet: what stands here is another tool's.
    #[default]
    Before,
    /// Suites, one after the other; the tree of `--verbose`.
    Suites,
    Failure,
    /// A failure that was printed before.
    Again,
    Console,
    Coverage,
    After,
}

#[derive(Default)]
struct Jest {
    part: Part,
    explain: Explain,
    seen: Seen,
    /// The `FAIL` line above, for failures that have no name of their own.
    suite: Vec<u8>,
    /// `Summary of all failing tests` was seen.
    summary: bool,
    /// Jest's own advice on a file it could not parse.
    advice: bool,
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    !lines.iter().any(|l| l.starts(" RUN  v")) && lines.iter().any(opens)
}

fn opens(line: &Line<'_>) -> bool {
    suite(line.text).is_some() || line.starts("Test Suites: ") && line.ends(" total")
}

/// `PASS test/a.test.js (5.2 s)`, ` FAIL  web  src/b.spec.tsx`: did it pass?
fn suite(text: &[u8]) -> Option<bool> {
    let said = text.trim_ascii();
    let (passed, rest) = match (said.strip_prefix(b"PASS "), said.strip_prefix(b"FAIL ")) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => return None,
    };
    if text.len() - text.trim_ascii_start().len() > 1 {
        return None;
    }
    let rest = match memchr::memmem::rfind(rest, b" (") {
        Some(at) if rest.ends_with(b")") => &rest[..at],
        _ => rest,
    };
    let path = rest.trim_ascii().rsplit(|b| *b == b' ').next()?;
    const ENDS: &[&[u8]] = &[b".js", b".ts", b".jsx", b".tsx", b".mjs", b".cjs", b".mts", b".cts", b".vue", b".svelte"];
    ENDS.iter().any(|e| path.ends_with(e)).then_some(passed)
}

impl Jest {
    fn bullet(&mut self, title: &[u8]) -> Verdict {
        self.advice = false;
        if title == b"Console" {
            self.part = Part::Console;
            return Keep(Edge);
        }
        let key = [self.suite.as_slice(), b"\n", title].concat();
        let met = self.seen.same(&key);
        if met > 1 && self.summary {
            self.part = Part::Again;
            return Drop(REPEATED);
        }
        self.part = Part::Failure;
        Keep(self.explain.open())
    }

    fn failure(&mut self, line: &Line<'_>) -> Verdict {
        let said = line.trimmed();
        // Four paragraphs of advice, then `Details:` and what went wrong.
        if said.starts_with(b"Jest failed to parse a file.") {
            self.advice = true;
        }
        if said == b"Details:" {
            self.advice = false;
            self.explain.open();
            return Keep(Edge);
        }
        if self.advice || said.starts_with(b"Add a timeout value to this test to increase") {
            return Drop("hints");
        }
        self.explain.line(line.text)
    }

    fn console(&mut self, line: &Line<'_>) -> Verdict {
        let said = line.trimmed();
        if said.starts_with(b"at ") {
            return Drop("console places");
        }
        let new = line.is_error() && !said.starts_with(b">") && line.indent() == 6 && self.seen.alike(said) == 1;
        Keep(if new { Detail } else { Edge })
    }

    fn table(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        if text.iter().all(|b| matches!(b, b'-' | b'|')) {
            return Keep(Edge);
        }
        if line.starts("All files ") {
            return Keep(Total);
        }
        if line.starts("File ") {
            return Keep(Body);
        }
        // `  cart.js |     100 |      100 |     100 |     100 |`
        let full = text.split(|b| *b == b'|').skip(1).take(4).all(|c| c.trim_ascii() == b"100");
        if full {
            return Drop("fully covered files");
        }
        Keep(Edge)
    }

    /// Lines that mean the same wherever they stand.
    fn anywhere(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.text;
        let said = line.trimmed();
        if let Some(passed) = suite(text) {
            self.part = Part::Suites;
            if passed {
                return Some(Drop("passing suites"));
            }
            let met = self.seen.same(said);
            self.suite.clear();
            self.suite.extend_from_slice(said.get(..said.len().min(400)).unwrap_or(said));
            return Some(if met > 1 && self.summary { Drop(REPEATED) } else { Keep(Top) });
        }
        if let Some(title) = text.strip_prefix("  ● ".as_bytes()) {
            return Some(self.bullet(title.trim_ascii()));
        }
        match text.first() {
            Some(b'T') if line.starts("Test Suites: ") || line.starts("Tests:  ") || line.starts("Tests: ") => {
                self.part = Part::After;
                return Some(Keep(Total));
            }
            Some(b'T') if line.starts("Time:  ") => return Some(Keep(Edge)),
            Some(b'S') if line.starts("Snapshots:  ") => return Some(Keep(if line.ends("  0 total") { Edge } else { Total })),
            Some(b'S') if said == b"Summary of all failing tests" => {
                (self.summary, self.part) = (true, Part::Suites);
                return Some(Keep(Edge));
            }
            Some(b'S') if said == b"Snapshot Summary" => {
                self.part = Part::After;
                return Some(Keep(Detail));
            }
            Some(b'R') if line.starts("Ran all test suites") => return Some(Keep(Edge)),
            Some(b'R') if line.starts("RUNS ") => return Some(Drop("progress lines")),
            Some(b'J') if line.starts("Jest: ") => return Some(Keep(Top)),
            Some(b'J') if line.starts("Jest did not exit ") => return Some(Keep(Body)),
            Some(b'N') if line.starts("No tests found, exiting with code ") => return Some(Keep(Total)),
            Some(b'-') if line.starts("-----") && line.has("|--") => {
                self.part = Part::Coverage;
                return Some(Keep(Edge));
            }
            Some(b'>') if line.starts("> ") => return Some(Keep(Edge)),
            Some(b' ') => {
                if line.starts("  console.") && !line.has("(") {
                    self.part = Part::Console;
                    return Some(Keep(Edge));
                }
                if text.starts_with(" › ".as_bytes()) {
                    // ` › 1 snapshot failed.`
                    return Some(Keep(if line.has("failed") { Body } else { Detail }));
                }
            }
            _ => {}
        }
        ending::is_death(line.text).then_some(Keep(Total))
    }
}

impl Cut for Jest {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(verdict) = self.anywhere(line) {
            return verdict;
        }
        let said = line.trimmed();
        if said.is_empty() {
            return Keep(Edge);
        }
        match self.part {
            Part::Failure => self.failure(line),
            Part::Again => Drop(REPEATED),
            Part::Console => self.console(line),
            Part::Coverage if line.has("|") => self.table(line),
            Part::Suites if line.indent() >= 2 => {
                let text = line.text.trim_ascii_start();
                if text.starts_with("✓ ".as_bytes()) || text.starts_with("√ ".as_bytes()) {
                    Drop(PASSING)
                } else if text.starts_with("✕ ".as_bytes()) || text.starts_with("× ".as_bytes()) {
                    Keep(Body)
                } else if text.starts_with("○ ".as_bytes()) || text.starts_with("✎ ".as_bytes()) {
                    Drop("skipped tests")
                } else if line.is_error() {
                    Verdict::Pass
                } else {
                    Verdict::Spare("suite titles")
                }
            }
            Part::After if line.indent() > 0 => Keep(Edge),
            Part::Before | Part::Suites | Part::Coverage | Part::After => beside(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn a_suite_line_is_proof() {
        assert!(sniffs(&SHAPE, "PASS test/a.test.js") && sniffs(&SHAPE, " FAIL  web  src/b.spec.tsx (5.2 s)"));
        assert!(
            !sniffs(&SHAPE, "PASS\nok  \tpkg 0.1s\nFAIL: test_x (a.B)\nPASS: a")
                && !sniffs(&SHAPE, " RUN  v3.1.0 /a\n FAIL  src/b.test.ts")
        );
    }

    #[test]
    fn failures_are_told_once() {
        let block = "FAIL test/a.test.js\n  ● a › b\n\n    Expected: 1\n    Received: 2\n\n      at Object.toBe (test/a.test.js:2:3)\n";
        let text = format!(
            "{block}\nPASS test/b.test.js\n    ✓ ok FAIL (2 ms)\nSummary of all failing tests\n{block}\nTests:       1 failed, 1 total"
        );
        assert_eq!(marks(&SHAPE, &text), "TTETTETE..E..E..E.E!");
    }

    #[test]
    fn a_threshold_is_a_finding() {
        let text = "PASS a.test.js\n------|------|\nFile  | % St |\n------|------|\nAll files | 32 | 7 | 1 | 9 |\n a.js | 100 | 100 | 100 | 100 |\nJest: \"global\" coverage threshold for branches (80%) not met: 7%\nTests:       1 passed, 1 total";
        assert_eq!(marks(&SHAPE, text), ".EBE!.T!");
    }
}
