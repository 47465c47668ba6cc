//! ctest: how each failing test ended, what it printed, the totals and the list.
//!
//! A test's output follows its line, or (-V) stands before it, each line under the test's
//! number. What GoogleTest and Unity print inside is read as such, so that forty failures
//! of one cause are told once.

use super::gtest::{family, Gtest};
use super::unity;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;
use std::collections::HashMap;

/// CMake's test driver.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "ctest",
    about: "ctest: failing tests with how they ended and what they printed, totals",
    sniff,
    opens: Opens::first(b"T0123456789", opens).or_indented(b"0123456789"),
    cut: |_| Box::new(Ctest::default()),
};

/// Lines of a failing test that are kept as explanation; further ones are data.
const OUTPUT: u16 = 12;
/// Lines before a failing test's line (-V) that are lifted.
const LIFTED: u64 = 20;
/// Failing tests whose lines are kept at full rank where they ran; all are listed below.
const INLINE: u16 = 20;
/// Tests whose first line is remembered (-V, in parallel).
const OWNERS: usize = 1024;

#[derive(Default)]
struct Ctest {
    inner: Gtest,
    /// Under a failing test's line.
    failed: bool,
    /// Under `The following tests FAILED:`; under the one of those that did not run.
    list: bool,
    skipped: bool,
    lines: u16,
    /// The present test is one of GoogleTest's, run alone.
    single: bool,
    failures: u16,
    seen: Seen,
    low: u64,
    first: HashMap<u32, u64>,
}

impl Cut for Ctest {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let verdict = self.verdict(line);
        if let Verdict::Park(_) | Verdict::Keep(Rank::Edge | Rank::Detail) = verdict {
            self.low += 1;
        }
        verdict
    }

    fn end(&mut self) -> (u16, Rank) {
        (if self.list { 0 } else { self.inner.end().0 }, Rank::Body)
    }
}

impl Ctest {
    fn verdict(&mut self, line: &Line<'_>) -> Verdict {
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        if let Some(result) = result(line.text) {
            return self.result(&result);
        }
        if let Some(verdict) = self.frame(line) {
            return verdict;
        }
        // 9: /home/dev/app/tests/print_string.c:73:print_string_should_print_empty_strings:PASS
        if let Some((number, text)) = numbered(line.text) {
            return self.verbose(number, text);
        }
        if self.failed {
            return self.output(line.text, false);
        }
        Verdict::Pass
    }

    fn result(&mut self, result: &Outcome<'_>) -> Verdict {
        let (from, said) = (self.first.remove(&result.number), result.said);
        (self.failed, self.lines, self.single) = (false, 0, false);
        if said.starts_with(b"Passed") {
            return Verdict::Drop("passing tests");
        }
        if said.starts_with(b"***Skipped") || said.starts_with(b"***Not Run (Disabled)") {
            return Verdict::Drop("skipped tests");
        }
        self.failed = true;
        self.inner = std::mem::take(&mut self.inner).anew();
        self.failures += 1;
        let member = family(result.name).is_some_and(|to| self.seen.same(&result.name[..to]) > 2);
        if member {
            self.failures -= 1;
        }
        let rank = if self.failures <= INLINE && !member { Rank::Top } else { Rank::Edge };
        let lines = from.map_or(0, |from| (self.low - from).min(LIFTED));
        Verdict::KeepWith { rank, lines: u16::try_from(lines).unwrap_or(0), with: Rank::Body }
    }

