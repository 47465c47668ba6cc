//! Tables drawn with bars: Markdown, `+---+` and box-drawing frames.

use super::rows::{is_count, Rows};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// `| id | name |` and `│ id │ name │` rows.
pub const SHAPE: Shape = Shape {
    name: "csv",
    dialect: "boxed",
    about: "tables with bars: header, first and last rows, rows that do not fit, the text around",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Boxed::default()),
};

/// Lines of text around tables that are held dear.
const AROUND: u32 = 40;

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    /// Before a table, or after one.
    #[default]
    Outside,
    /// After the upper frame, before the line below the header.
    Header,
    Body,
}

/// Reads one table after the other.
#[derive(Default)]
pub struct Boxed {
    place: Place,
    rows: Rows,
    width: usize,
    around: u32,
    tables: u32,
    /// The line before was a rule that seemed to end the table.
    ruled: bool,
    /// A rule stands between the rows.
    lined: bool,
}

impl Cut for Boxed {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text.trim_ascii();
        if is_rule(text) {
            let verdict = self.rule(text);
            self.ruled = self.place == Place::Outside;
            return verdict;
        }
        if std::mem::take(&mut self.ruled) && self.place == Place::Outside && is_row(text) && cells(text).len() == self.width {
            (self.place, self.lined) = (Place::Body, true);
        }
        if is_row(text) {
            if self.place == Place::Outside {
                // Markdown has no upper frame.
                self.place = Place::Header;
                self.start();
            }
            let fields = cells(text);
            if self.place == Place::Header {
                self.width = fields.len();
                return Verdict::Keep(Rank::Top);
            }
            let misfit = fields.len() != self.width && self.rows.count() > 0;
            let rank = self.rows.rank(line, fields.into_iter(), misfit);
            return self.rows.verdict(rank);
        }
        if self.place != Place::Outside {
            self.place = Place::Outside;
            // The last rows of the table that has just ended.
            if is_count(line) {
                return Verdict::KeepWith { rank: Rank::Total, lines: 3, with: Rank::Body };
            }
            if line.is_blank() {
                return Verdict::KeepWith { rank: Rank::Edge, lines: 2, with: Rank::Body };
            }
        }
        if line.is_blank() {
            return Verdict::Keep(Rank::Edge);
        }
        if is_count(line) {
            return Verdict::Keep(Rank::Total);
        }
        // `ERROR 1146 (42S02) at line 1: Table 'shop.x' doesn't exist`
        if line.starts("ERROR ") {
            return Verdict::Keep(Rank::Top);
        }
        self.around += 1;
        if self.around > AROUND {
            return Verdict::Pass;
        }
        Verdict::Keep(if line.is_error() || text.starts_with(b"#") { Rank::Top } else { Rank::Body })
    }

    fn end(&mut self) -> (u16, Rank) {
        (3, Rank::Body)
    }
}

impl Boxed {
    fn start(&mut self) {
        (self.rows, self.lined) = (Rows::default(), false);
        self.tables += 1;
    }

    fn rule(&mut self, text: &[u8]) -> Verdict {
        let (was, lower) = (self.place, ["└", "╰", "╚", "┗"].iter().any(|s| text.starts_with(s.as_bytes())));
        self.place = match was {
            Place::Outside => Place::Header,
            Place::Header => Place::Body,
            // A `+---+` below the first rows may be the table's end or a line between rows:
            // rows go on in the second case.
            Place::Body if lower || self.rows.count() > 1 && !self.lined => Place::Outside,
            Place::Body => Place::Body,
        };
        match was {
            Place::Outside => {
                self.start();
                Verdict::Keep(if self.tables <= 8 { Rank::Body } else { Rank::Edge })
            }
            Place::Header => Verdict::Keep(if self.tables <= 8 { Rank::Body } else { Rank::Edge }),
            Place::Body if self.place == Place::Outside => Verdict::KeepWith { rank: Rank::Edge, lines: 2, with: Rank::Body },
            Place::Body if self.lined => Verdict::Spare("rules"),
            Place::Body => Verdict::Keep(Rank::Edge),
        }
    }
}

