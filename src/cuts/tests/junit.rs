//! The JUnit Platform's console launcher: the tree's failing leaves, the failures, totals.
//!
//! A parent's tick only says that the container itself went well: it tells nothing of what
//! is below it.

use super::javatrace::Trace;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// `java -jar junit-platform-console-standalone.jar`
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "junit console",
    about: "JUnit console launcher: failing tests with exception and own frames, totals",
    sniff,
    opens: Opens::first(b"\xe2", |line| line.text.starts_with("└─ JUnit ".as_bytes()) || line.text.starts_with("├─ JUnit ".as_bytes())),
    cut: |_| Box::new(Junit::default()),
};

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Tree,
    /// In the text of a leaf that failed.
    Leaf,
    Failures,
}

#[derive(Default)]
struct Junit {
    state: State,
    trace: Trace,
    lines: u16,
}

impl Cut for Junit {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let told = line.trimmed();
        if told.is_empty() || told == "╷".as_bytes() || told == b"." {
            return Verdict::Drop("blank");
        }
        // [         9 tests failed          ]
        if let Some(count) = line.after("[ ").and_then(|c| c.strip_suffix(b"]")) {
            let said = count.trim_ascii();
            let zero = said.starts_with(b"0 ");
            if crate::line::find(said, b" tests ").is_some() {
                return Verdict::Keep(if zero { Rank::Detail } else { Rank::Total });
            }
            return if zero || !said.ends_with(b"failed") { Verdict::Drop("container counts") } else { Verdict::Keep(Rank::Total) };
        }
        if is_branch(line.text) {
            return self.branch(line.text);
        }
        // Failures (9):
        if line.starts("Failures (") && line.ends("):") {
            self.state = State::Failures;
            return Verdict::Keep(Rank::Detail);
        }
        if line.starts("Test run finished after ") {
            return Verdict::Keep(Rank::Detail);
        }
        if line.starts("Thanks for using JUnit!") {
            return Verdict::Drop("headings");
        }
        match self.state {
            State::Failures => self.failure(line, told),
            _ => Verdict::Pass,
        }
    }
}

impl Junit {
    /// `   ├─ throwsOnHuge() ✘ Expected ...`, `│  ├─ case 11 [X] message`
    fn branch(&mut self, text: &[u8]) -> Verdict {
        let is = |signs: &[&str]| signs.iter().any(|s| crate::line::find(text, s.as_bytes()).is_some());
        if is(&[" ✘", " [X]"]) {
            self.state = State::Leaf;
            return Verdict::Keep(Rank::Top);
        }
        if is(&["─ "]) {
            self.state = State::Tree;
            return Verdict::Drop(if is(&[" ↷", " [S]"]) { "skipped tests" } else { "passing tests" });
        }
        // The rest of a message of several lines.
        if self.state == State::Leaf {
            Verdict::Keep(Rank::Body)
        } else {
            Verdict::Drop("passing tests")
        }
    }

    fn failure(&mut self, line: &Line<'_>, told: &[u8]) -> Verdict {
        //   JUnit Jupiter:shelf:throwsOnHuge()
        if line.indent() == 2 {
            self.lines = 0;
            return Verdict::Keep(Rank::Top);
        }
        // MethodSource [className = 'com.example.ShelfTest', methodName = 'throwsOnHuge', ...]
        if let Some(at) = crate::line::find(told, b"className = '") {
            self.trace.begin(&told[at + b"className = '".len()..]);
            return Verdict::Drop("sources");
        }
        if told.starts_with(b"=> ") || told.starts_with(b"Caused by: ") {
            self.trace.cause();
            self.lines = 0;
            return Verdict::Keep(Rank::Top);
        }
        if let Some(verdict) = self.trace.frame(told) {
            return verdict;
        }
        self.lines += 1;
        Verdict::Keep(if self.lines <= 8 { Rank::Body } else { Rank::Detail })
    }
}

/// Part of the tree: its lines are drawn in front of it.
fn is_branch(text: &[u8]) -> bool {
    let told = text.trim_ascii_start();
    ["├─", "└─", "│", "+--", "'--", "|"].iter().any(|b| told.starts_with(b.as_bytes()))
}

/// The tree's root, or the totals.
fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().any(|l| SHAPE.opens.by(l) || l.starts("[ ") && l.ends(" containers found      ]"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const RUN: &str = "╷\n└─ JUnit Jupiter ✔\n   ├─ opens() ✔\n   └─ closes() ✘ boom\n\nFailures (1):\n  JUnit Jupiter:closes()\n    MethodSource [className = 'com.example.ShelfTest', methodName = 'closes']\n    => java.lang.Error: boom\n       org.junit.A.b(A.java:1)\n       com.example.ShelfTest.closes(ShelfTest.java:16)\n       [...]\n\n[         1 containers found      ]\n[         2 tests found           ]\n[         1 tests failed          ]";

    #[test]
    fn failing_leaves_and_own_frames_stay() {
        assert_eq!(marks(&SHAPE, RUN), "...T.DT.T.T...!!");
    }

    #[test]
    fn a_tree_of_files_is_not_a_tree_of_tests() {
        assert!(sniffs(&SHAPE, RUN));
        assert!(!sniffs(&SHAPE, ".\n├── src\n│   └── JUnit.java\n└── README.md"));
    }
}