    fn frame(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.text;
        match *text.first()? {
            //       Start  9: print_string
            b' ' if line.starts("    ") && line.trimmed().starts_with(b"Start ") && line.has(": ") => {
                self.failed = false;
                Some(Verdict::Drop("test starts"))
            }
            b't' if text.strip_prefix(b"test ").is_some_and(|n| !n.is_empty() && n.iter().all(u8::is_ascii_digit)) => {
                self.failed = false;
                Some(Verdict::Drop("test starts"))
            }
            // 82% tests passed, 4 tests failed out of 22
            b'0'..=b'9' if line.has("% tests passed, ") && line.has(" failed out of ") => {
                self.failed = false;
                Some(Verdict::Keep(Rank::Total))
            }
            b'T' if text == b"The following tests FAILED:" => {
                (self.failed, self.list, self.skipped) = (false, true, false);
                Some(Verdict::Keep(Rank::Top))
            }
            b'T' if text == b"The following tests did not run:" => {
                (self.failed, self.list, self.skipped) = (false, true, true);
                Some(Verdict::Keep(Rank::Edge))
            }
            // 	  9 - print_string (Failed)
            b'\t' if self.list && line.has(" - ") => Some(self.listed(text)),
            b'T' if line.starts("Total Test time ") => Some(Verdict::Keep(Rank::Detail)),
            b'E' if text == b"Errors while running CTest" => Some(Verdict::Keep(Rank::Total)),
            b'N' if text == b"No tests were found!!!" => Some(Verdict::Keep(Rank::Total)),
            b'O' if line.starts("Output from these tests are in: ") => Some(Verdict::Drop("hints")),
            b'U' if line.starts("Use \"--rerun-failed") => Some(Verdict::Drop("hints")),
            b'U' if line.starts("Unable to find executable: ") => Some(Verdict::Keep(Rank::Top)),
            b'C' if line.starts("Could not find executable ") => Some(Verdict::Keep(Rank::Top)),
            b'L' if line.starts("Looked in the following places:") => Some(Verdict::Keep(Rank::Edge)),
            b'T' if line.starts("Test project ") => Some(Verdict::Keep(Rank::Edge)),
            _ if is_heading(line) => Some(Verdict::Drop("headings")),
            _ => None,
        }
    }

    /// `⇥ 13 - Low/GammaTest.IsMonotone/0 (Failed)`
    fn listed(&mut self, text: &[u8]) -> Verdict {
        if self.skipped {
            return Verdict::Keep(Rank::Edge);
        }
        let from = crate::line::find(text, b" - ").map_or(0, |i| i + 3);
        let name = text[from..].split(|b| *b == b' ').next().unwrap_or_default();
        match family(name) {
            Some(to) => Verdict::Fold { rank: Rank::Top, from, to: from + to },
            None => Verdict::Keep(Rank::Top),
        }
    }

    /// -V and -VV: every line of a test's output under its number.
    fn verbose(&mut self, number: u32, text: &[u8]) -> Verdict {
        let heads = ["Test command: ", "Working Directory: ", "Test timeout computed to be: ", "Environment variables:"];
        if heads.iter().any(|h| text.starts_with(h.as_bytes())) {
            if text.starts_with(b"Test command: ") {
                self.inner = std::mem::take(&mut self.inner).anew();
                (self.lines, self.single) = (0, false);
            }
            return Verdict::Drop("headings");
        }
        if self.first.len() < OWNERS {
            let low = self.low;
            self.first.entry(number).or_insert(low);
        }
        self.output(text, true)
    }

    /// What a failing test printed; with `open`, one that may still pass.
    fn output(&mut self, text: &[u8], open: bool) -> Verdict {
        if text.trim_ascii().is_empty() {
            return Verdict::Drop("blank");
        }
        if is_inner_total(text) {
            self.single = true;
            return Verdict::Drop("summaries of single tests");
        }
        match unity::read(text) {
            // 3 Tests 0 Failures 0 Ignored
            Some(Verdict::Keep(Rank::Detail)) => return Verdict::Drop("summaries of single tests"),
            Some(verdict) => return verdict,
            None => {}
        }
        if let Some(verdict) = self.inner.line(text) {
            if self.single && text.starts_with(b"[  FAILED  ] ") {
                return match verdict {
                    Verdict::KeepWith { lines, .. } if lines > 0 => Verdict::KeepWith { rank: Rank::Edge, lines, with: Rank::Body },
                    Verdict::Drop(_) => verdict,
                    // ctest's own line has the name.
                    _ => Verdict::Drop("summaries of single tests"),
                };
            }
            return match verdict {
                // The list below has them all.
                Verdict::Keep(Rank::Total) => Verdict::Keep(Rank::Detail),
                verdict => verdict,
            };
        }
        self.lines += 1;
        if open {
            return Verdict::Park("lines of test output");
        }
        let new = self.seen.alike(text) <= 3;
        Verdict::Keep(match self.lines {
            n if n <= 2 && new => Rank::Top,
            n if n <= OUTPUT && new => Rank::Body,
            n if n <= 3 * OUTPUT => Rank::Detail,
            _ => Rank::Edge,
        })
    }
}

