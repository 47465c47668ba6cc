//! meson test: how each failing test ended, what it printed, the counts.

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;

/// `meson test`, `ninja test` of a Meson build.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "meson test",
    about: "meson test: failing tests with how they ended and what they printed, counts",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Meson::default()),
};

/// Lines that a failing test printed and that are kept as explanation.
const OUTPUT: u16 = 10;

#[derive(Default)]
struct Meson {
    /// Under a failing test; what follows went to stderr.
    failed: bool,
    stderr: bool,
    lines: u16,
    names: Seen,
}

impl Cut for Meson {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        if let Some((name, word)) = result(line.text) {
            (self.failed, self.stderr, self.lines) = (false, false, 0);
            return match word {
                b"OK" | b"EXPECTEDFAIL" => Verdict::Drop("passing tests"),
                b"SKIP" => Verdict::Drop("skipped tests"),
                b"RUNNING" => Verdict::Drop("test starts"),
                _ => {
                    self.failed = true;
                    // Named again in the summary.
                    Verdict::Keep(if self.names.same(name) == 1 { Rank::Top } else { Rank::Detail })
                }
            };
        }
        if let Some(rank) = count(line.text) {
            self.failed = false;
            return Verdict::Keep(rank);
        }
        if line.text.starts_with("――".as_bytes()) {
            return Verdict::Drop("rules");
        }
        if line.starts(">>> ") {
            return Verdict::Keep(Rank::Detail);
        }
        if line.starts("Summary of Failures:") || line.starts("Full log written to ") {
            self.failed = false;
            return Verdict::Keep(Rank::Edge);
        }
        if line.starts("ninja: ") {
            return Verdict::Drop("build steps");
        }
        if !self.failed {
            return if line.has(" time out (After ") { Verdict::Keep(Rank::Detail) } else { Verdict::Pass };
        }
        if line.text == b"stdout:" || line.text == b"stderr:" {
            (self.stderr, self.lines) = (line.text == b"stderr:", 0);
            return Verdict::Drop("headings");
        }
        self.lines += 1;
        Verdict::Keep(match self.lines {
            n if self.stderr && n <= 3 => Rank::Top,
            n if self.stderr && n <= OUTPUT => Rank::Body,
            n if n <= 3 * OUTPUT => Rank::Detail,
            _ => Rank::Edge,
        })
    }
}

/// ` 6/33 crash        FAIL           0.01s   killed by signal 11 SIGSEGV`
fn result(text: &[u8]) -> Option<(&[u8], &[u8])> {
    const WORDS: &[&[u8]] = &[b"OK", b"FAIL", b"TIMEOUT", b"SKIP", b"ERROR", b"EXPECTEDFAIL", b"UNEXPECTEDPASS", b"INTERRUPT", b"RUNNING"];
    let told = text.trim_ascii_start();
    let digits = told.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = told[digits..].strip_prefix(b"/")?;
    let of = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = rest[of..].strip_prefix(b" ")?;
    if digits == 0 || of == 0 {
        return None;
    }
    // The name may hold blanks; the word is the last but the time and what follows it.
    let mut words = rest.split(|b| *b == b' ').filter(|w| !w.is_empty());
    let word = words.by_ref().skip(1).find(|w| WORDS.contains(w))?;
    let time = words.next()?;
    (time.ends_with(b"s") && time[0].is_ascii_digit()).then_some((rest, word))
}

/// `Fail:               3   `
fn count(text: &[u8]) -> Option<Rank> {
    const HEADS: &[&[u8]] = &[b"Ok:", b"Expected Fail:", b"Fail:", b"Unexpected Pass:", b"Skipped:", b"Timeout:"];
    let head = HEADS.iter().find(|h| text.starts_with(h))?;
    let number = text[head.len()..].trim_ascii();
    if number.is_empty() || !number.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(if number == b"0" { Rank::Edge } else { Rank::Total })
}

/// Two tests' lines near the start.
fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().take(40).filter(|l| result(l.text).is_some()).take(2).count() == 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const RUN: &str = " 1/2 knot         OK             0.01s\n 2/2 crash        FAIL           0.01s   killed by signal 11 SIGSEGV\n>>> ./t_rope crash\nstdout:\nstrand 0\nstderr:\nstrand table is null\n\nFail:               1   \nTimeout:            0   ";

    #[test]
    fn a_failing_test_and_its_words_stay() {
        assert_eq!(marks(&SHAPE, RUN), ".TD.D.T.!E");
    }

    #[test]
    fn a_progress_is_not_a_test() {
        assert!(sniffs(&SHAPE, RUN));
        assert!(!sniffs(&SHAPE, "1/2 files OK\n2/2 files OK"));
    }
}
