//! TAP from whatever prints it (node --test, tap, mocha, Test::More) and prove: `not ok`
//! with what is said about it, and the totals. A `# TODO` is no failure.

use super::explain::Explain;
use super::{beside, ending};
use crate::cut::{Cut, Noun, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Drop, Keep, KeepWith};

/// The row of TAP and prove.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "tap",
    about: "TAP and prove: each `not ok` with its diagnostics, plans and totals",
    sniff,
    opens: Opens::first(b"T", |line| (line.starts("TAP version ") && line.text.len() <= 15) || line.text == b"Test Summary Report"),
    cut: |_| Box::new(Tap::default()),
};

const PASSING: Noun = "passing tests";

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Part {
    /// Below a passing test, or a `# TODO`.
    #[default]
    Passing,
    /// Below a `not ok`.
    Failing,
    /// `Test Summary Report`
    Report,
}

/// What stands below the present key of a YAML block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Key {
    Message,
    Stack,
    Value,
    Place,
    Other,
}

#[derive(Default)]
struct Tap {
    part: Part,
    explain: Explain,
    seen: Seen,
    /// Indent of the YAML block that we are in.
    yaml: Option<usize>,
    key: Option<Key>,
    /// The failing one is a parent: its children said why.
    parent: bool,
    values: u32,
    /// Lines in a row that are nobody's.
    loose: u32,
    /// The totals were seen.
    ended: bool,
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let mut points = 0;
    let mut frame = false;
    for line in lines {
        frame |= line.starts("TAP version ") || is_plan(line.text) || line.starts("# Subtest: ");
        points += u32::from(point(line.text).is_some());
        if points >= 5 || points >= 2 && frame || is_file(line.text).is_some() || line.text == b"Test Summary Report" {
            return true;
        }
    }
    false
}

/// `ok 3 - name`, `    not ok 2 - name # TODO later`: did it pass, and what follows.
fn point(text: &[u8]) -> Option<(bool, &[u8])> {
    let said = text.trim_ascii_start();
    let (passed, rest) = match (said.strip_prefix(b"ok"), said.strip_prefix(b"not ok")) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => return None,
    };
    let rest = rest.strip_prefix(b" ")?;
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    (digits > 0 && matches!(rest.get(digits), None | Some(b' '))).then(|| (passed, &rest[digits..]))
}

/// Is it marked `# TODO` or `# SKIP`?
fn is_excused(rest: &[u8]) -> bool {
    let Some(at) = memchr::memmem::rfind(rest, b"# ") else { return false };
    let word = rest[at + 2..].trim_ascii_start();
    word.len() >= 4 && (word[..4].eq_ignore_ascii_case(b"todo") || word[..4].eq_ignore_ascii_case(b"skip"))
}

/// `1..127`
fn is_plan(text: &[u8]) -> bool {
    text.trim_ascii().strip_prefix(b"1..").is_some_and(|n| n.first().is_some_and(u8::is_ascii_digit))
}

/// prove's line of a file: `t/label.t .... ok`; gives what follows the dots.
fn is_file(text: &[u8]) -> Option<&[u8]> {
    let at = crate::line::find(text, b".t ..")?;
    let dots = text[at + 3..].iter().take_while(|b| **b == b'.').count();
    let rest = &text[at + 3 + dots..];
    let path = &text[..at];
    (!path.is_empty() && !path.contains(&b' ') && (rest.is_empty() || rest[0] == b' ')).then(|| rest.trim_ascii())
}

impl Tap {
    /// A line between `---` and `...`.
    fn yaml(&mut self, line: &Line<'_>, indent: usize) -> Verdict {
        let said = line.trimmed();
        if said == b"..." && line.indent() == indent {
            self.yaml = None;
            return if self.part == Part::Failing { Keep(Edge) } else { Drop(PASSING) };
        }
        if self.part != Part::Failing {
            return Drop(PASSING);
        }
        if line.indent() == indent {
            if let Some(colon) = memchr::memchr(b':', said) {
                let value = said[colon + 1..].trim_ascii();
                return self.key(line, &said[..colon], value);
            }
        }
        match self.key {
            // vitest: `message: "expected 2 to be 3"` below `error:`
            Some(Key::Message) if said.starts_with(b"name: \"") => Keep(Edge),
            Some(Key::Message) => self.explain.line(line.text),
            Some(Key::Stack) => self.explain.stack(said),
            Some(Key::Value) => {
                self.values += 1;
                Keep(if self.values <= 4 && !self.parent { Detail } else { Edge })
            }
            Some(Key::Place) => Keep(if said.starts_with(b"fileName:") || said.starts_with(b"lineNumber:") { Top } else { Edge }),
            _ => Keep(Edge),
        }
    }

