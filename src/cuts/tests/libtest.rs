//! cargo test: libtest's own output and the lines that cargo puts around it.
//!
//! Every failing target's failures, list and result line stay, wherever they stand: with
//! --no-fail-fast they can be a thousand lines before the end. Passing tests go, and so do
//! targets that hold no test. A run without a result line broke off: what was last said stays.

use super::ending::is_death;
use super::panic::Report;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// Rust's own test runner under cargo.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "cargo test",
    about: "cargo test: failures with message, values and place, results of all targets",
    sniff,
    opens: Opens::first(b"r", opens).or_indented(b"DR"),
    cut: |_| Box::new(Libtest::default()),
};

/// Failing tests of a target that are kept where they ran; all are listed after it.
const FAILED_INLINE: u16 = 2;
/// A passing target of so many tests is a total of its own.
const BIG: u32 = 50;
/// So many of them.
const BIG_ONES: u16 = 12;

/// Lines that trybuild says of a file.
const UI: u8 = 30;

const EMPTY: &str = "targets without tests";
const PASSING: &str = "passing tests";
const BELOW: &str = "failing tests named below";

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Section {
    /// Before a target, and after its result.
    #[default]
    Between,
    Running,
    /// Under the first `failures:`: what each of them said.
    Blocks,
    /// Under the second `failures:`: their names.
    Names,
    /// Under `successes:`, which --show-output asks for.
    Successes,
}

#[derive(Default)]
struct Libtest {
    section: Section,
    report: Report,
    /// Lines since the last target's head that a missing result would lift.
    since: u16,
    /// The target's `Running` line is parked.
    headed: bool,
    failed: u16,
    big: u16,
    ran_any: bool,
    slow: u16,
    /// A test has started on a line of its own and has not ended.
    torn: bool,
    /// Lines that may still explain a file that trybuild compiled.
    ui: u8,
    /// After an `error:` of cargo: the targets' list, `Caused by:`.
    error: bool,
}

impl Cut for Libtest {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let verdict = self.verdict(line);
        if let Verdict::Park(_) | Verdict::Keep(Rank::Edge | Rank::Detail) = verdict {
            self.since = self.since.saturating_add(1);
        }
        verdict
    }

    fn end(&mut self) -> (u16, Rank) {
        match self.section {
            Section::Between if self.headed => (1, Rank::Body),
            // No target had a test that ran: the last empty result is the finding.
            Section::Between if !self.ran_any => (1, Rank::Total),
            Section::Between => (0, Rank::Body),
            _ => (self.since, Rank::Body),
        }
    }
}

impl Libtest {
    fn verdict(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        if let Some(verdict) = self.frame(line) {
            return verdict;
        }
        match self.section {
            Section::Between => self.between(line),
            Section::Running => self.running(line),
            Section::Blocks => {
                // ---- money::tests::split stdout ----
                if let Some(name) = head(text) {
                    return self.report.head(name);
                }
                self.report.line(text)
            }
            Section::Names if line.starts("    ") => {
                let told = self.report.has_told(line.trimmed());
                Verdict::Keep(if told { Rank::Detail } else { Rank::Top })
            }
            Section::Names | Section::Successes if line.is_blank() => Verdict::Drop("blank"),
            Section::Names => Verdict::Pass,
            Section::Successes => Verdict::Keep(if line.is_error() { Rank::Detail } else { Rank::Edge }),
        }
    }

    /// The lines that cut the output into targets and sections.
    fn frame(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let first = *line.text.first()?;
        match first {
            b' ' if is_target(line) => {
                self.section = Section::Between;
                (self.since, self.headed, self.error) = (0, true, false);
                Some(Verdict::Park(EMPTY))
            }
            // What a failing test printed may look like a run of its own.
            b'r' | b't' if self.section == Section::Blocks => None,
            b'r' => Some(self.opened(running(line.text)?)),
            b't' => self.result(line.after("test result: ")?),
            b'f' if line.text == b"failures:" => {
                self.torn = false;
                Some(match self.section {
                    Section::Blocks => {
                        self.section = Section::Names;
                        Verdict::Keep(Rank::Top)
                    }
                    _ => {
                        self.section = Section::Blocks;
                        Verdict::Drop("headings")
                    }
                })
            }
            b's' if line.text == b"successes:" && matches!(self.section, Section::Running | Section::Successes) => {
                self.section = Section::Successes;
                Some(Verdict::Drop("headings"))
            }
            b'e' if is_cargo_error(line) => {
                self.error = true;
                let lines = if self.section == Section::Between { 0 } else { self.since };
                self.section = Section::Between;
                self.since = 0;
                Some(Verdict::KeepWith { rank: Rank::Total, lines, with: Rank::Body })
            }
            _ => None,
        }
    }

