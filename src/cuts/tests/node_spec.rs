//! node's own runner with its spec reporter: failing tests with their errors, told once; a
//! failing test that is marked `# todo` is none.

use super::explain::Explain;
use super::{beside, ending};
use crate::cut::{Cut, Noun, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Keep};

/// The row of node's spec reporter.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "node",
    about: "node --test: failing tests with error and place, the counts",
    sniff,
    opens: Opens::first(b"\xe2", opens),
    cut: |_| Box::new(NodeSpec::default()),
};

const REPEATED: Noun = "repeated details";

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Part {
    #[default]
    Tree,
    Failure,
    /// A todo's, or one that was printed before.
    Excused,
}

#[derive(Default)]
struct NodeSpec {
    part: Part,
    explain: Explain,
    seen: Seen,
    /// Behind `✖ failing tests:`.
    summary: bool,
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let mut tests = 0;
    let mut suites = 0;
    for line in lines {
        if opens(line) {
            return true;
        }
        tests += u32::from(timed(line.trimmed()).is_some());
        suites += u32::from(line.trimmed().starts_with("▶ ".as_bytes()));
    }
    tests >= 5 || tests >= 1 && suites >= 1
}

fn opens(line: &Line<'_>) -> bool {
    line.text == "✖ failing tests:".as_bytes()
        || line.text.starts_with("ℹ tests ".as_bytes()) && line.text.last().is_some_and(u8::is_ascii_digit)
}

/// `✔ name (0.123456ms)`, `✖ name (1.4ms) # later`, `﹣ name (0.1ms) # SKIP`: the sign.
fn timed(said: &[u8]) -> Option<&'static str> {
    let sign = ["✔ ", "✖ ", "﹣ "].into_iter().find(|s| said.starts_with(s.as_bytes()))?;
    let at = memchr::memmem::rfind(said, b"ms)")?;
    let rest = &said[at + 3..];
    let time = &said[..at];
    let digits = time.iter().rev().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    (digits > 0 && time[..time.len() - digits].ends_with(b"(") && (rest.is_empty() || rest.starts_with(b" # "))).then_some(sign)
}

impl Cut for NodeSpec {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        let said = line.trimmed();
        if said.is_empty() {
            return Keep(Edge);
        }
        if let Some(sign) = timed(said) {
            if sign == "✔ " {
                self.part = Part::Tree;
                return Drop("passing tests");
            }
            if sign == "﹣ " {
                self.part = Part::Excused;
                return Drop("skipped tests");
            }
            if memchr::memmem::rfind(said, b"ms) # ").is_some() {
                self.part = Part::Excused;
                return Keep(Edge);
            }
            if self.seen.same(said) > 1 && self.summary {
                self.part = Part::Excused;
                return Keep(Body);
            }
            self.part = Part::Failure;
            return Keep(self.explain.open());
        }
        if said.starts_with("▶ ".as_bytes()) {
            self.part = Part::Tree;
            return Drop("suite titles");
        }
        if let Some(rest) = text.strip_prefix("ℹ ".as_bytes()) {
            self.part = Part::Tree;
            let zero = rest.ends_with(b" 0");
            let word = rest.iter().take_while(|b| b.is_ascii_lowercase()).count();
            return Keep(match &rest[..word] {
                b"tests" | b"pass" | b"fail" => Total,
                b"cancelled" if !zero => Total,
                b"suites" | b"skipped" | b"todo" | b"cancelled" | b"duration" => Edge,
                // Coverage, and what tests said through the runner.
                _ if line.has("all files") || line.has("All files") => Total,
                _ if rest.starts_with(b"Error: ") => Top,
                _ => Edge,
            });
        }
        if text == "✖ failing tests:".as_bytes() {
            (self.summary, self.part) = (true, Part::Tree);
            return Keep(Edge);
        }
        if self.summary && line.starts("test at ") {
            self.part = Part::Tree;
            return Keep(Top);
        }
        if ending::is_death(line.text) {
            return Keep(Total);
        }
        match self.part {
            Part::Excused if line.indent() > 0 => Drop(if self.summary { REPEATED } else { "details of todo tests" }),
            Part::Failure if line.indent() > 0 => {
                // `generatedMessage: true,`: an assertion's inside, behind its stack.
                if said.starts_with(b"generatedMessage: ")
                    || said.starts_with(b"code: 'ERR_ASSERTION'")
                    || said.starts_with(b"operator: ")
                    || said == b"}"
                {
                    return Keep(Edge);
                }
                self.explain.line(text)
            }
            // A file that does not load prints its error above its line.
            Part::Tree | Part::Failure | Part::Excused if super::explain::is_exception(said) => {
                self.part = Part::Tree;
                Keep(if self.seen.same(said) <= 2 { Top } else { Edge })
            }
            Part::Tree if said.starts_with(b"at ") => {
                let verdict = self.explain.stack(said);
                if verdict == Keep(Top) {
                    Keep(Body)
                } else {
                    verdict
                }
            }
            Part::Tree if line.starts("node:internal/") || line.starts("Node.js v") => Keep(Detail),
            _ => beside(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn failures_are_told_once_and_todos_not_at_all() {
        let text = "▶ median\n  ✔ FAIL is a word (0.2ms)\n  ✖ of numbers (1.1ms)\n    AssertionError [ERR_ASSERTION]: x\n    \n    11 !== 10\n        at T (/a/m.test.js:6:49)\n  ✖ of bigints (1.4ms) # later\n    AssertionError [ERR_ASSERTION]: y\nℹ tests 3\nℹ fail 1\nℹ duration_ms 7.3\n\n✖ failing tests:\n\ntest at m.test.js:6:3\n✖ of numbers (1.1ms)\n  AssertionError [ERR_ASSERTION]: x";
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "✔ built (3s)\n✖ 3 problems (1 error)"));
        assert_eq!(marks(&SHAPE, text), "..TTETTE.!!EEEETB.");
    }
}