    fn key(&mut self, line: &Line<'_>, key: &[u8], value: &[u8]) -> Verdict {
        let block = value.is_empty() || matches!(value, b"|-" | b"|" | b">-" | b">" | b"|+") || value.starts_with(b"|");
        let (key, verdict) = match key {
            b"type" => {
                self.parent |= value == b"'suite'";
                (Key::Other, Keep(Edge))
            }
            b"failureType" => {
                self.parent |= value == b"'subtestsFailed'";
                let told = matches!(value, b"'testCodeFailure'" | b"'subtestsFailed'");
                (Key::Other, Keep(if told { Edge } else { Body }))
            }
            b"error" | b"message" if self.parent && value.ends_with(b" failed'") => (Key::Other, Keep(Edge)),
            b"error" | b"message" | b"reason" if block => (Key::Message, Keep(Edge)),
            b"error" | b"message" | b"reason" => (Key::Message, self.explain.line(value)),
            b"location" | b"file" => (Key::Place, Keep(if self.parent { Edge } else { self.explain.most() })),
            b"at" => (Key::Place, Keep(if block || self.parent { Edge } else { self.explain.most() })),
            b"diff" => (Key::Message, Keep(Edge)),
            b"stack" => (Key::Stack, Keep(Edge)),
            b"expected" | b"actual" | b"found" | b"wanted" | b"got" => {
                self.values = 0;
                (Key::Value, Keep(if block { Edge } else { self.explain.most() }))
            }
            b"exitCode" | b"signal" if value != b"~" => (Key::Other, Keep(Body)),
            _ => (Key::Other, Keep(Edge)),
        };
        self.key = Some(key);
        let _ = line;
        verdict
    }

    /// `# ...`
    fn comment(&mut self, line: &Line<'_>, said: &[u8]) -> Verdict {
        let text = said.trim_ascii();
        if text.is_empty() {
            return Keep(Edge);
        }
        if said.starts_with(b" Subtest: ") {
            return Drop("subtest headings");
        }
        if said.starts_with(b" Looks like your test exited with ") {
            // What the test died of stands right above.
            return KeepWith { rank: Total, lines: 1, with: Top };
        }
        if said.starts_with(b" Looks like ") || said.starts_with(b" { total: ") {
            return Keep(Total);
        }
        if text.starts_with(b"Failed test") {
            self.part = Part::Failing;
            self.explain.open();
            return Keep(Top);
        }
        if text.starts_with(b"Failed (TODO) test") {
            self.part = Part::Passing;
            return Keep(Edge);
        }
        // `# tests 112`, `# fail 5`, `# pass  104`
        let word = text.iter().take_while(|b| b.is_ascii_lowercase() || **b == b'_').count();
        let number = text[word..].trim_ascii();
        if line.indent() == 0 && !number.is_empty() && number.iter().all(|b| b.is_ascii_digit() || *b == b'.') {
            match &text[..word] {
                b"tests" | b"pass" | b"fail" | b"failed" => {
                    self.ended = true;
                    return Keep(Total);
                }
                b"cancelled" if number != b"0" => return Keep(Total),
                b"suites" | b"skipped" | b"skip" | b"todo" | b"cancelled" | b"duration_ms" => return Keep(Edge),
                _ => {}
            }
        }
        if self.part == Part::Failing {
            // `#   at t/convert.t line 3.`
            if text.starts_with(b"at ") && crate::line::find(text, b" line ").is_some() {
                return Keep(Top);
            }
            // `$got->[2] = '3.0 m'`
            if text.starts_with(b"$got") || text.starts_with(b"$expected") {
                return Keep(Top);
            }
            return self.explain.line(text);
        }
        let new = line.is_error() && self.seen.alike(text) == 1;
        Keep(if new { Detail } else { Edge })
    }