    /// `running 157 tests`
    fn opened(&mut self, tests: u32) -> Verdict {
        self.section = Section::Running;
        (self.failed, self.error, self.torn) = (0, false, false);
        self.report.target();
        let headed = std::mem::take(&mut self.headed);
        if !headed {
            self.since = 0;
        }
        if tests == 0 {
            return Verdict::Park(EMPTY);
        }
        self.since = self.since.saturating_add(1);
        Verdict::KeepWith { rank: Rank::Edge, lines: u16::from(headed), with: Rank::Edge }
    }

    /// `test result: ok. 157 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; ...`
    fn result(&mut self, said: &[u8]) -> Option<Verdict> {
        let ok = said.starts_with(b"ok. ");
        if !ok && !said.starts_with(b"FAILED. ") || crate::line::find(said, b" passed; ").is_none() {
            return None;
        }
        // Somebody has left out the list of what failed: `cargo test | grep '^test '`.
        let unlisted = if self.section == Section::Running && self.failed > FAILED_INLINE { self.since } else { 0 };
        self.section = Section::Between;
        self.since = 0;
        if !ok {
            self.ran_any = true;
            return Some(match unlisted {
                0 => Verdict::Keep(Rank::Total),
                lines => Verdict::KeepWith { rank: Rank::Total, lines, with: Rank::Body },
            });
        }
        let passed = number(&said[4..]);
        if passed == 0 && crate::line::find(said, b" 0 ignored; 0 measured").is_some() {
            return Some(Verdict::Park(EMPTY));
        }
        let total = !self.ran_any || passed >= BIG && self.big < BIG_ONES;
        self.big += u16::from(total);
        self.ran_any = true;
        Some(Verdict::Keep(if total { Rank::Total } else { Rank::Detail }))
    }

    fn running(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(test) = line.after("test ") {
            if let Some(verdict) = self.test(line, test) {
                return verdict;
            }
        }
        if self.ui > 0 {
            self.ui -= 1;
            if !line.is_blank() {
                return compiled(line);
            }
        } else if is_progress(line) {
            return Verdict::Drop("compiling");
        }
        // A test's own output stood between its name and this.
        if line.text == b"ok" || line.text == b"FAILED" {
            self.torn = false;
            self.report.interrupted();
            return if line.text == b"ok" { Verdict::Drop(PASSING) } else { Verdict::Park(BELOW) };
        }
        // cargo test -q: `.... 44/157` and `money::tests::split --- FAILED`
        if line.ends(" --- FAILED") {
            return self.failed();
        }
        if is_dots(line.text) {
            return Verdict::Drop("progress");
        }
        if is_death(line.text) || line.starts("fatal runtime error: ") {
            return Verdict::Keep(Rank::Top);
        }
        if self.report.is_open() || line.starts("thread '") || line.is_blank() {
            return self.report.line(line.text);
        }
        Verdict::Keep(if line.is_error() { Rank::Detail } else { Rank::Edge })
    }

    /// `test money::tests::split ... ok`
    fn test(&mut self, line: &Line<'_>, test: &[u8]) -> Option<Verdict> {
        if line.ends(" has been running for over 60 seconds") {
            self.slow += 1;
            return Some(Verdict::Keep(if self.slow <= 3 { Rank::Top } else { Rank::Edge }));
        }
        let dots = match test {
            [.., b' ', b'.', b'.', b'.', b' ', b'o', b'k'] => test.len() - 2,
            [.., b' ', b'.', b'.', b'.'] => test.len(),
            _ => memchr::memmem::rfind(test, b" ... ")? + 5,
        };
        self.torn = false;
        self.ui = 0;
        self.report.interrupted();
        Some(match &test[dots..] {
            // test tests/ui/c.rs ... mismatch
            b"mismatch" | b"error" | b"wip" if test[..dots].ends_with(b".rs ... ") => {
                self.ui = UI;
                Verdict::Keep(Rank::Top)
            }
            b"ok" => Verdict::Drop(PASSING),
            said if said.starts_with(b"ignored") => Verdict::Drop("ignored tests"),
            said if said.starts_with(b"FAILED") || said.starts_with(b"failed") => self.failed(),
            b"" => {
                self.torn = true;
                Verdict::Park("tests begun")
            }
            said if said.starts_with(b"ok ") || said.starts_with(b"ok,") => Verdict::Drop(PASSING),
            // bench: 1,234 ns/iter, or the test's own output
            _ => Verdict::Keep(if line.is_error() { Rank::Detail } else { Rank::Edge }),
        })
    }

