//! GoogleTest: each failure with place and explanation, the list and the totals.
//!
//! The message stands between `[ RUN      ]` and `[  FAILED  ]`. A crash leaves a run
//! without a verdict: then the test that had begun and its last words stay. Parameterised
//! tests fail by the dozen at one place: the first few are told.

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::mix::Mix;
use crate::cuts::place;
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;
use std::hash::Hasher as _;

/// A GoogleTest binary's own output.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "googletest",
    about: "GoogleTest: failing tests with place and explanation, skipped tests, totals",
    sniff,
    opens: Opens::first(b"[", opens),
    cut: |_| Box::new(GtestCut(Gtest::default())),
};

/// Lines of an explanation that are kept as such.
const EXPLAINED: u16 = 14;
/// Failures at one place that are told at full rank.
const AT_PLACE: u32 = 2;
/// Lines of it that hold what was expected and what came.
const VALUES: u16 = 5;
/// Last words of a test that crashed.
const LAST_WORDS: u16 = 12;

const REPEATED: &str = "repeated failure lines";
/// A test that passes has two lines.
const PASSING: &str = "passing test lines";

struct GtestCut(Gtest);

impl Cut for GtestCut {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        self.0.line(line.text).unwrap_or(Verdict::Pass)
    }

    fn end(&mut self) -> (u16, Rank) {
        self.0.end()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Between tests.
    #[default]
    Outside,
    /// A test runs.
    Inside,
    /// Under a `Failure` line.
    Failure,
    /// Under `listed below:`.
    List,
}

/// Reads GoogleTest's text, wherever it stands.
#[derive(Default)]
pub struct Gtest {
    state: State,
    /// Low lines since the present test began.
    low: u16,
    lines: u16,
    /// The present failure was told before, as far as its lines go.
    repeated: bool,
    /// Others at its place were told, with other values.
    more: bool,
    /// Its lines so far, and how many of them are parked.
    kind: u64,
    /// The same without regard to digits, and whether that was met.
    shape: u64,
    alike: bool,
    held: u16,
    /// Something of the present test was told.
    told: bool,
    seen: Seen,
    names: Seen,
    shapes: Seen,
    places: Seen,
    skipped: u16,
    /// The list's last line is one of a family.
    folded: bool,
    /// Has any line been GoogleTest's?
    known: bool,
}

impl Gtest {
    /// A line's verdict; none when it is nobody's.
    pub fn line(&mut self, text: &[u8]) -> Option<Verdict> {
        let verdict = self.verdict(text);
        if let Some(Verdict::Park(_) | Verdict::Keep(Rank::Edge)) = verdict {
            self.low = self.low.saturating_add(1);
        }
        verdict
    }

    /// What a run that broke off was doing.
    pub fn end(&mut self) -> (u16, Rank) {
        match self.state {
            State::Inside | State::Failure => (self.low.min(LAST_WORDS), Rank::Top),
            _ => (0, Rank::Body),
        }
    }

    /// The same reader at another program's first line: what was told stays told.
    #[must_use]
    pub fn anew(self) -> Gtest {
        Gtest { state: State::Outside, low: 0, lines: 0, repeated: false, held: 0, told: false, known: false, ..self }
    }

    /// Is a test running whose output this may be?
    #[must_use]
    pub fn is_inside(&self) -> bool {
        matches!(self.state, State::Inside | State::Failure)
    }

    fn verdict(&mut self, text: &[u8]) -> Option<Verdict> {
        if let Some(said) = bracket(text) {
            self.known = true;
            return Some(self.said(said, text));
        }
        if text.trim_ascii().is_empty() {
            return self.known.then_some(Verdict::Drop("blank"));
        }
        if is_failure(text) {
            self.known = true;
            return Some(self.failure(text));
        }
        if !self.known {
            return heading(text);
        }
        match self.state {
            State::Failure => Some(self.explain(text)),
            State::Inside if ends_test(text) => {
                Some(Verdict::KeepWith { rank: Rank::Top, lines: self.low.min(LAST_WORDS), with: Rank::Body })
            }
            State::Inside if text.ends_with(b": Skipped") => Some(Verdict::Keep(Rank::Edge)),
            State::Inside => Some(Verdict::Park("lines of test output")),
            //  6 FAILED TESTS, 39 FAILED TESTS,   YOU HAVE 2 DISABLED TESTS
            // The first and the last member of a family say where it fails.
            _ if is_count(text) => Some(Verdict::KeepWith { rank: Rank::Total, lines: u16::from(self.folded), with: Rank::Top }),
            _ if text.starts_with(b"  YOU HAVE ") => Some(Verdict::Keep(Rank::Detail)),
            _ => heading(text),
        }
    }

