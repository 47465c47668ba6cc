//! Findings by file: the path alone on a line, findings below it without one. eslint,
//! stylelint, yamllint, ruff's grouped and rubocop's simple form.

use super::{folded, is_path, is_total, rank_of, Class, Rules};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "lint",
    dialect: "eslint",
    about: "eslint, stylelint, yamllint: every rule with its first places under their file, totals",
    sniff,
    opens: Opens::first(b"CRWEFI", |line| finding(line.text).is_some_and(|(_, _, rule)| rule.contains(&b'-'))).or_indented(b"0123456789"),
    cut: |_| Box::new(Eslint::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let mut heading = false;
    let (mut under, mut total) = (0, false);
    for line in lines {
        if finding(line.text).is_some() {
            under += usize::from(heading);
        } else if !line.is_blank() {
            heading = self::heading(line.text);
        }
        // ✖ 1830 problems (265 errors, 1565 warnings)
        total |= line.starts("✖ ") && line.has(" problem");
    }
    under >= 2 || under == 1 && total
}

/// A heading: the path alone, with a colon (ruff), or between signs (rubocop).
fn heading(text: &[u8]) -> bool {
    let bare = text.strip_suffix(b":").or(text.strip_prefix(b"== ").and_then(|t| t.strip_suffix(b" =="))).unwrap_or(text);
    is_path(bare)
}

/// `  43:9   error    'total' is assigned a value but never used  no-unused-vars`: its
/// weight, the message and the rule, which is empty where there is none.
fn finding(text: &[u8]) -> Option<(Class, &[u8], &[u8])> {
    if let [b'C' | b'R' | b'W' | b'E' | b'F' | b'I', b':', b' ', ..] = text {
        return cop(text);
    }
    let rest = text.trim_ascii_start();
    if rest.len() == text.len() {
        return None;
    }
    let place = rest.iter().take_while(|b| b.is_ascii_digit() || **b == b':').count();
    if !(3..=14).contains(&place) || !rest[0].is_ascii_digit() || !rest[..place].contains(&b':') {
        return None;
    }
    let word = rest[place..].trim_ascii_start();
    // ruff:   3:1  UP035 [*] Import from `collections.abc` instead
    if let Some((code, said)) = super::code(word).filter(|(_, rest)| rest.starts_with(b" ")) {
        return Some((super::class_of(code), said, code));
    }
    // Severity is a word of eslint and yamllint, a sign of stylelint.
    let (class, said) = SEVERITIES.iter().find_map(|(sign, class)| Some((*class, word.strip_prefix(sign.as_bytes())?)))?;
    let said = said.strip_prefix(b"  ")?.trim_ascii();
    let cut = memchr::memmem::rfind(said, b"  ");
    let rule = cut.map_or(b"".as_slice(), |n| said[n..].trim_ascii());
    let rule = rule.strip_prefix(b"(").and_then(|r| r.strip_suffix(b")")).unwrap_or(rule);
    let named = !rule.is_empty()
        && rule.len() < 80
        && rule.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'/' | b'@' | b'_' | b'.'));
    Some(if named { (class, &said[..cut.unwrap_or_default()], rule) } else { (class, said, b"") })
}

const SEVERITIES: &[(&str, Class)] = &[
    ("error", Class::Error),
    ("warning", Class::Style),
    ("info", Class::Style),
    ("✖", Class::Error),
    ("×", Class::Error),
    ("⚠", Class::Style),
    ("‼", Class::Style),
];

/// `C: 12:  3: [Correctable] Style/NilComparison: Prefer the predicate`
fn cop(text: &[u8]) -> Option<(Class, &[u8], &[u8])> {
    let class = match text[0] {
        b'E' | b'F' => Class::Error,
        b'W' => Class::Doubt,
        _ => Class::Style,
    };
    let place = text[2..].iter().take_while(|b| b.is_ascii_digit() || matches!(b, b' ' | b':')).count();
    let said = &text[2 + place..];
    let said = said.strip_prefix(b"[Correctable] ").or(said.strip_prefix(b"[Corrected] ")).unwrap_or(said);
    let end = memchr::memchr(b':', said).filter(|n| *n < 60 && said[..*n].contains(&b'/') && place > 4)?;
    Some((class, &said[end..], &said[..end]))
}

#[derive(Default)]
struct Eslint {
    rules: Rules,
    last: Option<Rank>,
    /// A heading came, or what stood where one is expected was lifted.
    headed: bool,
}

impl Cut for Eslint {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some((class, said, rule)) = finding(line.text) {
            // Without a rule the message stands for it: a parse error, an unused directive.
            let key = if rule.is_empty() { said } else { rule };
            let (rank, n) = self.rules.rank(key, class);
            self.last = Some(rank);
            if !std::mem::replace(&mut self.headed, true) && line.indent() > 0 {
                // Amid other output this line was the first that told the tool: its file is above.
                return Verdict::KeepWith { rank, lines: 1, with: rank };
            }
            return if rule.is_empty() { Verdict::Keep(rank_of(n, class)) } else { folded(line, rule, rank, n) };
        }
        if is_total(line) {
            self.last = None;
            return Verdict::Keep(Rank::Total);
        }
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        if heading(line.text) {
            (self.last, self.headed) = (None, true);
            return Verdict::Head;
        }
        // A message of more than one line.
        match self.last {
            Some(rank) => Verdict::Keep(rank.min(Rank::Detail)),
            None => Verdict::Pass,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn findings_stand_under_their_file() {
        let text = "\n/a/b.js\n  4:1  error  Parsing error: Unexpected token }\n\n/a/c.js\n   1:10  warning  'x' is unused  no-unused-vars\n\n✖ 2 problems (1 error, 1 warning)\n  0 errors and 1 warning potentially fixable with the `--fix` option.";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), ".hT.h+.!!");
    }

    #[test]
    fn the_first_finding_lifts_its_file_where_the_cut_begins_with_it() {
        let mut cut = Eslint::default();
        let met = cut.line(&Line::new(b"  8:1  error  Unsafe access  no-unsafe", 2));
        assert!(matches!(met, Verdict::KeepWith { lines: 1, with: Rank::Top | Rank::Body, .. }), "{met:?}");
    }

    #[test]
    fn other_tools_group_by_file_too() {
        assert_eq!(marks(&SHAPE, "a.yml\n  1:1       warning  missing start  (document-start)\na.py:\n  3:1  F821 [*] x\n== a.rb ==\nC: 12:  3: [Correctable] Style/Nil: No"), "h+h+h+");
    }

    #[test]
    fn times_in_a_list_are_no_findings() {
        assert!(!sniffs(&SHAPE, "timetable.txt\n  12:30 train to town\n  13:30 error in the table\n  14:00  errors"));
        assert!(finding(b"12:30  error  x  y").is_none());
    }
}