/// `+-----+---+`, `|-----|---:|`, `┌───┬───┐`, `╞═══╪═══╡`
pub(super) fn is_rule(text: &[u8]) -> bool {
    let Some(first) = text.first() else { return false };
    if text.len() < 3 {
        return false;
    }
    match first {
        b'+' | b'|' => text.iter().all(|b| b"+-=|: ".contains(b)) && text.iter().any(|b| matches!(b, b'-' | b'=')) && text.len() > 4,
        0xe2 => {
            let text = text[..text.len().min(2_000)].utf8_chunks().map(|c| c.valid()).collect::<String>();
            let mut drawn = text.chars().filter(|c| !matches!(c, ' '));
            drawn.all(|c| ('\u{2500}'..='\u{257f}').contains(&c) && !matches!(c, '│' | '┃' | '║')) && text.chars().count() > 3
        }
        _ => false,
    }
}

/// `| a | b |`, `│ a │ b │`
pub(super) fn is_row(text: &[u8]) -> bool {
    [("|", "|"), ("│", "│"), ("┃", "┃"), ("║", "║")]
        .iter()
        .any(|(bar, end)| text.len() > 4 && text.starts_with(bar.as_bytes()) && text.ends_with(end.as_bytes()))
}

/// The cells of a row; `\|` is no bar.
fn cells(text: &[u8]) -> Vec<&[u8]> {
    let bar: &[u8] = match text {
        [b'|', ..] => b"|",
        [_, _, _, ..] => &text[..3],
        _ => return Vec::new(),
    };
    let inner = text.strip_prefix(bar).unwrap_or(text);
    let inner = inner.strip_suffix(bar).unwrap_or(inner);
    let inner_bar: &[u8] = if bar == b"|" || crate::line::find(inner, bar).is_some() { bar } else { "│".as_bytes() };
    let mut cells = Vec::new();
    let mut from = 0;
    for at in memchr::memmem::find_iter(inner, inner_bar) {
        if at > 0 && inner[at - 1] == b'\\' {
            continue;
        }
        cells.push(&inner[from..at]);
        from = at + inner_bar.len();
        if cells.len() > 200 {
            break;
        }
    }
    cells.push(&inner[from..]);
    cells
}

/// Are most lines of the window a drawn table?
pub(super) fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let (mut all, mut rows, mut rules) = (0, 0, 0);
    for line in lines.iter().filter(|l| !l.is_blank()) {
        let text = line.text.trim_ascii();
        all += 1;
        if is_rule(text) {
            rules += 1;
        } else if is_row(text) {
            rows += usize::from(cells(text).len() > 1);
        }
    }
    rows >= 4 && rules >= 1 && (rows + rules) * 10 >= all * 6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn a_frame_has_a_header_and_rows() {
        let text = "+----+---+\n| id | n |\n+----+---+\n| 1  | a |\n| 2  | b |\n| 3  | c |\n+----+---+\n3 rows in set (0.000 sec)\n\nERROR 1146 (42S02) at line 1: x";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "BTBBBBE!ET");
    }

    #[test]
    fn rows_with_rules_between_are_one_table() {
        let rows: String = (0..6).map(|i| format!("| {i}  | ok |\n+----+----+\n")).collect();
        let said = marks(&SHAPE, &format!("+----+----+\n| id | st |\n+====+====+\n{rows}"));
        assert_eq!(said.matches('T').count(), 1, "{said}");
    }

    #[test]
    fn markdown_has_text_around() {
        let text = "# Report\n\n| id | a\\|b |\n|---|---:|\n| 1 | x |\n| 2 | y |\n| 3 | z |\n\nAll but two passed.";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "TETBBBBEB");
    }

    #[test]
    fn a_table_in_other_text_is_not_the_text() {
        let log = "running\nstep done\nwriting x\n".repeat(5);
        assert!(!sniffs(&SHAPE, &format!("{log}| a | b |\n|---|---|\n| 1 | 2 |\n| 1 | 2 |\n| 1 | 2 |\n| 3 | 4 |\n{log}")));
    }
}
