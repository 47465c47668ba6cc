//! mocha's spec and dot reporters: the numbered failures and the counts; passing tests go.

use super::explain::Explain;
use super::{beside, ending};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Edge, Top, Total};
use Verdict::{Drop, Keep};

/// The row of mocha.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "mocha",
    about: "mocha (spec, dot): the numbered failures with message and place, the counts",
    sniff,
    opens: Opens::indented(b"0123456789", opens),
    cut: |_| Box::new(Mocha::default()),
};

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Part {
    #[default]
    Tree,
    /// Behind the counts, before the first failure.
    Counts,
    /// The path of a failing test, over several lines.
    Title,
    Failure,
}

#[derive(Default)]
struct Mocha {
    part: Part,
    /// A title of the first level came; what stands deeper before it is another's.
    titled: bool,
    explain: Explain,
    /// What the present failure's name is worth.
    title: Option<Rank>,
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    if lines.iter().any(opens) {
        return true;
    }
    // A tree: titles at 2, tests at 4 or more, and nothing that others print above theirs.
    let mut tests = 0;
    let mut titles = 0;
    for line in lines {
        let indent = line.indent();
        let said = line.trimmed();
        if line.starts("PASS ") || line.starts("FAIL ") || line.starts(" PASS ") || line.starts(" FAIL ") || line.starts(" RUN  v") {
            return false;
        }
        if said.starts_with("▶ ".as_bytes()) || said.starts_with("ℹ ".as_bytes()) {
            return false;
        }
        tests += u32::from(indent >= 4 && indent.is_multiple_of(2) && (is_pass(said) || numbered(said).is_some()));
        titles += u32::from(indent == 2 && said.first().is_some_and(|b| b.is_ascii_graphic() && *b != b'-'));
    }
    tests >= 3 && titles >= 1
}

fn opens(line: &Line<'_>) -> bool {
    counts(line.text).is_some_and(|word| word == b"passing")
}

/// `  1253 passing (3s)`, `  3 failing`, `  2 pending`
fn counts(text: &[u8]) -> Option<&[u8]> {
    let said = text.strip_prefix(b"  ")?;
    let digits = said.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = said[digits..].strip_prefix(b" ")?;
    let word = rest.iter().take_while(|b| b.is_ascii_lowercase()).count();
    let tail = rest[word..].trim_ascii();
    let is = digits > 0 && matches!(&rest[..word], b"passing" | b"failing" | b"pending");
    (is && (tail.is_empty() || tail.starts_with(b"(") && tail.ends_with(b")"))).then(|| &rest[..word])
}

fn is_pass(said: &[u8]) -> bool {
    said.starts_with("✔ ".as_bytes()) || said.starts_with("✓ ".as_bytes()) || said.starts_with("√ ".as_bytes())
}

/// What cypress prints around the tree and at the end: a row a spec, between the rules of a table.
/// `│ ✖  cart.cy.ts    00:09    1    -    1    -    - │`, `✖  1 of 61 failed (2%)    00:41 ..`
fn cypress(said: &[u8]) -> Option<Verdict> {
    let text = std::str::from_utf8(said.get(..said.len().min(300))?).ok()?;
    if let Some(row) = text.strip_prefix("│ ") {
        let row = row.trim_start();
        return Some(match row.chars().next()? {
            '✔' | '✓' | '√' => Drop("passing specs"),
            '✖' | '×' => Keep(Top),
            // `│ Failing:      1`
            _ if row.starts_with("Failing: ") && !row.contains(" 0 ") => Keep(Body),
            _ => Keep(Edge),
        });
    }
    if text.starts_with(['┌', '├', '└']) && text.chars().skip(1).take(20).all(|c| c == '─') {
        return Some(Drop("table rules"));
    }
    let verdict = text.strip_prefix(['✖', '×', '✔', '√'])?.trim_start();
    let mut words = verdict.split_ascii_whitespace();
    let is_number = |word: Option<&str>| word.is_some_and(|w| w.bytes().all(|b| b.is_ascii_digit()));
    let counts = is_number(words.next()) && words.next() == Some("of") && is_number(words.next()) && words.next() == Some("failed");
    let share = words.next().is_some_and(|w| w.ends_with("%)"));
    (verdict.starts_with("All specs passed!") || counts && share).then_some(Keep(Total))
}

