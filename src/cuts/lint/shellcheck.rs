//! shellcheck on a terminal: the line, its code, and findings behind carets.

use super::{folded, is_path, Class, Rules};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "lint",
    dialect: "shellcheck",
    about: "shellcheck: every rule with its first places, errors first",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Shellcheck::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().any(|l| place(l.text)) && lines.iter().any(|l| finding(l.text).is_some())
}

/// `In deploy.sh line 3:`
fn place(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"In ").and_then(|t| t.strip_suffix(b":")) else { return false };
    memchr::memmem::rfind(rest, b" line ").is_some_and(|n| {
        n > 0 && rest.len() > n + 6 && rest[n + 6..].iter().all(u8::is_ascii_digit) && (is_path(&rest[..n]) || rest[..n] == *b"-")
    })
}

/// `   ^---^ SC2086 (info): Double quote to prevent globbing`: the code and its weight.
fn finding(text: &[u8]) -> Option<(&[u8], Class)> {
    let at = crate::line::find(text, b" SC")? + 1;
    let carets = text[..at].trim_ascii();
    if carets.is_empty() || !carets.iter().all(|b| matches!(b, b'^' | b'-')) {
        return None;
    }
    let digits = text[at + 2..].iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = &text[at + 2 + digits..];
    let class = match rest {
        [b' ', b'(', b'e', ..] => Class::Error,
        [b' ', b'(', b'w', ..] => Class::Doubt,
        [b' ', b'(', ..] | [b':', ..] => Class::Style,
        _ => return None,
    };
    Some((&text[at..at + 2 + digits], class))
}

#[derive(Default)]
struct Shellcheck {
    rules: Rules,
    /// 0 outside; 1 after the place: code; 2 after a finding.
    state: u8,
}

impl Cut for Shellcheck {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if place(line.text) {
            self.state = 1;
            return Verdict::Head;
        }
        if let Some((rule, class)) = finding(line.text) {
            let (rank, n) = self.rules.rank(rule, class);
            let with_code = std::mem::replace(&mut self.state, 2) == 1;
            return match rank {
                Rank::Edge | Rank::Detail => folded(line, rule, rank, n),
                _ if with_code => Verdict::KeepWith { rank, lines: 1, with: Rank::Detail.max(rank.min(Rank::Body)) },
                _ => folded(line, rule, rank, n),
            };
        }
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        // For more information: | Did you mean:
        if line.starts("For more information:") || line.starts("Did you mean:") {
            self.state = 2;
        }
        if self.state > 0 || line.trimmed().starts_with(b"https://www.shellcheck.net/wiki/") {
            return Verdict::Keep(Rank::Edge);
        }
        Verdict::Pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn code_and_place_stay_with_a_finding() {
        let text = "\nIn a.sh line 3:\nrm $x\n   ^-- SC2086 (info): Double quote.\n\nDid you mean:\nrm \"$x\"\n\nFor more information:\n  https://www.shellcheck.net/wiki/SC2086 -- Double quote";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), ".hEB.EE.EE");
    }

    #[test]
    fn prose_is_not_taken() {
        assert!(!sniffs(&SHAPE, "In chapter line 3:\nsee SC2086 (info): x"));
    }
}