    fn failed(&mut self) -> Verdict {
        self.failed = self.failed.saturating_add(1);
        if self.failed <= FAILED_INLINE {
            return Verdict::Keep(Rank::Top);
        }
        Verdict::Park(BELOW)
    }

    fn between(&mut self, line: &Line<'_>) -> Verdict {
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        if self.error {
            //     `-p ripgrep --test integration`
            if line.starts("    `") && line.ends("`") {
                return Verdict::Keep(Rank::Total);
            }
            if line.text == b"Caused by:" || line.starts("  process didn't exit successfully: ") {
                return Verdict::Keep(Rank::Top);
            }
            if line.starts("note: test exited abnormally") {
                return Verdict::Drop("hints");
            }
        }
        if line.starts("thread '") || line.starts("fatal runtime error: ") {
            return self.report.line(line.text);
        }
        if is_death(line.text) {
            return Verdict::Keep(Rank::Top);
        }
        if !self.ran_any && is_progress(line) {
            return if line.starts("    Finished ") { Verdict::Keep(Rank::Edge) } else { Verdict::Drop("compiling") };
        }
        Verdict::Pass
    }
}

/// What trybuild says of a file that did not compile as it should: what was expected, what came.
fn compiled(line: &Line<'_>) -> Verdict {
    let told = line.trimmed();
    let rule = told.starts_with("┈".as_bytes());
    if rule
        || ["NOTE: writing ", "Move this file to ", "note: If the actual output ", "your test with the environment "]
            .iter()
            .any(|h| told.starts_with(h.as_bytes()))
    {
        return Verdict::Drop("hints");
    }
    let said = line.is_error() || line.text == b"EXPECTED:" || line.text == b"ACTUAL OUTPUT:" || told.starts_with(b"Expected test case ");
    Verdict::Keep(if said || told.starts_with(b"--> ") { Rank::Top } else { Rank::Detail })
}

/// `running 157 tests`, `running 1 test`
fn running(text: &[u8]) -> Option<u32> {
    let rest = text.strip_prefix(b"running ")?;
    let said = rest.strip_suffix(b" tests").or_else(|| rest.strip_suffix(b" test"))?;
    (!said.is_empty() && said.iter().all(u8::is_ascii_digit)).then(|| number(said))
}

fn number(text: &[u8]) -> u32 {
    text.iter().take_while(|b| b.is_ascii_digit()).fold(0, |n: u32, b| n.saturating_mul(10).saturating_add(u32::from(b - b'0')))
}

/// `     Running unittests src/main.rs (target/debug/deps/fd-77990d4ef1aa6dc3)`
/// `   Doc-tests globset`
fn is_target(line: &Line<'_>) -> bool {
    line.starts("   Doc-tests ") || line.starts("     Running ") && !line.starts("     Running `") && line.ends(")") && line.has(" (")
}

/// `---- money::tests::split stdout ----`
fn head(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"---- ")?;
    rest.strip_suffix(b" stdout ----").or_else(|| rest.strip_suffix(b" stderr ----"))
}

/// `error: test failed, to rerun pass `--bin fd``, `error: 2 targets failed:`
fn is_cargo_error(line: &Line<'_>) -> bool {
    line.after("error: ").is_some_and(|said| {
        said.starts_with(b"test failed, to rerun pass")
            || said.starts_with(b"doctest failed, to rerun pass")
            || said.starts_with(b"bench failed, to rerun pass")
            || said.ends_with(b" targets failed:")
            || said.ends_with(b" target failed:")
    })
}

/// `.... 44/157`, `i 1/47`
fn is_dots(text: &[u8]) -> bool {
    let dots = text.iter().take_while(|b| matches!(b, b'.' | b'i' | b'F' | b't')).count();
    let rest = &text[dots..];
    dots > 0 && (rest.is_empty() || rest[0] == b' ' && rest.contains(&b'/') && rest[1..].iter().all(|b| b.is_ascii_digit() || *b == b'/'))
}

/// cargo's words before the first target, right-aligned to 12.
pub(super) fn is_progress(line: &Line<'_>) -> bool {
    const WORDS: &[&str] = &[
        "Compiling",
        "Checking",
        "Finished",
        "Downloaded",
        "Downloading",
        "Blocking",
        "Updating",
        "Locking",
        "Adding",
        "Fresh",
        "Building",
    ];
    let told = line.trimmed();
    line.starts(" ")
        && WORDS.iter().any(|w| told.starts_with(w.as_bytes()) && told.get(w.len()) == Some(&b' ') && line.indent() + w.len() == 12)
}

