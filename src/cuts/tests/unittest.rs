//! Python's unittest, and Django's runner on top of it: the blocks of failing tests, the
//! totals; passing tests and the frames of the library go.

use super::explain::{is_exception, Explain};
use super::{beside, ending};
use crate::cut::{Cut, Noun, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Keep, KeepWith, Park};

/// The row of unittest.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "unittest",
    about: "unittest, Django: the blocks of failing tests with message and place, the totals",
    sniff,
    opens: Opens::first(b"RC", opens),
    cut: |_| Box::new(Unittest::default()),
};

const PASSING: Noun = "passing tests";
/// Lines of what a failing test printed that outrank plain data.
const PRINTED: u32 = 6;

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Part {
    #[default]
    Progress,
    /// Below `FAIL: name`, before the exception.
    Trace,
    /// The exception and what it says.
    Message,
    /// `Stdout:` of a failing test.
    Printed,
    After,
}

#[derive(Default)]
struct Unittest {
    part: Part,
    explain: Explain,
    seen: Seen,
    /// The frame above is a dependency's.
    foreign: bool,
    printed: u32,
    /// Lines parked since the last verdict.
    parked: u16,
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let mut tests = 0;
    let mut before = false;
    for line in lines {
        if before && block(line.text).is_some() || is_ran(line.text) {
            return true;
        }
        before = is_line_of(line.text, b'=');
        tests += u32::from(verdict(line.text).is_some());
        if tests >= 3 {
            return true;
        }
    }
    // Django before its dots, and dots that are followed by the drawn line.
    lines.iter().any(|l| l.starts("Creating test database for alias '") || l.starts("Found ") && l.ends(" test(s)."))
}

fn opens(line: &Line<'_>) -> bool {
    is_ran(line.text) || line.starts("Creating test database for alias '")
}

/// `Ran 227 tests in 0.016s`
fn is_ran(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"Ran ") else { return false };
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    digits > 0 && (rest[digits..].starts_with(b" tests in ") || rest[digits..].starts_with(b" test in ")) && rest.ends_with(b"s")
}

fn is_line_of(text: &[u8], fill: u8) -> bool {
    text.len() == 70 && text.iter().all(|b| *b == fill)
}

/// `FAIL: test_x (mod.Class.test_x) (sku='bolt', qty=1)`, `ERROR: setUpClass (mod.Class)`
fn block(text: &[u8]) -> Option<&[u8]> {
    [b"FAIL: ".as_slice(), b"ERROR: ", b"UNEXPECTED SUCCESS: "].iter().find_map(|w| text.strip_prefix(*w))
}

/// The verdict of a verbose line: `test_x (mod.Class.test_x) ... ok`, `docstring ... FAIL`
fn verdict(text: &[u8]) -> Option<&[u8]> {
    // prove's is a file of Perl: `t/a1.t ... ok`
    let is_last_dot = |at: &usize| text.get(at + 1) == Some(&b' ') && text[..*at].ends_with(b" ..");
    let at = memchr::memrchr_iter(b'.', text).find(is_last_dot).filter(|at| !text[..at - 3].ends_with(b".t"))?;
    let word = text[at + 2..].trim_ascii_end();
    let known = matches!(word, b"ok" | b"FAIL" | b"ERROR" | b"expected failure" | b"unexpected success")
        || word.starts_with(b"skipped '")
        || word.starts_with(b"skipped \"")
        || word == b"skipped";
    known.then_some(word)
}

/// `test_x (mod.Class.test_x)`: a test whose line goes on, or one with a docstring.
fn is_name(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let word = text.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    // The dotted name in brackets holds no blank; `Traceback (most recent call last):` does.
    let Some(inside) = text[word..].strip_prefix(b" (") else { return false };
    let dotted = inside.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'<' | b'>')).count();
    word > 3 && dotted > 0 && inside[dotted..].starts_with(b")")
}

impl Unittest {
    fn progress(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        if let Some(word) = verdict(text) {
            let lines = std::mem::take(&mut self.parked).min(10);
            return match word {
                b"ok" => Drop(PASSING),
                b"FAIL" | b"ERROR" | b"unexpected success" if lines > 0 => KeepWith { rank: Body, lines, with: Detail },
                b"FAIL" | b"ERROR" | b"unexpected success" => Keep(Body),
                _ => Drop("skipped tests"),
            };
        }
        if matches!(text, b"ok" | b"FAIL" | b"ERROR") {
            let lines = std::mem::take(&mut self.parked).min(10);
            return if text == b"ok" { Drop(PASSING) } else { KeepWith { rank: Body, lines, with: Detail } };
        }
        let said = line.trimmed();
        if said.iter().all(|b| b".FEsxu".contains(b)) {
            return Drop("progress lines");
        }
        if is_name(text) {
            self.parked += 1;
            return Park(PASSING);
        }
        if self.parked > 0 {
            self.parked += 1;
            return Park("lines printed by tests");
        }
        beside(line)
    }

