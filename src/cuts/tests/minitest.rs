//! minitest (and test-unit, and Rails' runner): failures and errors with message and place,
//! the counts; passing and skipped tests go.

use super::explain::Explain;
use super::{beside, ending};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Edge, Top, Total};
use Verdict::{Drop, Keep};

/// The row of minitest.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "minitest",
    about: "minitest, test-unit: failures and errors with message and place, the counts",
    sniff,
    opens: Opens::first(b"R0123456789", opens),
    cut: |_| Box::new(Minitest::default()),
};

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Part {
    #[default]
    Progress,
    /// The line below `  1) Failure:` names the test.
    Name,
    Failure,
    Skipped,
    After,
}

#[derive(Default)]
struct Minitest {
    part: Part,
    explain: Explain,
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let heading = lines.iter().any(|l| l.text == b"# Running:" || l.text == b"# Running tests:" || l.starts("Loaded suite ") || opens(l));
    heading || lines.iter().filter(|l| timed(l.text).is_some()).count() >= 3
}

fn opens(line: &Line<'_>) -> bool {
    // `Run options: -v --seed 4711`
    line.starts("Run options: ") && line.has("--seed ") || is_totals(line.text)
}

/// `361 runs, 619 assertions, 7 failures, 3 errors, 1 skips`, `12 tests, 30 assertions, 1 failures, ...`
fn is_totals(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = &text[digits..];
    let runs = [b" runs, ".as_slice(), b" run, ", b" tests, ", b" test, "].iter().any(|w| rest.starts_with(w));
    digits > 0 && runs && crate::line::find(rest, b" assertion").is_some() && crate::line::find(rest, b" failure").is_some()
}

/// `PricingTest#test_quote = 0.00 s = .`: the letter.
fn timed(text: &[u8]) -> Option<u8> {
    let letter = *text.last()?;
    let head = text[..text.len() - 1].strip_suffix(b" s = ")?;
    let at = memchr::memmem::rfind(head, b" = ")?;
    let number = &head[at + 3..];
    (b".FES".contains(&letter) && !number.is_empty() && number.iter().all(|b| b.is_ascii_digit() || *b == b'.')).then_some(letter)
}

/// `  1) Failure:`, ` 10) Error:`, `  1) Skipped:`; Rails and test-unit print no number.
fn heading(text: &[u8]) -> Option<bool> {
    let said = text.trim_ascii();
    let digits = said.iter().take_while(|b| b.is_ascii_digit()).count();
    let word = if digits > 0 { said[digits..].strip_prefix(b") ")? } else { text };
    match word {
        b"Failure:" | b"Error:" => Some(true),
        b"Skipped:" => Some(false),
        _ => None,
    }
}

impl Cut for Minitest {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        let said = line.trimmed();
        if said.is_empty() {
            return Keep(Edge);
        }
        if let Some(letter) = timed(text) {
            self.part = Part::Progress;
            return match letter {
                b'.' => Drop("passing tests"),
                b'S' => Drop("skipped tests"),
                _ => Keep(Body),
            };
        }
        if let Some(failed) = heading(text) {
            if !failed {
                self.part = Part::Skipped;
                return Drop("skipped tests");
            }
            self.part = Part::Name;
            self.explain.open();
            return Keep(Top);
        }
        // test-unit: `Failure: test_bad(CartTest)`, `Error: test_err(CartTest): RuntimeError: boom`
        if self.part != Part::Failure || text.first() != Some(&b' ') {
            let unit = |word: &str| line.after(word).is_some_and(|r| r.starts_with(b"test") && memchr::memchr(b'(', r).is_some());
            if unit("Failure: ") || unit("Error: ") {
                self.part = Part::Failure;
                return Keep(self.explain.open());
            }
            if unit("Pending: ") || unit("Omission: ") || unit("Notification: ") {
                self.part = Part::Skipped;
                return Drop("skipped tests");
            }
        }
        if is_totals(text) {
            self.part = Part::After;
            return Keep(Total);
        }
        if ending::is_death(line.text) {
            return Keep(Total);
        }
        if line.starts("Finished in ") || line.starts("Run options: ") || line.starts("# Running") || line.starts("Finished tests in ") {
            return Keep(Edge);
        }
        // `bin/rails test test/models/user_test.rb:6`
        if (line.starts("rails test ") || line.starts("bin/rails test ")) && line.has(".rb:") {
            self.part = Part::Progress;
            return Keep(Top);
        }
        match self.part {
            Part::Name => {
                self.part = Part::Failure;
                Keep(Top)
            }
            Part::Failure if said.starts_with(b"---Backtrace---") => Keep(Edge),
            Part::Failure => self.explain.line(text),
            Part::Skipped => Drop("skipped tests"),
            Part::Progress if said.iter().all(|b| b".FES".contains(b)) => Drop("progress lines"),
            Part::After if line.starts("You have skipped tests.") => Drop("hints"),
            Part::After if line.ends("% passed") => Keep(Total),
            Part::Progress | Part::After => beside(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn failures_keep_name_values_and_place() {
        let text = "Run options: --seed 4711\n\n# Running:\n\nA#test_error = 0.00 s = .\nF..S\n\n  1) Skipped:\nA#test_later [a_test.rb:148]:\nsays ERROR\n\n  2) Failure:\nA#test_b [a_test.rb:146]:\nbulk starts at 100.\nExpected: 4050.0\n  Actual: 4500\n\n144 runs, 142 assertions, 1 failures, 0 errors, 1 skips";
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "12 runs, of assertions\n1) Failure: x"));
        assert_eq!(marks(&SHAPE, text), "EEEE..E...ETTTTTE!");
    }
}