    /// What stands in and after `[  FAILED  ]` and its kin.
    fn said(&mut self, said: &[u8], text: &[u8]) -> Verdict {
        let rest = &text[12..];
        match said {
            b"RUN" => {
                (self.state, self.low, self.lines, self.told, self.repeated) = (State::Inside, 0, 0, false, false);
                self.kind = 0;
                Verdict::Park(PASSING)
            }
            b"OK" => {
                self.state = State::Outside;
                Verdict::Drop(PASSING)
            }
            b"FAILED" if rest.ends_with(b" listed below:") => {
                self.state = State::List;
                Verdict::Keep(Rank::Total)
            }
            b"FAILED" => self.failed(rest),
            b"PASSED" => {
                self.state = State::Outside;
                Verdict::Keep(Rank::Total)
            }
            b"SKIPPED" => {
                if self.state != State::List || rest.ends_with(b" listed below:") {
                    self.state = if rest.ends_with(b" listed below:") { State::List } else { State::Outside };
                }
                self.skipped += 1;
                Verdict::Keep(if self.state == State::List && self.skipped <= 12 { Rank::Detail } else { Rank::Edge })
            }
            b"DISABLED" => Verdict::Drop("disabled tests"),
            b"==========" => {
                self.state = State::Outside;
                Verdict::Keep(if text.ends_with(b"total)") { Rank::Total } else { Rank::Detail })
            }
            _ => {
                self.state = State::Outside;
                Verdict::Drop("suites")
            }
        }
    }

    /// ` Small/PowTest.IsMonotone/14, where GetParam() = 15 (0 ms)`
    fn failed(&mut self, rest: &[u8]) -> Verdict {
        let timed = rest.ends_with(b" ms)");
        let name = rest.trim_ascii();
        let name = &name[..name.iter().position(|b| matches!(b, b',' | b' ')).unwrap_or(name.len())];
        if !timed || !self.is_inside() {
            // [  FAILED  ] Small/PowTest.IsMonotone/14, where GetParam() = 15
            self.folded = family(name).is_some();
            if let Some(family) = family(name) {
                return Verdict::Fold { rank: Rank::Top, from: 13, to: 13 + family };
            }
            return Verdict::Keep(if self.names.same(name) > 1 { Rank::Detail } else { Rank::Top });
        }
        self.state = State::Outside;
        if !self.told && self.kind != 0 {
            // The list at the end names it again, if the run comes to it.
            return Verdict::Keep(Rank::Edge);
        }
        self.names.same(name);
        Verdict::KeepWith { rank: Rank::Top, lines: if self.told { 0 } else { self.low.min(LAST_WORDS) }, with: Rank::Body }
    }

    /// `containers_test.cc:504: Failure`, `unknown file: Failure`
    fn failure(&mut self, text: &[u8]) -> Verdict {
        (self.state, self.lines, self.kind, self.shape, self.held) = (State::Failure, 0, 0, 0, 0);
        let met = self.places.same(text);
        self.more = met > AT_PLACE && !text.starts_with(b"unknown file");
        self.repeated = !self.is_new(text);
        self.part(Rank::Top)
    }

    /// A failure is its place and its values: with the first line that is new it is told.
    fn explain(&mut self, text: &[u8]) -> Verdict {
        self.lines += 1;
        self.repeated &= !self.is_new(text);
        self.part(match self.lines {
            n if n <= VALUES => Rank::Top,
            n if n <= EXPLAINED => Rank::Body,
            n if n <= 3 * EXPLAINED => Rank::Detail,
            _ => Rank::Edge,
        })
    }

    fn is_new(&mut self, text: &[u8]) -> bool {
        let mut hasher = Mix::default();
        hasher.write_u64(self.kind);
        hasher.write(text);
        self.kind = hasher.finish();
        let mut hasher = Mix::default();
        hasher.write_u64(self.shape);
        text.iter().filter(|b| !b.is_ascii_digit()).for_each(|b| hasher.write_u8(*b));
        // A place keeps its numbers.
        self.shape = if self.lines == 0 { self.kind } else { hasher.finish() };
        self.alike = self.shapes.kind(self.shape) > 1;
        self.seen.kind(self.kind) == 1
    }

    fn part(&mut self, rank: Rank) -> Verdict {
        if self.repeated {
            self.held = self.held.saturating_add(1);
            return Verdict::Park(REPEATED);
        }
        self.told |= !(self.more && self.alike);
        let rank = match (self.more, self.alike) {
            (false, _) => rank,
            (true, false) => rank.min(Rank::Body),
            (true, true) => Rank::Edge,
        };
        match std::mem::take(&mut self.held) {
            0 => Verdict::Keep(rank),
            lines => Verdict::KeepWith { rank, lines, with: rank },
        }
    }
}

