//! cargo nextest: each failing test with its captured text, the summary, what did not run.
//!
//! nextest shows libtest's own one-test run inside every failure, with a result line of its
//! own: adding these up gives nonsense, so they go. The only total is `Summary`; under it
//! all failures are named once more.

use super::panic::Report;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The runner that starts a process a test.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "cargo nextest",
    about: "cargo nextest: failures, signals, time-outs, flaky tests with their text, the summary",
    sniff,
    opens: Opens::indented(b"NSPF", opens),
    cut: |_| Box::new(Nextest::default()),
};

/// Slow and leaky tests that are told.
const SLOW: u16 = 5;
/// Names under the summary that count among the totals: tests whose text was not told, and
/// those that ended by a signal or a time-out.
const OTHER: u16 = 30;

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Section {
    #[default]
    Before,
    Running,
    /// Under a failure's status line.
    Block,
    /// Under `Summary`.
    Summary,
}

#[derive(Default)]
struct Nextest {
    section: Section,
    report: Report,
    summed: bool,
    slow: u16,
    other: u16,
    /// Under libtest's `failures:`, where names stand.
    names: bool,
}

impl Cut for Nextest {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if line.is_blank() {
            return match self.section {
                Section::Block => self.report.line(b""),
                _ => Verdict::Drop("blank"),
            };
        }
        if let Some((word, name)) = status(line.text) {
            return self.status(word, name);
        }
        if let Some(verdict) = self.frame(line) {
            return verdict;
        }
        match self.section {
            Section::Block => self.block(line),
            Section::Before if super::libtest::is_progress(line) => {
                if line.starts("    Finished ") {
                    Verdict::Keep(Rank::Edge)
                } else {
                    Verdict::Drop("compiling")
                }
            }
            _ => Verdict::Pass,
        }
    }
}

impl Nextest {
    /// `        FAIL [   0.009s] ( 309/1206) grep-cli human::tests::suffix_m`
    fn status(&mut self, word: &[u8], name: &[u8]) -> Verdict {
        let kind = word.rsplit(|b| *b == b' ').next().unwrap_or_default();
        let tried = word.starts_with(b"TRY ");
        match kind {
            b"PASS" if !tried => {
                self.section = Section::Running;
                Verdict::Drop("passing tests")
            }
            b"SKIP" | b"START" | b"STRT" | b"DELAY" | b"RETRY" => {
                self.section = Section::Running;
                Verdict::Drop("test starts")
            }
            b"SLOW" | b"LEAK" | b"PASS" | b"TERMINATING" | b"TRMNTG" => {
                self.section = Section::Running;
                self.slow += 1;
                Verdict::Keep(if self.slow <= SLOW { Rank::Detail } else { Rank::Edge })
            }
            _ if self.summed || word.starts_with(b"FLAKY") || word.starts_with(b"FLKY") => {
                // Named once more; with failure-output = "final" its text follows here.
                self.section = Section::Block;
                self.report.begin_as(name);
                let told = kind == b"FAIL" && self.report.has_told(name);
                let other = !told && self.other < OTHER;
                self.other += u16::from(other);
                Verdict::Keep(match (told, other) {
                    (_, true) => Rank::Total,
                    (true, _) => Rank::Detail,
                    _ => Rank::Top,
                })
            }
            _ => {
                self.section = Section::Block;
                self.names = false;
                self.report.named_head(name)
            }
        }
    }

    fn frame(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let told = line.trimmed();
        //      Summary [   5.806s] 268 tests run: 235 passed, 33 failed, 0 skipped
        if line.starts("     Summary [") {
            (self.section, self.summed) = (Section::Summary, true);
            return Some(Verdict::Keep(Rank::Total));
        }
        if line.starts("    Starting ") && line.has(" test") {
            self.section = Section::Running;
            return Some(Verdict::Keep(Rank::Total));
        }
        if told.starts_with("────".as_bytes()) && !line.starts("  ") {
            self.section = if self.summed { Section::Summary } else { Section::Running };
            return Some(Verdict::Drop("rules"));
        }
        if line.starts(" Nextest run ID ") || line.starts("     Nextest run ID ") {
            return Some(Verdict::Drop("headings"));
        }
        //   Cancelling due to test failure: 1 test still running
        if told.starts_with(b"Canceling due to ") || told.starts_with(b"Cancelling due to ") {
            self.section = Section::Running;
            return Some(Verdict::Keep(Rank::Top));
        }
        // error: test run failed
        // warning: 366/516 tests were not run due to test failure (run with --no-fail-fast ...)
        let closing = line.starts("error: test run failed")
            || line.starts("error: no tests to run")
            || line.starts("warning: ") && line.has(" not run due to ");
        closing.then_some(Verdict::Keep(Rank::Total))
    }

