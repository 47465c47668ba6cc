//! biome: a ruled line with place and rule, the message behind a sign, frames and fixes.

use super::{explained, is_total, rank_of, Class, Rules};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "lint",
    dialect: "biome",
    about: "biome: every rule with its first places, errors first, totals",
    sniff: |_: &Hint, lines| lines.iter().any(|l| head(l.text).is_some_and(is_rule)),
    opens: Opens::last(b"\x81", |line| head(line.text).is_some_and(is_rule)),
    cut: |_| Box::new(Biome::default()),
};

/// `lib/a.js:146:50 lint/style/useTemplate  FIXABLE  ━━━━`: the rule's bytes.
fn head(text: &[u8]) -> Option<&[u8]> {
    if text.first()?.is_ascii_whitespace() || !text.ends_with("━━━━".as_bytes()) {
        return None;
    }
    let rule_end = crate::line::find(text, "━".as_bytes())?;
    let said = text[..rule_end].trim_ascii();
    let said = said.strip_suffix(b"FIXABLE").unwrap_or(said).trim_ascii();
    Some(memchr::memrchr(b' ', said).map_or(said, |n| &said[n + 1..]))
}

fn is_rule(rule: &[u8]) -> bool {
    rule.starts_with(b"lint/")
        || rule.starts_with(b"assist/")
        || matches!(rule, b"parse" | b"format" | b"organizeImports" | b"suppressions/unused")
}

#[derive(Default)]
struct Biome {
    rules: Rules,
    /// The finding whose message is still to come: its number within the rule.
    open: Option<u32>,
    last: Option<(u32, Class)>,
    /// The closing block, without a place.
    closing: bool,
}

impl Cut for Biome {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(rule) = head(line.text) {
            self.closing =
                rule.len() == line.text.len().min(rule.len()) && !line.text[..rule.len()].contains(&b' ') && line.text.starts_with(rule);
            if self.closing {
                (self.open, self.last) = (None, None);
                return Verdict::Keep(Rank::Body);
            }
            let (_, n) = self.rules.rank(rule, Class::Style);
            (self.open, self.last) = (Some(n), None);
            return super::folded(line, rule, Rank::Edge, n);
        }
        if is_total(line) {
            return Verdict::Keep(Rank::Total);
        }
        if line.is_blank() {
            if self.open.is_some() {
                return Verdict::Keep(Rank::Edge);
            }
            return Verdict::Drop("blank");
        }
        let class = [
            ("  × ", Class::Error),
            ("  ✖ ", Class::Error),
            ("  ! ", Class::Doubt),
            ("  ⚠ ", Class::Doubt),
            ("  i ", Class::Style),
            ("  ℹ ", Class::Style),
        ]
        .into_iter()
        .find_map(|(sign, class)| line.starts(sign).then_some(class));
        if let Some(class) = class {
            if self.closing {
                return Verdict::Keep(Rank::Total);
            }
            if let Some(n) = self.open.take() {
                self.last = Some((n, class));
                return match rank_of(n, class) {
                    Rank::Edge => Verdict::Keep(Rank::Edge),
                    // The head, and the blank line between.
                    rank => Verdict::KeepWith { rank, lines: 2, with: rank },
                };
            }
        }
        match self.last {
            // What it advises, and the marked line of the frame.
            Some((n, class)) if class == Class::Error && (line.starts("  > ") || line.starts("  i ")) => explained(n, class, Rank::Detail),
            Some((n, class)) => explained(n, class, Rank::Edge),
            None if self.closing || self.open.is_some() => Verdict::Keep(Rank::Detail),
            None => Verdict::Pass,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn the_message_lifts_its_head() {
        let text = "a.js:1:2 lint/style/useConst  FIXABLE  ━━━━━━\n\n  × Bad.\n  \n    1 │ let\n  > 2 │ x\n  \nChecked 3 files in 5ms. No fixes applied.\nFound 1 error.\nlint ━━━━━━━━\n\n  × Some errors were emitted while running checks.";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "+ET.ED.!!B.!");
    }

    #[test]
    fn a_ruled_table_is_not_taken() {
        assert!(!sniffs(&SHAPE, "Title ━━━━━━━━\nrow  1\n     ━━━━━━━━━ 411.8/411.8 kB"));
    }
}