/// `1) name`
fn numbered(said: &[u8]) -> Option<&[u8]> {
    let digits = said.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    said[digits..].strip_prefix(b") ")
}

/// `  ....!.,..`, in the characters of either terminal.
fn is_dots(said: &[u8]) -> bool {
    let text = String::from_utf8_lossy(said.get(..said.len().min(300)).unwrap_or(said));
    text.chars().all(|c| matches!(c, '.' | '!' | ',' | '․' | '\u{fffd}'))
}

impl Cut for Mocha {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        let said = line.trimmed();
        if said.is_empty() {
            if self.part == Part::Title {
                self.part = Part::Failure;
            }
            return Keep(Edge);
        }
        if let Some(word) = counts(text) {
            self.part = Part::Counts;
            return Keep(if word == b"pending" { Body } else { Total });
        }
        if ending::is_death(line.text) {
            return Keep(Total);
        }
        if let Some(verdict) = cypress(said) {
            return verdict;
        }
        let indent = line.indent();
        if self.part == Part::Tree {
            if indent >= 2 && is_pass(said) {
                return Drop("passing tests");
            }
            if indent >= 2 && numbered(said).is_some() {
                return Keep(Body);
            }
            if indent >= 2 && said.starts_with(b"- ") {
                return Drop("pending tests");
            }
            if indent == 2 && is_dots(said) {
                return Drop("progress lines");
            }
            // A title may be any text; one that speaks of an error may be another tool's finding.
            self.titled |= indent == 2;
            let title = self.titled && indent >= 2 && indent.is_multiple_of(2) && !line.is_error();
            return if title { Verdict::Spare("suite titles") } else { beside(line) };
        }
        if indent == 2 && numbered(said).is_some() {
            self.part = if said.ends_with(b":") { Part::Failure } else { Part::Title };
            let rank = self.explain.open();
            self.title = Some(rank);
            return Keep(rank);
        }
        match self.part {
            Part::Title => {
                if said.ends_with(b":") {
                    self.part = Part::Failure;
                }
                Keep(self.title.unwrap_or(Top))
            }
            Part::Failure if indent > 0 || !line.starts("> ") && !line.starts("npm ") => self.explain.line(text),
            _ => beside(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn the_specs_that_failed_stay_of_cypress_table() {
        let text = "  2 passing (3s)\n  ┌────────────────────────┐\n  │ Failing:      1      │\n  │ ✔  a.cy.ts  00:01  2  2  -  -  - │\n  │ ✖  b.cy.ts  00:09  1  -  1  -  - │\n    ✖  1 of 61 failed (2%)  00:41  201";
        assert_eq!(marks(&SHAPE, text), "!.B.T!");
        assert_eq!(marks(&SHAPE, "  s\n    ✔ All of it\n    ✔ 1 of 2 failed (as it should)"), "s..");
    }

    #[test]
    fn numbered_failures_stay_whole() {
        let text = "\n  res\n    .cookie\n      ✔ sets error\n      1) sets relative expires\n\n  1253 passing (3s)\n  1 failing\n\n  1) res\n       .cookie\n         sets relative expires:\n     Error: expected a, got b\n      + expected - actual\n\n      -310\n      +10\n      at Context.<anonymous> (test/res.js:111:12)\n      at process.processImmediate (node:internal/timers:483:21)\n";
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "  3 passing cars\n    ✔ a"));
        assert_eq!(marks(&SHAPE, text), "Ess.BE!!ETTTTTETTT.E");
    }
}