    /// Inside a failure: `  stdout ───`, then text indented by four.
    fn block(&mut self, line: &Line<'_>) -> Verdict {
        let told = line.trimmed();
        let stream = told.starts_with(b"stdout ") || told.starts_with(b"stderr ") || told == b"output" || told.starts_with(b"output ");
        if stream && line.has("───") || line.starts("--- STDOUT: ") || line.starts("--- STDERR: ") {
            self.names = false;
            return Verdict::Drop("headings");
        }
        let text = line.after("    ").unwrap_or(line.text);
        // (test aborted with signal 6: SIGABRT), (test failed with exit code 3), (test timed out)
        if text.starts_with(b"(test ") && text.ends_with(b")") {
            return self.report.ends();
        }
        if text == b"failures:" {
            self.names = true;
            return Verdict::Drop("headings");
        }
        let libtest = text == b"running 1 test"
            || text.starts_with(b"test result: ") && line.has(" passed; ")
            || text.starts_with(b"test ") && line.ends(" ... FAILED")
            || text.starts_with(b"---- ") && line.ends(" stdout ----")
            || self.names && text.starts_with(b"    ") && !text[4..].contains(&b' ');
        if libtest {
            return Verdict::Drop("headings");
        }
        self.report.line(text)
    }
}

/// The word of a status line, right-aligned to 12 columns, and the test that it is said of.
fn status(text: &[u8]) -> Option<(&[u8], &[u8])> {
    if text.get(12..14)? != b" [" {
        return None;
    }
    let word = text[..12].trim_ascii_start();
    if !word.first()?.is_ascii_uppercase() || !word.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b" +/-".contains(b)) {
        return None;
    }
    let close = 14 + crate::line::find(&text[14..], b"s] ")?;
    let time = text[14..close].trim_ascii_start();
    if !time.iter().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'>' | b' ')) {
        return None;
    }
    let rest = text[close + 3..].trim_ascii();
    let name = if rest.starts_with(b"(") { crate::line::find(rest, b") ").map_or(rest, |i| &rest[i + 2..]) } else { rest };
    Some((word, name))
}

fn opens(line: &Line<'_>) -> bool {
    match line.text.first() {
        Some(b' ') => {
            line.starts(" Nextest run ID ")
                || line.starts("    Starting ") && line.has(" tests across ") && line.has(" binar")
                || status(line.text).is_some_and(|(word, _)| matches!(word, b"PASS" | b"FAIL"))
        }
        _ => false,
    }
}

/// Errors and warnings of the build before it are the build's.
fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines
        .iter()
        .find(|l| !l.is_blank() && !super::libtest::is_progress(l) && !l.trimmed().starts_with("────".as_bytes()))
        .is_some_and(opens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const RUN: &str = "    Starting 2 tests across 1 binary\n        PASS [   0.009s] (1/2) a x::one\n        FAIL [   0.009s] (2/2) a x::two\n  stdout ───\n\n    running 1 test\n    test x::two ... FAILED\n\n    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 1 filtered out\n\n  stderr ───\n\n    thread 'x::two' (7) panicked at src/a.rs:1:9:\n    boom\n\n     Summary [   0.010s] 2 tests run: 1 passed, 1 failed, 0 skipped\n        FAIL [   0.009s] (2/2) a x::two\nerror: test run failed";

    #[test]
    fn the_text_stays_and_the_inner_run_goes() {
        assert_eq!(marks(&SHAPE, RUN), "!.E.........ET.!D!");
    }

    #[test]
    fn it_is_known_by_its_status_lines() {
        assert!(sniffs(&SHAPE, RUN));
        assert!(!sniffs(&SHAPE, "        PASS [x] a\n    Starting server"));
    }
}