    fn trace(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        let said = line.trimmed();
        if line.starts("  File \"") && line.has("\", line ") {
            self.foreign = place::is_foreign(text) || line.has("File \"<");
            if self.foreign {
                return Drop("runtime frames");
            }
            return Keep(match self.seen.same(text) {
                1 => Top,
                2 => Body,
                _ => Edge,
            });
        }
        if line.starts("Traceback (most recent call last):") {
            return Keep(Edge);
        }
        if line.starts("  [Previous line repeated ") {
            return Keep(Detail);
        }
        if line.indent() >= 4 {
            if self.foreign {
                return Drop("runtime frames");
            }
            let marks = said.iter().all(|b| matches!(b, b'^' | b'~' | b' '));
            return Keep(if marks { Edge } else { Detail });
        }
        if line.starts("The above exception was") || line.starts("During handling of") {
            return Keep(Body);
        }
        if is_exception(text) {
            self.part = Part::Message;
        }
        self.explain.line(text)
    }

    fn message(&mut self, line: &Line<'_>) -> Verdict {
        if line.starts("Traceback (most recent call last):") {
            self.part = Part::Trace;
            return Keep(Edge);
        }
        // `?         ^`
        if line.starts("? ") {
            return Keep(Edge);
        }
        self.explain.line(line.text)
    }
}

impl Cut for Unittest {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        if text.is_empty() || line.is_blank() {
            return Keep(Edge);
        }
        if is_line_of(text, b'=') || is_line_of(text, b'-') {
            return Keep(Edge);
        }
        if block(text).is_some() {
            self.part = Part::Trace;
            self.foreign = false;
            return Keep(self.explain.open());
        }
        if is_ran(text) {
            self.part = Part::After;
            return Keep(Total);
        }
        if self.part == Part::After
            && (line.starts("FAILED (") || text == b"OK" || line.starts("OK (") || line.starts("NO TESTS RAN") || text == b"FAILED")
        {
            return Keep(Total);
        }
        if line.starts("Destroying test database ")
            || line.starts("Creating test database ")
            || line.starts("Cloning test database ")
            || line.starts("System check identified no issues")
        {
            return Drop("header lines");
        }
        if ending::is_death(line.text) {
            return Keep(Total);
        }
        if matches!(text, b"Stdout:" | b"Stderr:") && self.part != Part::Progress {
            (self.part, self.printed) = (Part::Printed, 0);
            return Keep(Detail);
        }
        match self.part {
            Part::Progress => self.progress(line),
            Part::Trace => self.trace(line),
            Part::Message => self.message(line),
            Part::Printed => {
                self.printed += 1;
                let new = self.seen.alike(text) <= 2;
                Keep(if new && (self.printed <= PRINTED || line.is_error()) { Detail } else { Edge })
            }
            Part::After if line.text.iter().all(|b| b".FEsxu".contains(b)) => {
                self.part = Part::Progress;
                Drop("progress lines")
            }
            Part::After if verdict(text).is_some() => {
                self.part = Part::Progress;
                self.progress(line)
            }
            Part::After => beside(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn blocks_stay_and_passing_tests_go() {
        let (double, single) = ("=".repeat(70), "-".repeat(70));
        let text = format!("test_a (m.T.test_a) ... ok\ntest_b (m.T.test_b)\nSays ERROR ... ok\ntest_c (m.T.test_c) ... FAIL\n\n{double}\nFAIL: test_c (m.T.test_c)\n{single}\nTraceback (most recent call last):\n  File \"/a/t.py\", line 9, in test_c\n    self.assertEqual(a, b)\nAssertionError: 'x' != 'y'\n- x\n? ^\n+ y\n\n{single}\nRan 3 tests in 0.044s\n\nFAILED (failures=1)\nDestroying test database for alias 'default'...");
        assert!(sniffs(&SHAPE, &text) && !sniffs(&SHAPE, "FAIL: x\nRan tests in 3s\na ... b"));
        assert_eq!(marks(&SHAPE, &text), ".p.BEETEETDTTETEE!E!.");
    }
}
