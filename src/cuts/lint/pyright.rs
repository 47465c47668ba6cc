//! pyright: indented findings that carry their place, explanations nested below them, the
//! rule at the end of the last line.

use super::{explained, flat, folded, is_path, is_total, words, Class, Rules};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "lint",
    dialect: "pyright",
    about: "pyright: every rule with its first places, totals",
    sniff: |_: &Hint, lines| lines.iter().any(|l| finding(l.text).is_some()),
    opens: Opens::first(b" ", |line| finding(line.text).is_some()),
    cut: |_| Box::new(Pyright::default()),
};

/// `  /a/b.py:3:35 - error: Argument of type "bytes" ... (reportArgumentType)`
fn finding(text: &[u8]) -> Option<(Class, &[u8])> {
    let rest = text.strip_prefix(b"  ")?;
    let (path, rest) = place::split(rest)?;
    let said = rest.strip_prefix(b" - ")?;
    let (class, said) = [("error: ", Class::Doubt), ("warning: ", Class::Style), ("information: ", Class::Style)]
        .into_iter()
        .find_map(|(word, class)| Some((class, said.strip_prefix(word.as_bytes())?)))?;
    (is_path(path) && !said.is_empty()).then_some((class, said))
}

/// The rule, or the words of the message that stand for it.
fn rule(said: &[u8]) -> &[u8] {
    if let Some(rule) = flat::tail(said, b'(', b')').filter(|r| r.starts_with(b"report")) {
        return rule;
    }
    words(said)
}

#[derive(Default)]
struct Pyright {
    rules: Rules,
    last: Option<(u32, Class)>,
}

impl Cut for Pyright {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some((class, said)) = finding(line.text) {
            let rule = rule(said);
            let class = if rule == b"reportUndefinedVariable" { Class::Error } else { class };
            let (rank, n) = self.rules.rank_by_words(rule, words(said), class);
            self.last = Some((n, class));
            return folded(line, rule, rank, n);
        }
        if is_total(line) {
            return Verdict::Keep(Rank::Total);
        }
        if let (Some((n, class)), true) = (self.last, line.starts("    ")) {
            return explained(n, class, Rank::Body);
        }
        self.last = None;
        // The path alone: each finding repeats it.
        if is_path(line.text) && !line.text.contains(&b' ') {
            return Verdict::Drop("file headings");
        }
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        Verdict::Pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn nested_explanations_follow_their_finding() {
        let text = "/a/b.py\n  /a/b.py:3:5 - error: Argument of type \"x\"\n    \"x\" is not \"y\" (reportArgumentType)\n  /a/b.py:4:5 - warning: Import \"z\" (reportMissingModuleSource)\n1 error, 1 warning, 0 informations ";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), ".+D+!");
    }

    #[test]
    fn tsc_is_not_taken() {
        assert!(!sniffs(&SHAPE, "src/a.ts:3:5 - error TS2322: Type\n  src/a.ts:3:5 - note"));
    }
}
