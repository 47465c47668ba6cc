//! RSpec: the numbered failures, errors outside of examples, the commands that run each
//! failing example again; passing and pending examples go.

use super::explain::Explain;
use super::{beside, ending};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Keep};

/// The row of RSpec.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "rspec",
    about: "RSpec: the numbered failures with message and place, the failed examples, the counts",
    sniff,
    opens: Opens::first(b"PAr0123456789", opens),
    cut: |_| Box::new(Rspec::default()),
};

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Part {
    #[default]
    Tree,
    /// `Pending: (Failures listed here are expected ...)`
    Pending,
    Failures,
    After,
}

#[derive(Default)]
struct Rspec {
    part: Part,
    explain: Explain,
}

fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    if lines.iter().any(opens) {
        return true;
    }
    let bad = lines.iter().filter(|l| l.ends(")") && (l.has(" (FAILED - ") || l.has(" (PENDING: "))).count();
    bad >= 2 || bad >= 1 && hint.names("rspec") || lines.iter().any(|l| l.starts("     Failure/Error: "))
}

fn opens(line: &Line<'_>) -> bool {
    match line.text.first() {
        Some(b'P') => line.starts("Pending: (Failures listed here are expected and do not affect"),
        Some(b'A') => line.starts("An error occurred while loading ./") || line.starts("An error occurred in a `"),
        Some(b'r') => line.starts("rspec ./") && line.has(" # "),
        Some(b'0'..=b'9') => is_totals(line.text),
        _ => false,
    }
}

/// `112 examples, 7 failures, 2 pending`, `0 examples, 0 failures, 1 error occurred outside of examples`
fn is_totals(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = &text[digits(text)..];
    let Some(rest) = rest.strip_prefix(b" examples, ").or(rest.strip_prefix(b" example, ")) else { return false };
    let count = digits(rest);
    count > 0 && rest[count..].starts_with(b" failure")
}

fn is_dots(said: &[u8]) -> bool {
    said.len() >= 3 && said.iter().all(|b| matches!(b, b'.' | b'F' | b'*'))
}

impl Cut for Rspec {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        let said = line.trimmed();
        if said.is_empty() {
            return Keep(Edge);
        }
        match text[0] {
            b'P' if line.starts("Pending: (Failures ") => {
                self.part = Part::Pending;
                return Drop("pending examples");
            }
            b'F' if text == b"Failures:" => {
                self.part = Part::Failures;
                return Keep(Edge);
            }
            b'F' if line.starts("Finished in ") && line.has(" second") || line.starts("Finished in ") && line.has(" minute") => {
                self.part = Part::After;
                return Keep(Edge);
            }
            b'F' if text == b"Failed examples:" => {
                self.part = Part::After;
                return Keep(Edge);
            }
            b'A' if line.starts("An error occurred ") => {
                self.part = Part::Failures;
                return Keep(self.explain.open());
            }
            b'T' if line.starts("Top ") && line.has(" slowest ") => {
                self.part = Part::After;
                return Keep(Edge);
            }
            b'R' if line.starts("Randomized with seed ") => return Keep(Detail),
            b'r' if line.starts("rspec ./") || line.starts("rspec '") => return Keep(Top),
            b'0'..=b'9' if is_totals(text) => {
                self.part = Part::After;
                return Keep(Total);
            }
            b'C' | b'L' | b'B'
                if line.starts("Coverage report generated ") || line.starts("Line Coverage: ") || line.starts("Branch Coverage: ") =>
            {
                return Keep(Body)
            }
            _ => {}
        }
        if ending::is_death(line.text) {
            return Keep(Total);
        }
        match self.part {
            Part::Pending => Drop("pending examples"),
            Part::Failures => {
                // `  1) Shelf#put fills up to its size`
                let digits = said.iter().take_while(|b| b.is_ascii_digit()).count();
                if (1..=3).contains(&line.indent()) && digits > 0 && said[digits..].starts_with(b") ") {
                    return Keep(self.explain.open());
                }
                if said.starts_with(b"Failure/Error:") {
                    return Keep(Top);
                }
                if line.starts("Run options: ") {
                    return Keep(Edge);
                }
                self.explain.line(text)
            }
            Part::Tree => {
                if is_dots(said) {
                    return Drop("progress lines");
                }
                if said.ends_with(b")") && line.has(" (FAILED - ") {
                    return Keep(Body);
                }
                if said.ends_with(b")") && line.has(" (PENDING: ") {
                    return Drop("pending examples");
                }
                if line.indent() >= 2 {
                    Drop("passing examples")
                } else {
                    beside(line)
                }
            }
            Part::After if line.indent() > 0 => Keep(Edge),
            Part::After => beside(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn failures_stay_and_pending_ones_go() {
        let text = "Shelf\n  reads error\n  writes (FAILED - 1)\n\nPending: (Failures listed here are expected and do not affect your suite's status)\n\n  1) Shelf counts\n     Failure/Error: x\n\nFailures:\n\n  1) Shelf writes\n     Failure/Error: expect(a).to eq b\n\n       expected: 2\n            got: 1\n     # ./spec/a_spec.rb:11:in `block (3 levels) in <top (required)>'\n\nFinished in 0.03 seconds\n112 examples, 1 failure, 1 pending\n\nFailed examples:\n\nrspec ./spec/a_spec.rb:7 # Shelf writes";
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "Failures:\n  1) we examples\n3 examples, of failure"));
        assert_eq!(marks(&SHAPE, text), "?.BE.E..EEETTETTTEE!EEET");
    }
}
