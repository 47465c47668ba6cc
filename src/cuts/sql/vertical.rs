//! A line a column: psql's `\x`, mysql's `\G`, sqlite's line mode.

use super::asked;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::csv::rows::{is_count, Rows};
use crate::cuts::odd::Profile;
use crate::hint::Hint;
use crate::line::Line;

/// Records of `name | value`, `name: value` or `name = value` lines.
pub const SHAPE: Shape = Shape {
    name: "sql",
    dialect: "vertical",
    about: "records a line a column: the first ones, the last, those that do not fit",
    sniff,
    opens: Opens::first(b"-", |line| line.starts("-[ RECORD 1 ]")),
    cut: |_| Box::new(Vertical::default()),
};

/// Records that show what the result looks like.
const FIRST: u32 = 2;
/// Columns that are told apart.
const COLUMNS: usize = 60;
/// Lines of a record that are lifted for one that does not fit.
const LINES: u16 = 40;

#[derive(Default)]
struct Vertical {
    records: u32,
    /// Lines since the record's head.
    since: u16,
    /// The rank of a record in which something does not fit, for its other lines.
    lifted: Option<Rank>,
    keys: Vec<Vec<u8>>,
    profile: Profile,
    rows: Rows,
    blank: bool,
}

impl Vertical {
    fn start(&mut self) {
        self.records += 1;
        self.since = 1;
        self.lifted = None;
    }

    fn base(&self) -> Rank {
        if self.records <= FIRST {
            Rank::Body
        } else {
            Rank::Edge
        }
    }

    fn column(&mut self, key: &[u8]) -> usize {
        if let Some(at) = self.keys.iter().position(|k| k == key) {
            return at;
        }
        if self.keys.len() < COLUMNS {
            self.keys.push(key.to_vec());
            return self.keys.len() - 1;
        }
        usize::MAX
    }
}

impl Cut for Vertical {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if line.is_blank() {
            self.blank = true;
            return Verdict::Keep(Rank::Edge);
        }
        let blank = std::mem::take(&mut self.blank);
        if is_head(line) {
            self.start();
            return Verdict::Keep(self.base());
        }
        if is_count(line) {
            return Verdict::Keep(Rank::Total);
        }
        if line.starts("ERROR") {
            return Verdict::Keep(Rank::Top);
        }
        let Some((key, value)) = pair(line.text) else {
            // A value of several lines goes on.
            self.since = (self.since + 1).min(LINES);
            return if self.records > 0 { Verdict::Keep(self.lifted.unwrap_or(self.base())) } else { Verdict::Pass };
        };
        let column = self.column(key);
        if column == 0 && (blank || self.records == 0) && self.since != 1 {
            self.start();
        }
        let odd = self.profile.is_odd(column, value);
        self.since = (self.since + 1).min(LINES);
        if odd && self.lifted.is_none() {
            let rank = self.rows.odd_rank(line.text.len() * usize::from(self.since));
            self.lifted = Some(rank);
            return Verdict::KeepWith { rank, lines: self.since.saturating_sub(1), with: rank };
        }
        Verdict::Keep(self.lifted.unwrap_or(self.base()))
    }

    fn end(&mut self) -> (u16, Rank) {
        (self.since.min(LINES) + 1, Rank::Body)
    }
}

/// `-[ RECORD 12 ]----`, `*************************** 12. row ***************************`
fn is_head(line: &Line<'_>) -> bool {
    line.starts("-[ RECORD ") || line.starts("***") && line.ends(". row ***************************")
}

/// `customer_id | 6542`, `         sku: SKU-1`, `  qty = -12`
fn pair(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let body = text.trim_ascii_start();
    let end = body.iter().position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'_' | b'(' | b')' | b'*' | b'.' | b'?')))?;
    let (key, rest) = body.split_at(end);
    if key.is_empty() {
        return None;
    }
    let rest = rest.trim_ascii_start();
    match rest {
        [b'|' | b':' | b'=', value @ ..] if value.is_empty() || value[0] == b' ' => Some((key, value.trim_ascii())),
        _ => None,
    }
}

fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    if lines.iter().filter(|l| !l.is_blank()).take(4).any(is_head) {
        return true;
    }
    // sqlite: `   id = 1`, all signs in one column, the first name again after each blank line.
    let rows: Vec<_> = lines.iter().filter(|l| !l.is_blank()).collect();
    let Some(first) = rows.first() else { return false };
    let Some(at) = crate::line::find(first.text, b" = ") else { return false };
    let Some((name, _)) = pair(first.text) else { return false };
    let fit = rows.iter().filter(|l| l.text.get(at..at + 3) == Some(b" = ".as_slice())).count();
    let again = lines.windows(2).filter(|w| w[0].is_blank() && pair(w[1].text).is_some_and(|p| p.0 == name)).count();
    let blanks = lines.iter().filter(|l| l.is_blank()).count();
    fit * 20 >= rows.len() * 19 && again >= if asked(hint) { 1 } else { 4 } && again + 2 >= blanks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn a_record_that_does_not_fit_is_lifted() {
        let mut text = String::new();
        for i in 0..20 {
            text += &format!("-[ RECORD {i} ]---\nid    | {i}\nstate | ok\n");
        }
        text += "-[ RECORD 20 ]---\nid    | 20\nstate | lost\n(21 rows)";
        assert!(sniffs(&SHAPE, &text));
        assert!(marks(&SHAPE, &text).ends_with("EEEEET!"));
    }

    #[test]
    fn sqlite_lines_are_records_and_settings_are_not() {
        assert!(sniffs(&SHAPE, &"   id = 1\nstate = ok\n\n".repeat(6)));
        assert!(!sniffs(&SHAPE, "name = a\nversion = 1\n\n[dependencies]\nserde = 1\nlog = 2"));
        assert!(!sniffs(&SHAPE, &"x = 1\ny = 2\nlong_name = 3\n".repeat(6)));
    }
}