/// A test's own line.
struct Outcome<'a> {
    number: u32,
    name: &'a [u8],
    /// How it ended: `Passed`, `***Failed`, `***Exception: SegFault`.
    said: &'a [u8],
}

/// ` 9/22 Test  #9: print_string .....................***Failed    0.00 sec`
fn result(text: &[u8]) -> Option<Outcome<'_>> {
    let told = text.trim_ascii_start();
    let digits = told.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = told[digits..].strip_prefix(b"/")?;
    let of = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = rest[of..].strip_prefix(b" Test ")?.trim_ascii_start().strip_prefix(b"#")?;
    let colon = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 || of == 0 || colon == 0 {
        return None;
    }
    let number = std::str::from_utf8(&rest[..colon]).ok()?.parse().ok()?;
    let rest = rest[colon..].strip_prefix(b": ")?;
    let name = rest.split(|b| *b == b' ').next().unwrap_or_default();
    // The name may hold dots and blanks; how it ended stands last.
    let said = match memchr::memmem::rfind(rest, b"***") {
        Some(i) => &rest[i..],
        None => &rest[memchr::memmem::rfind(rest, b"   Passed ")? + 3..],
    };
    Some(Outcome { number, name, said })
}

/// `9: text`
fn numbered(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 || digits > 7 {
        return None;
    }
    let rest = text[digits..].strip_prefix(b":")?;
    let rest = if rest.is_empty() { rest } else { rest.strip_prefix(b" ")? };
    Some((std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?, rest))
}

/// What GoogleTest says at the end when it was started for one test.
fn is_inner_total(text: &[u8]) -> bool {
    [
        b"[==========] Running 1 test from".as_slice(),
        b"[==========] 1 test from",
        b"[  PASSED  ] 0 tests.",
        b"[  PASSED  ] 1 test.",
        b"[  FAILED  ] 1 test, listed below:",
        b" 1 FAILED TEST",
        b"Note: Google Test filter = ",
    ]
    .iter()
    .any(|p| text.starts_with(p))
}

fn is_heading(line: &Line<'_>) -> bool {
    [
        "UpdateCTestConfiguration ",
        "Parse Config file:",
        "Constructing a list of tests",
        "Done constructing a list of tests",
        "Updating test list for fixtures",
        "Added ",
        "Checking test dependency graph",
        "Internal ctest changing into directory: ",
        "Connected to MAKE jobserver",
    ]
    .iter()
    .any(|h| line.starts(h))
}

fn opens(line: &Line<'_>) -> bool {
    line.starts("Test project /") || line.starts("Test project C:") || result(line.text).is_some()
}

/// Only ctest's own headings stand before its first line.
fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().find(|l| !l.is_blank() && !is_heading(l)).is_some_and(opens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn a_failing_test_and_its_output_stay() {
        let run = "Test project /home/dev/app\n      Start  1: a\n 1/2 Test  #1: a ...............   Passed    0.00 sec\n      Start  2: b.c\n 2/2 Test  #2: b.c .............***Failed    0.01 sec\nno lock\n\n50% tests passed, 1 tests failed out of 2\n\nThe following tests FAILED:\n\t  2 - b.c (Failed)\nErrors while running CTest";
        assert_eq!(marks(&SHAPE, run), "E...TT.!.TT!");
    }

    #[test]
    fn output_under_its_number_waits_for_the_verdict() {
        let run = "test 1\n      Start  1: a\n\n1: Test command: /x\n1: fine\n1/2 Test  #1: a ...   Passed    0.00 sec\n2: Test command: /y\n2: no lock\n2/2 Test  #2: b ...***Exception: SegFault  0.01 sec";
        assert_eq!(marks(&SHAPE, run), "....p..pT");
    }

    #[test]
    fn numbers_alone_do_not_match() {
        assert!(sniffs(&SHAPE, "Test project /a\n    Start 1: x"));
        assert!(!sniffs(&SHAPE, "1/2 Tests passed\n1: a"));
    }
}
