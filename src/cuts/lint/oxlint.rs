//! oxlint: the sign and message first, the place in the head of the code frame.

use super::{explained, folded, is_total, Class, Rules};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "lint",
    dialect: "oxlint",
    about: "oxlint: every rule with its first places, errors first, totals",
    sniff,
    opens: Opens::indented(b"x!\xc3\xe2", |line| head(line.text).is_some_and(|(_, said)| rule(said).is_some())),
    cut: |_| Box::new(Oxlint::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.windows(2).any(|w| head(w[0].text).is_some() && is_place(w[1].text))
}

/// `  x eslint(no-debugger): text`: an error; `  ! ` a warning.
fn head(text: &[u8]) -> Option<(Class, &[u8])> {
    [("  x ", Class::Error), ("  × ", Class::Error), ("  ! ", Class::Style), ("  ⚠ ", Class::Style), ("  ☞ ", Class::Style)]
        .into_iter()
        .find_map(|(sign, class)| Some((class, text.strip_prefix(sign.as_bytes())?)))
}

/// `eslint(no-debugger)` before the colon.
fn rule(said: &[u8]) -> Option<&[u8]> {
    let end = crate::line::find(said, b"): ")?;
    let rule = &said[..=end];
    let open = memchr::memchr(b'(', rule)?;
    let word = |part: &[u8]| !part.is_empty() && part.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'@' | b'/'));
    (word(&rule[..open]) && word(&rule[open + 1..end])).then_some(rule)
}

/// `   ,-[lib/a.js:4:1]`, on a terminal with box signs.
fn is_place(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    (text.starts_with(b",-[") || text.starts_with("╭─[".as_bytes())) && text.ends_with(b"]")
}

#[derive(Default)]
struct Oxlint {
    rules: Rules,
    last: Option<(Rank, u32, Class)>,
}

impl Cut for Oxlint {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some((class, said)) = head(line.text) {
            let rule = rule(said).unwrap_or(said);
            let (rank, n) = self.rules.rank(rule, class);
            self.last = Some((rank, n, class));
            return folded(line, rule, rank, n);
        }
        if is_total(line) || line.starts("Finished in ") {
            self.last = None;
            return Verdict::Keep(Rank::Total);
        }
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        match self.last {
            Some((rank, ..)) if is_place(line.text) => Verdict::Keep(rank),
            Some((_, n, class)) if line.starts(" ") => explained(n, class, Rank::Detail),
            _ => Verdict::Pass,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn the_place_goes_with_its_message() {
        let text = "\n  x eslint(no-debugger): `debugger` is not allowed\n   ,-[a.js:4:1]\n 4 | debugger;\n   `----\n\n  ! eslint(a): b\n   ,-[a.js:5:1]\n\nFound 1 warning and 1 error.\nFinished in 4ms on 1 file.";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), ".+TDD.+B.!!");
    }

    #[test]
    fn a_list_with_marks_is_not_taken() {
        assert!(!sniffs(&SHAPE, "  x done\n  ! not done\n- [x]"));
    }
}
