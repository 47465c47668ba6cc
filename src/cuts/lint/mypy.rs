//! mypy, plain and pretty: a place, a message that may wrap, the code in brackets at its
//! end, code lines with a caret, notes.

use super::{explained, flat, folded, is_caret, is_path, is_total, rank_of, words, Class, Rules};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "lint",
    dialect: "mypy",
    about: "mypy: every error code with its first places, totals",
    sniff,
    opens: Opens::flush_colon(|line| is_head(line.text).is_some() && code(line.text).is_some()),
    cut: |_| Box::new(Mypy::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let heads = lines.iter().filter(|l| is_head(l.text).is_some()).count();
    let codes = lines.iter().filter(|l| code(l.text).is_some() && (is_head(l.text).is_some() || !l.text[0].is_ascii_whitespace())).count();
    // Found 1100 errors in 25 files (checked 50 source files)
    let total = lines.iter().any(|l| l.starts("Found ") && l.has(" error") && l.has(" source file"));
    heads > 0 && (codes * 2 > heads || total)
}

/// `src/a.py:3: error: text`: is it an error, and the text.
fn is_head(text: &[u8]) -> Option<(bool, &[u8])> {
    let (_, mut rest) = place::split(text).filter(|(path, _)| is_path(path) && (path.ends_with(b".py") || path.ends_with(b".pyi")))?;
    while let [b':', d, ..] = rest {
        if !d.is_ascii_digit() {
            break;
        }
        rest = &rest[1 + rest[1..].iter().take_while(|b| b.is_ascii_digit()).count()..];
    }
    let said = rest.strip_prefix(b": error: ");
    said.map(|t| (true, t)).or_else(|| rest.strip_prefix(b": note: ").or(rest.strip_prefix(b": warning: ")).map(|t| (false, t)))
}

/// The code at the end: two blanks before it, or alone on a wrapped line.
fn code(text: &[u8]) -> Option<&[u8]> {
    let rule = flat::tail(text, b'[', b']').or_else(|| text.strip_prefix(b"[")?.strip_suffix(b"]"))?;
    let before = &text[..text.len() - rule.len() - 2];
    let ok = rule.len() > 2 && rule.iter().all(|b| b.is_ascii_lowercase() || *b == b'-');
    (ok && (before.is_empty() || before.ends_with(b"  "))).then_some(rule)
}

#[derive(Default)]
struct Mypy {
    rules: Rules,
    /// Lines of a message whose code has not come yet.
    open: u16,
    /// The rank of the open message should no code come.
    guess: u32,
    last: Option<(u32, Class)>,
}

impl Mypy {
    fn settle(&mut self, line: &Line<'_>, rule: &[u8], said: &[u8]) -> Verdict {
        let class = if rule == b"syntax" { Class::Error } else { Class::Doubt };
        let (rank, n) = self.rules.rank_by_words(rule, words(said), class);
        self.last = Some((n, class));
        match std::mem::take(&mut self.open) {
            0 => folded(line, rule, rank, n),
            _ if rank == Rank::Edge => folded(line, rule, rank, n),
            lines => Verdict::KeepWith { rank, lines, with: rank },
        }
    }

    /// No code came: the message itself is the rule.
    fn close(&mut self, verdict: Verdict) -> Verdict {
        let lines = std::mem::take(&mut self.open);
        let with = rank_of(self.guess, Class::Doubt);
        match verdict {
            Verdict::Keep(rank) if lines > 0 && with > Rank::Edge => Verdict::KeepWith { rank, lines, with },
            _ => verdict,
        }
    }

    fn explain(&self) -> Verdict {
        self.last.map_or(Verdict::Keep(Rank::Edge), |(n, class)| explained(n, class, Rank::Body))
    }
}

impl Cut for Mypy {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some((is_error, said)) = is_head(line.text) {
            if !is_error {
                let verdict = self.explain();
                return self.close(verdict);
            }
            if let Some(rule) = code(line.text) {
                self.open = 0;
                return self.settle(line, rule, said);
            }
            let verdict = self.close(Verdict::Keep(Rank::Edge));
            self.guess = self.rules.rank(words(said), Class::Doubt).1;
            (self.open, self.last) = (1, Some((self.guess, Class::Doubt)));
            return verdict;
        }
        if is_total(line) {
            self.open = 0;
            return Verdict::Keep(Rank::Total);
        }
        let framed = line.indent() >= 4 || is_caret(line.text);
        if !framed && self.open > 0 && self.open < 12 && !line.is_blank() {
            if let Some(rule) = code(line.text) {
                return self.settle(line, rule, b"");
            }
            self.open += 1;
            return Verdict::Keep(Rank::Edge);
        }
        if framed {
            let verdict = self.explain();
            return self.close(verdict);
        }
        self.open = 0;
        Verdict::Pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn a_wrapped_message_is_kept_whole() {
        let text = "a.py:3: error: Argument 1 to\n\"f\" is wrong  [arg-type]\n    f(x)\n      ^\na.py:4: error: No  [misc]\na.py:4: note: see\nFound 2 errors in 1 file (checked 1 source file)";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "ETDD+D!");
    }

    #[test]
    fn a_code_on_its_own_line() {
        assert_eq!(marks(&SHAPE, "a.py:3: error: Function is missing a type annotation \n[no-untyped-def]\n    def f():\n    ^"), "ETDD");
    }

    #[test]
    fn a_compiler_is_no_mypy() {
        assert!(!sniffs(&SHAPE, "a.c:3:4: error: expected ';' [-Wx]\na.c:4:4: error: no\nb.py:3: def f(x): [abc]"));
    }
}