fn opens(line: &Line<'_>) -> bool {
    match line.text.first() {
        Some(b'r') => running(line.text).is_some(),
        Some(b' ') => is_target(line),
        _ => false,
    }
}

/// Only cargo's progress may stand before the first target: errors and warnings there are
/// a build's, and this cut's seam is the first target.
fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().find(|l| !l.is_blank() && !is_progress(l)).is_some_and(opens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const RUN: &str = "running 2 tests\ntest a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\n\nthread 'b' (7) panicked at src/b.rs:9:5:\nassertion `left == right` failed\n  left: 1\n right: 2\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n\nfailures:\n    b\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out";

    #[test]
    fn what_failed_is_named_where_no_list_follows() {
        let run =
            |named: &str| format!("running 4 tests\n{}{named}test result: FAILED. 0 passed; 4 failed; 0", "test a ... FAILED\n".repeat(4));
        assert!(lifts(&run("")) && !lifts(&run("\nfailures:\n\nfailures:\n    a\n    b\n\n")));
    }

    /// Are parked lines lifted by the last one?
    fn lifts(text: &str) -> bool {
        let mut cut = (SHAPE.cut)(&Hint::default());
        let verdicts = text.lines().map(|l| cut.line(&Line::new(l.as_bytes(), 1)));
        matches!(verdicts.last(), Some(Verdict::KeepWith { lines: 2.., .. }))
    }

    #[test]
    fn a_failure_is_told_and_passing_tests_go() {
        assert_eq!(marks(&SHAPE, RUN), "E.T...EEEBTT...TD.!");
    }

    #[test]
    fn a_repeated_failure_is_parked() {
        let twice = format!("{}\n---- c stdout ----\nthread 'c' (8) panicked at src/b.rs:9:5:\nassertion `left == right` failed\n  left: 1\n---- d stdout ----\nthread 'd' (8) panicked at src/b.rs:9:5:\nassertion `left == right` failed\n  left: 3", &RUN[..RUN.find("note:").unwrap() - 1]);
        assert!(marks(&SHAPE, &twice).ends_with("EEppEEpB"));
    }

    #[test]
    fn an_error_without_a_panic_is_told_with_its_causes() {
        let run = "running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\nError: \n   0: loading\n   1: no such file\n\nLocation:\n   src/a.rs:17\n\n  ━━━ BACKTRACE ━━━\n  ⋮ 4 frames hidden ⋮\n   5: b::c\n      at /home/dev/.cargo/registry/src/b/c.rs:23\n   7: a::d\n      at src/d.rs:3";
        assert_eq!(marks(&SHAPE, run), "ET...ETTT.TT...p.pT");
    }

    #[test]
    fn changed_lines_outrank_equal_ones() {
        let equal = " equal\n".repeat(60);
        let run = format!("running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\nthread 'a' panicked at src/a.rs:1:2:\nassertion failed\n\nDiff < left / right > :\n{equal}<old\n>new\n\nfailures:");
        assert!(marks(&SHAPE, &run).ends_with("EEETT.T"), "{}", marks(&SHAPE, &run));
        let snap = "running 1 test\ntest a ... FAILED\n\nfailures:\n\n---- a stdout ----\n-old snapshot\n    1     1 │ x\n    2       │-y\n          2 │+z";
        assert!(marks(&SHAPE, snap).ends_with("TT"), "{}", marks(&SHAPE, snap));
    }

    #[test]
    fn a_file_that_did_not_compile_as_it_should_is_told() {
        let run = "running 1 test\n    Checking b v0.1.0\ntest tests/ui/c.rs ... mismatch\n\nEXPECTED:\n┈┈┈┈\nerror[E0425]: no x\n┈┈┈┈\n\nACTUAL OUTPUT:\n┈┈┈┈\nerror[E0425]: no y\n --> tests/ui/c.rs:1:12\n┈┈┈┈\ntest ui ... FAILED";
        assert_eq!(marks(&SHAPE, run), "E.T.T.T..T.TT.T");
    }

    #[test]
    fn words_alone_do_not_match() {
        assert!(sniffs(&SHAPE, "   Compiling a v1.0.0\n    Finished `test` profile\n\nrunning 1 test\ntest a ... ok"));
        assert!(!sniffs(&SHAPE, "the server is running 3 tests\ntest a ... ok"));
        assert!(!sniffs(&SHAPE, "warning: unused\n\nrunning 1 test"));
    }
}
