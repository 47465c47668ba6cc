//! Catch2 and doctest, the header-only C++ runners: failing expressions with what they
//! expand to, under the names of their test case and sections.
//!
//! The names stand before the failure, in a block that passing sections have too when they
//! print: they wait until something under them fails.

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;

/// A Catch2 binary's console reporter.
pub const CATCH: Shape = Shape {
    name: "tests",
    dialect: "catch2",
    about: "Catch2: failing expressions with expansion and place, totals",
    sniff: |_, lines| head(lines).iter().any(|l| CATCH.opens.by(l)),
    opens: Opens::last(b".", |line| line.ends(" host application.") && line.has(" is a Catch")),
    cut: |_| Box::new(Reporter::default()),
};

/// A doctest binary's console reporter.
pub const DOCTEST: Shape = Shape {
    name: "tests",
    dialect: "doctest",
    about: "doctest (C++): failing expressions with values and place, totals",
    sniff: |_: &Hint, lines| head(lines).iter().any(|l| l.starts("[doctest] ")),
    opens: Opens::first(b"[", |line| line.starts("[doctest] doctest version is ")),
    cut: |_| Box::new(Reporter::default()),
};

/// Failures of one expression at one place that are told.
const ALIKE: u32 = 2;
/// Lines of a failure that are its explanation.
const EXPLAINED: u16 = 10;
const REPEATED: &str = "repeated failures";

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Outside,
    /// Names of a test case and its sections.
    Names,
    /// Under a failure.
    Failed,
    /// Under a failure that was told before, or under a passing assertion (-s).
    Told,
}

#[derive(Default)]
struct Reporter {
    state: State,
    /// Names that are parked.
    names: u16,
    lines: u16,
    seen: Seen,
}

impl Cut for Reporter {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        if is_rule(text, b'-') || is_rule(text, b'=') {
            if self.state != State::Names {
                (self.state, self.names) = (State::Names, 0);
            } else if is_rule(text, b'-') {
                self.state = State::Outside;
            }
            return Verdict::Drop("rules");
        }
        if is_rule(text, b'.') || is_rule(text, b'~') {
            return Verdict::Drop("rules");
        }
        if let Some(verdict) = total(line) {
            self.state = State::Outside;
            return verdict;
        }
        if let Some((_, said)) = place::split(text) {
            if let Some(verdict) = self.placed(said, text) {
                return verdict;
            }
        }
        match self.state {
            State::Names => {
                self.names += 1;
                Verdict::Park("names of tests")
            }
            State::Failed => self.explain(line),
            State::Told => Verdict::Drop(REPEATED),
            State::Outside if super::ending::is_death(line.text) => Verdict::Keep(Rank::Top),
            State::Outside => Verdict::Keep(Rank::Edge),
        }
    }
}

impl Reporter {
    /// `tests/luma.cc:19: FAILED:`, `tests/luma.cc:14: ERROR: CHECK( g == 152 ) is NOT correct!`
    fn placed(&mut self, said: &[u8], text: &[u8]) -> Option<Verdict> {
        // tests/luma.cc:9 alone (doctest: with a colon): where the test case is.
        let said = if said.is_empty() { said } else { said.strip_prefix(b":")?.trim_ascii() };
        if said.is_empty() {
            return Some(Verdict::Drop("places of tests"));
        }
        let failed = said == b"FAILED:" || said == b"FAILED" || said.starts_with(b"ERROR: ") || said.starts_with(b"FATAL ERROR: ");
        if failed {
            self.lines = 0;
            let met = self.seen.same(text);
            if met > ALIKE {
                (self.state, self.names) = (State::Told, 0);
                return Some(Verdict::Drop(REPEATED));
            }
            self.state = State::Failed;
            let lines = std::mem::take(&mut self.names);
            return Some(Verdict::KeepWith { rank: Rank::Top, lines, with: Rank::Top });
        }
        if said == b"PASSED:" {
            self.state = State::Told;
            return Some(Verdict::Drop("passing tests"));
        }
        (said.starts_with(b"warning:") || said.starts_with(b"WARNING: ") || said.starts_with(b"MESSAGE: "))
            .then_some(Verdict::Keep(Rank::Detail))
    }

    /// `  CHECK( g == 152 )`, `with expansion:`, `  150 == 152`, `  values: CHECK( 150 == 152 )`
    fn explain(&mut self, line: &Line<'_>) -> Verdict {
        if line.indent() == 0 {
            return match line.text {
                b"with expansion:" | b"with message:" | b"with messages:" => Verdict::Keep(Rank::Detail),
                _ => Verdict::Keep(Rank::Top),
            };
        }
        self.lines += 1;
        Verdict::Keep(match self.lines {
            1..=2 => Rank::Top,
            n if n <= EXPLAINED => Rank::Body,
            _ => Rank::Detail,
        })
    }
}

/// `test cases:  6 | 1 passed |  5 failed`, `[doctest] Status: FAILURE!`
fn total(line: &Line<'_>) -> Option<Verdict> {
    if let Some(said) = line.after("[doctest] ") {
        let total = said.starts_with(b"test cases: ") || said.starts_with(b"assertions: ") || said.starts_with(b"Status: ");
        return Some(if total { Verdict::Keep(Rank::Total) } else { Verdict::Drop("headings") });
    }
    if line.starts("test cases: ") || line.starts("assertions: ") || line.starts("All tests passed (") || line.starts("No test") {
        return Some(Verdict::Keep(Rank::Total));
    }
    if line.ends(" host application.") || line.text == b"Run with -? for options" {
        return Some(Verdict::Drop("headings"));
    }
    line.starts("Randomness seeded to: ").then_some(Verdict::Keep(Rank::Edge))
}

/// A line of one sign, as wide as a terminal.
fn is_rule(text: &[u8], sign: u8) -> bool {
    text.len() >= 60 && text.iter().all(|b| *b == sign)
}

fn head<'a, 'b>(lines: &'a [Line<'b>]) -> &'a [Line<'b>] {
    &lines[..lines.len().min(15)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn a_failure_brings_its_names_along() {
        let rule = "-".repeat(79);
        let run = format!("a is a Catch v2.13.10 host application.\n{rule}\nluma\n  green\n{rule}\na.cc:15\n{}\n\na.cc:19: FAILED:\n  CHECK( g == 152 )\nwith expansion:\n  150 == 152\n\n{}\ntest cases: 6 | 5 failed", ".".repeat(79), "=".repeat(79));
        assert_eq!(marks(&CATCH, &run), "..pp....TTDT..!");
        assert!(sniffs(&CATCH, &run));
    }

    #[test]
    fn a_repeated_failure_goes() {
        let one = "a.cc:15: ERROR: CHECK( a < b ) is NOT correct!\n  values: CHECK( 0 <  0 )\n";
        let run = format!(
            "[doctest] doctest version is \"2.4.9\"\n{}\nTEST CASE:  gamma\n\n{}[doctest] Status: FAILURE!",
            "=".repeat(79),
            one.repeat(3)
        );
        assert_eq!(marks(&DOCTEST, &run), "..p.TTTT..!");
        assert!(sniffs(&DOCTEST, &run) && !sniffs(&DOCTEST, "doctest: ok"));
    }
}
