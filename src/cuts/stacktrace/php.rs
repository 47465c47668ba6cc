//! PHP: uncaught exceptions with what they followed from, warnings. What goes: frames of
//! vendor, frames met again, the second copy when both log and display are on.

use super::begins;
use super::trail::{Trail, LIBRARY};
use crate::cut::{Cut, Noun, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::cuts::seen::Seen;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "stacktrace",
    dialect: "php",
    about: "PHP fatal errors, uncaught exceptions and warnings",
    sniff: |_, lines| begins(lines, opens),
    opens: Opens::colon(opens),
    cut: |_| Box::new(Php::default()),
};

/// A report that was printed once already.
const COPIES: Noun = "repeated reports";

fn opens(line: &Line<'_>) -> bool {
    line.is_error() && report_of(line.text).is_some_and(|r| r.fatal)
}

#[derive(Default)]
struct Php {
    inside: bool,
    /// This trace was printed before.
    copy: bool,
    trail: Trail,
    reports: Seen,
}

impl Cut for Php {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(report) = report_of(line.text) {
            // `PHP Warning:  x` goes to the log, `Warning: x` to the screen.
            let met = self.reports.same(report.text);
            self.inside = report.fatal;
            self.copy = report.fatal && met > 1;
            if report.fatal {
                return self.trail.begin(if met > 1 { Rank::Body } else { Rank::Top });
            }
            if met > 1 {
                return Verdict::Drop(COPIES);
            }
            return Verdict::Keep(self.trail.head(report.text).min(Rank::Body));
        }
        if !self.inside {
            return self.trail.pass(line);
        }
        let text = line.trimmed();
        let verdict = self.trace(text, line);
        if self.copy && verdict != Verdict::Pass {
            return Verdict::Drop(COPIES);
        }
        verdict
    }

    fn is_amid(&self) -> bool {
        true
    }
}

impl Php {
    fn trace(&mut self, text: &[u8], line: &Line<'_>) -> Verdict {
        if text.is_empty() || text == b"Stack trace:" || text == b"PHP Stack trace:" {
            return Verdict::Keep(Rank::Body);
        }
        if text.starts_with(b"Next ") {
            self.trail.section();
            return Verdict::Keep(Rank::Top);
        }
        if let Some(frame) = frame_of(text) {
            if frame == b"{main}" {
                return Verdict::Drop(LIBRARY);
            }
            let own = !place::is_foreign(frame) && !frame.starts_with(b"[internal function]");
            return self.trail.frame(frame, own);
        }
        if text.starts_with(b"thrown in ") {
            self.inside = false;
            return Verdict::Keep(Rank::Top);
        }
        // The rest of a message.
        if line.starts(" ") {
            return Verdict::Keep(Rank::Body);
        }
        self.inside = false;
        self.trail.pass(line)
    }
}

/// `#0 /a/menu.php(11): Menu->below()`, xdebug's `PHP   1. {main}() /a/menu.php:0`
fn frame_of(text: &[u8]) -> Option<&[u8]> {
    let (rest, end) = match text.strip_prefix(b"#") {
        Some(rest) => (rest, b' '),
        None => (text.strip_prefix(b"PHP ").unwrap_or(text).trim_ascii_start(), b'.'),
    };
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    (digits > 0 && rest.get(digits) == Some(&end)).then(|| rest[digits + 1..].trim_ascii())
}

struct Report<'a> {
    text: &'a [u8],
    fatal: bool,
}

/// `PHP Fatal error:  Uncaught X: msg in /a.php:9`, `Warning: x in /a.php on line 3`; a
/// torn output line may stand before it.
fn report_of(text: &[u8]) -> Option<Report<'_>> {
    const KINDS: &[&str] = &["Fatal error: ", "Parse error: ", "Warning: ", "Notice: ", "Deprecated: "];
    for kind in KINDS {
        let Some(at) = crate::line::find(text, kind.as_bytes()) else { continue };
        let rest = text[at + kind.len()..].trim_ascii();
        let placed = crate::line::find(rest, b" on line ").is_some() && crate::line::find(rest, b" in ").is_some();
        let fatal = kind.ends_with("error: ");
        if placed || fatal && rest.starts_with(b"Uncaught ") {
            return Some(Report { text: rest, fatal });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn a_report_stays_once() {
        let trace = "Fatal error:  Uncaught E: bad in /a/x.php:9\nStack trace:\n#0 /a/x.php(4): f()\n#1 /a/x.php(4): f()\n#2 {main}\n\nNext G: top in /a/x.php:4\n  thrown in /a/x.php on line 4";
        assert_eq!(marks(&SHAPE, &format!("torn PHP {trace}\n{trace}\nstep")), "TBT..BTTB.......B");
        assert!(sniffs(&SHAPE, trace) && !sniffs(&SHAPE, "Warning: wet paint\n"));
    }
}