/// `[  FAILED  ] ...`: the word in a bracket of twelve columns.
fn bracket(text: &[u8]) -> Option<&[u8]> {
    if text.len() < 12 || text[0] != b'[' || text[11] != b']' {
        return None;
    }
    let word = text[1..11].trim_ascii();
    let known = [b"RUN".as_slice(), b"OK", b"FAILED", b"PASSED", b"SKIPPED", b"DISABLED", b"==========", b"----------"];
    known.contains(&word).then_some(word)
}

/// `containers_test.cc:504: Failure`, `unknown file: Failure`, `a.cc(504): error: Value of: x`
fn is_failure(text: &[u8]) -> bool {
    text == b"unknown file: Failure"
        || text.ends_with(b": Failure") && place::split(text).is_some_and(|(_, rest)| rest == b": Failure")
        || crate::line::find(text, b"): error: ").is_some_and(|i| {
            let digits = text[..i].iter().rev().take_while(|b| b.is_ascii_digit()).count();
            digits > 0 && text[..i - digits].ends_with(b"(")
        })
}

/// The length of a parameterised test's name without its number: `Small/PowTest.IsMonotone`
pub fn family(name: &[u8]) -> Option<usize> {
    let slash = name.iter().rposition(|b| *b == b'/')?;
    (slash + 1 < name.len() && name[slash + 1..].iter().all(u8::is_ascii_digit)).then_some(slash)
}

/// ` 6 FAILED TESTS`, `39 FAILED TESTS`
fn is_count(text: &[u8]) -> bool {
    let told = text.trim_ascii_start();
    let digits = told.iter().take_while(|b| b.is_ascii_digit()).count();
    digits > 0 && matches!(&told[digits..], b" FAILED TESTS" | b" FAILED TEST")
}

fn heading(text: &[u8]) -> Option<Verdict> {
    if text.starts_with(b"Running main() from ") {
        return Some(Verdict::Drop("headings"));
    }
    (text.starts_with(b"Note: Google Test filter") || text.starts_with(b"Note: Randomizing") || text.starts_with(b"Repeating all tests"))
        .then_some(Verdict::Keep(Rank::Edge))
}

/// The process's or the shell's last words.
fn ends_test(text: &[u8]) -> bool {
    super::ending::is_death(text)
        || text.starts_with(b"terminate called ")
        || text.ends_with(b"(core dumped)")
        || crate::line::find(text, b"ERROR: AddressSanitizer").is_some()
}

fn opens(line: &Line<'_>) -> bool {
    line.starts("[==========] Running ") && line.has(" test")
}

/// A run's first line, or two tests' lines, and only chatter before them.
fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let is_test = |l: &&Line<'_>| l.starts("[ RUN      ] ") || l.starts("[       OK ] ") || l.starts("[  FAILED  ] ");
    let first = &lines[..lines.len().min(15)];
    first.iter().any(opens) || first.iter().filter(is_test).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const RUN: &str = "[==========] Running 3 tests from 1 test suite.\n[ RUN      ] A.One\n[       OK ] A.One (0 ms)\n[ RUN      ] A.Two\na.cc:5: Failure\nValue of: x\n  Actual: false\n[  FAILED  ] A.Two (0 ms)";

    #[test]
    fn a_failure_stays_and_passing_tests_go() {
        assert_eq!(
            marks(
                &SHAPE,
                &format!("{RUN}\n[  PASSED  ] 1 test.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.Two\n\n 1 FAILED TEST")
            ),
            "Dp.pTTTT!!D.!"
        );
    }

    #[test]
    fn a_failure_is_repeated_with_its_values_only() {
        let fail = |n, v| {
            format!("[ RUN      ] P/A.B/{n}\nb.cc:7: Failure\nExpected: x, actual: {v}\n[  FAILED  ] P/A.B/{n}, where GetParam() = {n} (0 ms)\n")
        };
        let run = format!("{RUN}\n{}{}{}{}", fail(0, 7), fail(1, 8), fail(2, 7), fail(3, 9));
        assert_eq!(marks(&SHAPE, run.trim_end()), "Dp.pTTTTpTTTppTTpppEppEE");
    }

    #[test]
    fn a_crash_keeps_the_test_that_had_begun() {
        let mut cut = Gtest::default();
        for line in ["[ RUN      ] A.One", "[       OK ] A.One (0 ms)", "[ RUN      ] A.Two", "last words"] {
            cut.line(line.as_bytes());
        }
        assert_eq!(cut.end(), (2, Rank::Top));
    }

    #[test]
    fn brackets_alone_do_not_match() {
        assert!(sniffs(&SHAPE, RUN));
        assert!(!sniffs(&SHAPE, "[ RUN ] a\n[==========] 40%"));
    }
}
