//! pre-commit: hooks with their verdict, and what the failing ones printed.

use super::{flat, is_total};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "lint",
    dialect: "pre-commit",
    about: "pre-commit: failing hooks and what they said; passing hooks go",
    sniff,
    opens: Opens::last(b"d", |line| hook(line.text).is_some()),
    cut: |_| Box::new(Hooks::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().any(|l| hook(l.text).is_some())
}

/// `check yaml.......................(no files to check)Skipped`: the verdict.
fn hook(text: &[u8]) -> Option<&[u8]> {
    let verdict = [b"Passed".as_slice(), b"Failed", b"Skipped"].into_iter().find(|v| text.ends_with(v))?;
    let rest = &text[..text.len() - verdict.len()];
    let rest = rest.strip_suffix(b"(no files to check)").unwrap_or(rest);
    let name = rest.len() - rest.iter().rev().take_while(|b| **b == b'.').count();
    (rest.len() - name >= 3 && name > 1 && !text[0].is_ascii_whitespace() && (70..=200).contains(&text.len())).then_some(verdict)
}

#[derive(Default)]
struct Hooks {
    output: flat::Flat,
    seen: Seen,
    failed: bool,
    /// Lines of the present hook that are no finding of a known form.
    said: u32,
}

impl Hooks {
    fn said(&mut self) -> u32 {
        self.said += 1;
        self.said
    }
}

impl Cut for Hooks {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        match hook(line.text) {
            Some(b"Failed") => {
                (self.failed, self.said) = (true, 0);
                self.output = flat::Flat::default();
                self.seen = Seen::default();
                return Verdict::Keep(Rank::Total);
            }
            Some(b"Skipped") => {
                self.failed = false;
                return Verdict::Drop("skipped hooks");
            }
            Some(_) => {
                self.failed = false;
                return Verdict::Drop("passing hooks");
            }
            None => {}
        }
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        // - hook id: lint | - exit code: 1 | - files were modified by this hook
        if line.starts("- hook id: ") || line.starts("- exit code: ") || line.starts("- files were modified by this hook") {
            return Verdict::Keep(Rank::Top);
        }
        // - duration: 0.2s | [INFO] Initializing environment for ... | [INFO] This may take a few minutes...
        if line.starts("- duration: ") || line.starts("[INFO] ") {
            return Verdict::Drop("progress");
        }
        if line.starts("[ERROR] ") || line.starts("An unexpected error has occurred") || line.starts("[WARNING] ") {
            return Verdict::Keep(Rank::Top);
        }
        if is_total(line) {
            return Verdict::Keep(Rank::Top);
        }
        match self.output.line(line) {
            Verdict::Pass if self.failed => Verdict::Keep(match (line.is_error() || self.said() <= 3, self.seen.alike(line.text)) {
                (true, 1..=5) => Rank::Top,
                (true, 6..=20) | (false, 1..=3) => Rank::Body,
                _ => Rank::Detail,
            }),
            verdict => verdict,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn failing_hooks_are_told_whole() {
        let dots = ".".repeat(70);
        let text = format!("trim{dots}Passed\ncheck{dots}(no files to check)Skipped\nlint{dots}Failed\n- hook id: lint\n- exit code: 1\n\na.py:1:1: E501 long\nfixing a.py");
        assert!(sniffs(&SHAPE, &text));
        assert_eq!(marks(&SHAPE, &text), "..!TT.+T");
    }

    #[test]
    fn a_sentence_is_no_hook() {
        assert!(!sniffs(&SHAPE, "and then...Passed\n....Failed"));
    }
}