    fn prove(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.text;
        if let Some(rest) = is_file(text) {
            self.part = Part::Passing;
            return Some(if rest == b"ok" || rest.starts_with(b"ok ") || rest.starts_with(b"skipped") {
                Drop("passing files")
            } else if rest.is_empty() {
                Keep(Detail)
            } else {
                Keep(Top)
            });
        }
        if line.starts("Dubious, test returned ") || line.starts("No subtests run") {
            return Some(KeepWith { rank: Top, lines: 1, with: Body });
        }
        if line.starts("Failed ") && line.has(" subtests") || line.starts("Bail out!") || line.starts("FAILED--") {
            return Some(Keep(Top));
        }
        if line.starts("Result: ") || line.starts("All tests successful.") {
            (self.part, self.ended) = (Part::Passing, true);
            return Some(Keep(Total));
        }
        if line.starts("Files=") {
            return Some(Keep(Total));
        }
        if text == b"Test Summary Report" {
            self.part = Part::Report;
            return Some(Keep(Detail));
        }
        None
    }
}

impl Cut for Tap {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        let said = line.trimmed();
        if let Some(indent) = self.yaml {
            return self.yaml(line, indent);
        }
        if said.is_empty() {
            return Keep(Edge);
        }
        if let Some((passed, rest)) = point(text) {
            (self.parent, self.loose) = (false, 0);
            if passed || is_excused(rest) {
                self.part = Part::Passing;
                return Drop(if passed { PASSING } else { "todo tests" });
            }
            self.part = Part::Failing;
            return Keep(self.explain.open());
        }
        if said == b"---" && line.indent() > 0 {
            (self.yaml, self.key) = (Some(line.indent()), None);
            return if self.part == Part::Failing { Keep(Edge) } else { Drop(PASSING) };
        }
        if is_plan(text) {
            return if line.indent() == 0 { Keep(Total) } else { Drop("plans") };
        }
        if let Some(rest) = said.strip_prefix(b"#") {
            self.loose = 0;
            return self.comment(line, rest);
        }
        if line.starts("TAP version ") {
            return Drop("header lines");
        }
        if let Some(verdict) = self.prove(line) {
            return verdict;
        }
        if ending::is_death(line.text) {
            return Keep(Total);
        }
        match self.part {
            Part::Report if is_rule(said) => Keep(Edge),
            Part::Report if line.has(" (Wstat: ") || line.indent() > 0 => Keep(Top),
            // mocha's tap reporter: what follows a `not ok` is indented.
            Part::Failing if line.indent() > 0 => self.explain.line(text),
            // `Can't locate X.pm in @INC ... at t/load.t line 2.`
            _ if line.has(" line ") && line.ends(".") && !line.starts("BEGIN failed") => {
                let met = self.seen.same(text);
                Keep(if met <= 2 { Top } else { Edge })
            }
            _ if line.starts("> ") => Keep(Edge),
            // What a dying test says last has no form of its own.
            _ if !self.ended && self.loose < 2 && line.indent() == 0 => {
                self.loose += 1;
                Keep(Body)
            }
            _ => beside(line),
        }
    }
}

fn is_rule(said: &[u8]) -> bool {
    said.iter().all(|b| *b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn a_todo_is_no_failure() {
        assert!(sniffs(&SHAPE, "TAP version 13\nok 1 - a\nnot ok 2 - b") && !sniffs(&SHAPE, "ok\nok then\nnot ok\n1..2"));
        assert_eq!(marks(&SHAPE, "ok 1 - not ok\nnot ok 2 - b\nnot ok 3 - c # TODO later\n1..3\n# fail 1"), ".T.!!");
    }

    #[test]
    fn a_yaml_block_gives_message_place_and_values() {
        let text = "    not ok 2 - of numbers\n      ---\n      duration_ms: 1.07\n      location: '/a/median.test.js:6:3'\n      failureType: 'testCodeFailure'\n      error: |-\n        Expected values to be strictly equal:\n        \n        11 !== 10\n      expected: 10\n      actual: 11\n      stack: |-\n        TestContext.<anonymous> (/a/median.test.js:6:49)\n        Test.run (node:internal/test_runner/test:796:25)\n      ...\nok 3 - c\n  ---\n  duration_ms: 1\n  ...";
        assert_eq!(marks(&SHAPE, text), "TEETEETETTTET.E....");
    }

    #[test]
    fn provers_reports_stay() {
        let text = "#   Failed test 'a'\n#   at t/a.t line 3.\n#          got: 1\n#     expected: 2\nt/a.t .. \nDubious, test returned 4 (wstat 1024, 0x400)\nFailed 4/127 subtests \nt/b.t .. ok\n\nTest Summary Report\n-------------------\nt/a.t (Wstat: 1024 Tests: 127 Failed: 4)\n  Failed tests:  61-64\nResult: FAIL";
        assert_eq!(marks(&SHAPE, text), "TTTTDTT.EDETT!");
    }
}
