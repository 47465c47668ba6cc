//! Gradle's test task: failing tests with their exceptions, counts, what went wrong.

use super::javatrace::{is_exception, Trace};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// `gradle test`, `./gradlew check`.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "gradle test",
    about: "Gradle tests: failing tests with exception and place, counts, what went wrong",
    sniff,
    opens: Opens::last(b"DTR", opens),
    cut: |_| Box::new(Gradle::default()),
};

/// Lines that a failing test printed and that are lifted with it.
const LIFTED: u16 = 8;
/// Skipped tests that are named.
const SKIPPED: u16 = 6;

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Tasks,
    /// Under a failing test.
    Failed,
    /// Under `X > y STANDARD_OUT`.
    Output,
    /// Under `* What went wrong:`, under `* Try:`.
    Wrong,
    Try,
}

#[derive(Default)]
struct Gradle {
    state: State,
    trace: Trace,
    lines: u16,
    parked: u16,
    skipped: u16,
}

impl Cut for Gradle {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let told = line.trimmed();
        if told.is_empty() {
            return Verdict::Drop("blank");
        }
        if let Some((name, word)) = test(line.text) {
            return self.test(name, word);
        }
        if let Some(verdict) = self.frame(line) {
            return verdict;
        }
        match self.state {
            State::Failed if line.indent() > 0 => self.traced(told),
            State::Output if line.indent() > 0 => {
                self.parked = self.parked.saturating_add(1);
                Verdict::Park("lines of test output")
            }
            State::Wrong => {
                self.lines += 1;
                Verdict::Keep(if self.lines <= 4 { Rank::Top } else { Rank::Body })
            }
            State::Try => Verdict::Drop("hints"),
            _ => Verdict::Pass,
        }
    }
}

impl Gradle {
    /// `com.example.TaxTableTest > sumsUp07 FAILED`
    fn test(&mut self, name: &[u8], word: &[u8]) -> Verdict {
        let parked = std::mem::take(&mut self.parked).min(LIFTED);
        match word {
            b"FAILED" => {
                (self.state, self.lines) = (State::Failed, 0);
                self.trace.begin(name.split(|b| *b == b' ').next().unwrap_or_default());
                Verdict::KeepWith { rank: Rank::Top, lines: parked, with: Rank::Detail }
            }
            b"PASSED" => {
                self.state = State::Tasks;
                Verdict::Drop("passing tests")
            }
            b"SKIPPED" => {
                self.state = State::Tasks;
                self.skipped += 1;
                Verdict::Keep(if self.skipped <= SKIPPED { Rank::Body } else { Rank::Edge })
            }
            // STANDARD_OUT, STANDARD_ERROR
            _ => {
                self.state = State::Output;
                self.parked = 1;
                Verdict::Park("lines of test output")
            }
        }
    }

    fn frame(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.text;
        match *text.first()? {
            // > Task :test FAILED
            b'>' if line.starts("> Task :") => {
                self.state = State::Tasks;
                Some(if line.ends(" FAILED") { Verdict::Keep(Rank::Top) } else { Verdict::Drop("tasks") })
            }
            // :compileJava, :processResources NO-SOURCE, :test FAILED
            b':' if !text[1..].is_empty() && text[1..].first().is_some_and(u8::is_ascii_alphabetic) && words(text) <= 2 => {
                self.state = State::Tasks;
                Some(if line.ends(" FAILED") { Verdict::Keep(Rank::Top) } else { Verdict::Drop("tasks") })
            }
            // 154 tests completed, 5 failed, 1 skipped
            b'0'..=b'9' if line.has(" completed") && (line.has(" test completed") || line.has(" tests completed")) => {
                Some(Verdict::Keep(Rank::Total))
            }
            b'0'..=b'9' if line.has(" actionable task") => Some(Verdict::Keep(Rank::Edge)),
            b'B' if line.starts("BUILD SUCCESSFUL in ") || line.starts("BUILD FAILED in ") || text == b"BUILD FAILED" => {
                self.state = State::Tasks;
                Some(Verdict::Keep(Rank::Total))
            }
            b'F' if line.starts("FAILURE: Build ") => Some(Verdict::Keep(Rank::Detail)),
            b'*' if line.starts("* What went wrong:") => {
                (self.state, self.lines) = (State::Wrong, 0);
                Some(Verdict::Keep(Rank::Detail))
            }
            b'*' if line.starts("* Try:") || line.starts("* Get more help at ") || line.starts("* Exception is:") => {
                self.state = if line.starts("* Exception") { State::Wrong } else { State::Try };
                Some(Verdict::Drop("hints"))
            }
            _ => None,
        }
    }

    /// `    java.lang.AssertionError at TaxTableTest.java:62`, or the full exception.
    fn traced(&mut self, told: &[u8]) -> Verdict {
        let cause = told.starts_with(b"Caused by: ");
        if cause {
            self.trace.cause();
        } else if told.starts_with(b"at ") || told.starts_with(b"... ") {
            if let Some(verdict) = self.trace.frame(told) {
                return verdict;
            }
        }
        self.lines += 1;
        Verdict::Keep(match self.lines {
            n if n <= 2 || cause => Rank::Top,
            n if n <= 8 || is_exception(told) => Rank::Body,
            _ => Rank::Detail,
        })
    }
}

/// A test's line: its name, and what is said of it.
fn test(text: &[u8]) -> Option<(&[u8], &[u8])> {
    if !text.first()?.is_ascii_alphabetic() {
        return None;
    }
    let arrow = crate::line::find(text, b" > ")?;
    let space = text.iter().rposition(|b| *b == b' ')?;
    let word = &text[space + 1..];
    let known = [b"FAILED".as_slice(), b"PASSED", b"SKIPPED", b"STANDARD_OUT", b"STANDARD_ERROR"].contains(&word);
    (known && space > arrow + 2).then_some((&text[..space], word))
}

fn words(text: &[u8]) -> usize {
    text.split(|b| *b == b' ').count()
}

fn opens(line: &Line<'_>) -> bool {
    test(line.text).is_some_and(|(name, _)| memchr::memchr(b' ', name).is_some_and(|i| name[i..].starts_with(b" > ")))
}

/// A test's line, or its task's.
fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let task = |l: &Line<'_>| l.starts("> Task :") || l.starts(":test") || l.starts(":compile");
    lines.iter().any(opens) && (lines.iter().any(task) || lines.iter().filter(|l| opens(l)).count() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const RUN: &str = "> Task :compileJava\ncom.example.ATest > adds PASSED\n\ncom.example.ATest > halves FAILED\n    java.lang.AssertionError at ATest.java:62\n\n2 tests completed, 1 failed\n> Task :test FAILED\n\n* What went wrong:\nExecution failed for task ':test'.\n\n* Try:\n> Run with --info\n\nBUILD FAILED in 7s";

    #[test]
    fn failing_tests_and_the_cause_stay() {
        assert_eq!(marks(&SHAPE, RUN), "...TT.!T.DT....!");
    }

    #[test]
    fn an_arrow_alone_does_not_match() {
        assert!(sniffs(&SHAPE, RUN));
        assert!(!sniffs(&SHAPE, "src/a.test.ts > adds > halves\n> Task list"));
    }
}
