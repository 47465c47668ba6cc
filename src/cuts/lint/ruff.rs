//! ruff's full form: the code and message, the place on the next line, a code explained, help
//! and a diff of the fix. Older versions put the place first.

use super::{class_of, code, explained, flat, folded, is_total, Class, Rules};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "lint",
    dialect: "ruff",
    about: "ruff: every rule with its first places, totals",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Ruff::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let pair =
        |w: &[Line<'_>]| head(w[0].text).is_some() && (is_place(w[1].text) || flat::found(w[0].text).is_some() && w[1].trimmed() == b"|");
    lines.windows(2).any(pair)
}

/// `F821 Undefined name`, `invalid-syntax: Expected`, or with the place before it.
fn head(text: &[u8]) -> Option<(&[u8], Class)> {
    if let Some((code, rest)) = code(text) {
        return rest.starts_with(b" ").then(|| (code, class_of(code)));
    }
    if text.starts_with(b"invalid-syntax: ") {
        return Some((&text[..14], Class::Error));
    }
    flat::found(text).filter(|f| f.sure).map(|f| (f.rule, f.class))
}

/// `  --> src/a.py:75:9`
fn is_place(text: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(b"--> ") && text.starts_with(b" ")
}

#[derive(Default)]
struct Ruff {
    rules: Rules,
    last: Option<(Rank, u32, Class)>,
    /// Behind `help:` comes the diff of the fix.
    fix: bool,
}

impl Cut for Ruff {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some((rule, class)) = head(line.text) {
            let (rank, n) = self.rules.rank(rule, class);
            (self.last, self.fix) = (Some((rank, n, class)), false);
            return folded(line, rule, rank, n);
        }
        if is_total(line) {
            self.last = None;
            return Verdict::Keep(Rank::Total);
        }
        let Some((rank, n, class)) = self.last else { return if line.is_blank() { Verdict::Drop("blank") } else { Verdict::Pass } };
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        if is_place(line.text) {
            return Verdict::Keep(rank);
        }
        if line.starts("help: ") {
            self.fix = true;
            return explained(n, class, Rank::Body);
        }
        let first = line.trimmed().first().copied().unwrap_or_default();
        let digits = line.trimmed().iter().take_while(|b| b.is_ascii_digit()).count();
        let after = line.trimmed().get(digits..).unwrap_or_default().trim_ascii_start();
        let is_frame = matches!(first, b'|' | b'=' | b'.')
            || digits > 0 && matches!(after.first(), Some(b'|' | b'+' | b'-'))
            || line.starts("-----")
            || line.starts("note: ");
        if self.fix && (is_frame || line.starts(" ")) {
            return explained(n, class, Rank::Edge);
        }
        if is_frame {
            // The line that the carets point at says most; the others only stand around it.
            return explained(n, class, Rank::Body);
        }
        Verdict::Pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn code_and_place_stay_together() {
        let text = "F821 Undefined name `x`\n --> a.py:3:5\n  |\n3 | x\n  | ^\n  |\nhelp: Do it\n  |\n  - x\n3 + y\n\nSIM105 Use it\n --> a.py:4:1\n\nFound 2 errors.";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "+TBBBBBEEE.+B.!");
    }

    #[test]
    fn rustc_is_not_taken() {
        assert!(!sniffs(&SHAPE, "error[E0308]: mismatched types\n --> src/a.rs:3:5\n  |"));
    }
}
