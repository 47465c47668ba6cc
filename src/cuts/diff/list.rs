//! Lists instead of a diff: `--stat`, `--numstat`, `--name-only`, `--name-status`, `--raw`.
//!
//! They are what was asked for, and short: names stay whole up to a few thousand bytes.

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The dialect of lists.
pub const SHAPE: Shape = Shape {
    name: "diff",
    dialect: "list",
    about: "git's lists of changed files: names, states, counts, totals",
    sniff,
    opens: Opens::NEVER,
    cut: |hint| Box::new(List { names: asks_for_names(hint), ..List::default() }),
};

/// Bytes of rows that are held as findings.
const FIRST: usize = 4_000;

/// A row of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    /// ` src/x.rs | 12 ++--`, ` logo.png | Bin 3 -> 4 bytes`.
    Stat,
    /// ` 3 files changed, 12 insertions(+)`.
    Summary,
    /// ` create mode 100644 x`, ` rename a => b (90%)`.
    Mode,
    /// `M<TAB>x`, `R099<TAB>a<TAB>b`: the letter.
    Status(u8),
    /// `:100644 100755 a b M<TAB>x`.
    Raw,
    /// `12<TAB>3<TAB>x`.
    Numbers,
}

/// Reads a row of a list; `None` when it is none.
pub(crate) fn row(text: &[u8]) -> Option<Row> {
    match text.first()? {
        b' ' => spaced(text),
        b':' => {
            let is_mode = |m: &[u8]| m.len() == 6 && m.iter().all(u8::is_ascii_digit);
            let text = text.trim_ascii_start();
            let text = &text[text.iter().take_while(|b| **b == b':').count()..];
            let mut words = text.split(|b| *b == b' ');
            (is_mode(words.next()?) && is_mode(words.next()?) && memchr::memchr(b'\t', text).is_some()).then_some(Row::Raw)
        }
        letter @ (b'A' | b'C' | b'D' | b'M' | b'R' | b'T' | b'U' | b'X') => {
            let digits = text[1..].iter().take_while(|b| b.is_ascii_digit()).count();
            let tabs = memchr::memchr_iter(b'\t', text).count();
            let moved = matches!(letter, b'R' | b'C') && digits == 3 && tabs == 2;
            ((moved || digits == 0 && tabs == 1 || *letter == b'M' && digits == 3 && tabs == 1) && text.get(1 + digits) == Some(&b'\t'))
                .then_some(Row::Status(*letter))
        }
        b'0'..=b'9' | b'-' => {
            let mut fields = text.splitn(3, |b| *b == b'\t');
            let is_count = |f: &[u8]| f == b"-" || !f.is_empty() && f.len() < 8 && f.iter().all(u8::is_ascii_digit);
            (is_count(fields.next()?) && is_count(fields.next()?) && !fields.next()?.is_empty()).then_some(Row::Numbers)
        }
        _ => None,
    }
}

fn spaced(text: &[u8]) -> Option<Row> {
    let bare = text.trim_ascii();
    if bare.first().is_some_and(u8::is_ascii_digit) {
        let digits = bare.iter().take_while(|b| b.is_ascii_digit()).count();
        let rest = &bare[digits..];
        if rest.starts_with(b" file changed") || rest.starts_with(b" files changed") {
            return Some(Row::Summary);
        }
    }
    if text.get(1).is_some_and(|b| *b != b' ') {
        let modes = [" create mode 1", " delete mode 1", " mode change 1", " rename ", " copy ", " rewrite "];
        let maybe = matches!(text[1], b'c' | b'd' | b'm' | b'r');
        if maybe && modes.iter().any(|m| text.starts_with(m.as_bytes())) && memchr::memchr(b'|', text).is_none() {
            return Some(Row::Mode);
        }
    }
    // The last ` | `.
    let bar = memchr::memrchr_iter(b'|', text).find(|at| text[..*at].ends_with(b" ") && text[at + 1..].starts_with(b" "))?;
    let count = text[bar + 2..].trim_ascii();
    let digits = count.iter().take_while(|b| b.is_ascii_digit()).count();
    let signs = count[digits..].trim_ascii();
    let is_count = digits > 0 && signs.iter().all(|b| matches!(b, b'+' | b'-'));
    (bar > 2 && (is_count || count == b"Bin" || count.starts_with(b"Bin ") || count == b"Unmerged")).then_some(Row::Stat)
}

fn asks_for_names(hint: &Hint) -> bool {
    hint.names("git") && hint.names("--name-only")
}

fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let (mut rows, mut other, mut sure, mut numbers, mut changed) = (0, 0, 0, 0, 0);
    let mut all_names = true;
    for line in lines.iter().filter(|l| !l.is_blank()) {
        // A pull has such rows too, and more to say; and so has a table with a line below its
        // names (`----+----`), whose last column is a number.
        if line.text == b"Fast-forward" || line.starts("Merge made by ") || is_ruled(line.text) {
            return false;
        }
        all_names &= is_path(line.text);
        match row(line.text) {
            Some(Row::Numbers) => {
                rows += 1;
                numbers += 1;
            }
            Some(kind) => {
                rows += 1;
                sure += u32::from(kind != Row::Stat);
                // Of a change git draws a sign at least; a table ends in the number.
                changed += u32::from(matches!(line.text.last(), Some(b'+' | b'-')) || line.ends(" bytes"));
            }
            None => other += 1,
        }
        if other > 2 && !asks_for_names(hint) {
            return false;
        }
    }
    if rows == 0 && asks_for_names(hint) {
        return other > 2 && all_names;
    }
    let told = hint.names("git");
    let many = rows > 20 && numbers == 0 && changed * 2 > rows;
    rows >= 3 && other * 10 <= rows && (sure > 0 || told || many) && (numbers * 2 < rows || told)
}

/// `------+--------`: the line below the names of a table's columns.
fn is_ruled(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    text.len() > 2 && text.iter().all(|b| matches!(b, b'-' | b'+'))
}

fn is_path(text: &[u8]) -> bool {
    !text.is_empty() && text.len() < 512 && text[0] != b' ' && !text.ends_with(b".") && !text.ends_with(b":")
}

#[derive(Default)]
struct List {
    /// The last line was not ours.
    astray: bool,
    names: bool,
    shown: usize,
}

impl List {
    fn crowd(&mut self, line: &Line<'_>, first: Rank) -> Verdict {
        self.shown += line.text.len() + 1;
        Verdict::Keep(if self.shown <= FIRST { first } else { Rank::Edge })
    }
}

impl List {
    /// The opinion on a line.
    fn opinion(&mut self, line: &Line<'_>) -> Verdict {
        match row(line.text) {
            Some(Row::Summary) => Verdict::Keep(Rank::Total),
            Some(Row::Stat) => self.crowd(line, Rank::Body),
            Some(Row::Mode) => self.crowd(line, Rank::Detail),
            Some(Row::Status(b'M' | b'A') | Row::Raw | Row::Numbers) => self.crowd(line, Rank::Top),
            Some(Row::Status(_)) => match self.crowd(line, Rank::Top) {
                Verdict::Keep(Rank::Edge) => Verdict::Keep(Rank::Body),
                verdict => verdict,
            },
            None if line.is_blank() && !self.astray => Verdict::Keep(Rank::Edge),
            None if self.names && is_path(line.text) => self.crowd(line, Rank::Top),
            None => Verdict::Pass,
        }
    }
}

impl Cut for List {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let verdict = self.opinion(line);
        self.astray = verdict == Verdict::Pass;
        verdict
    }

    fn quotes(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn rows_of_every_list() {
        let text = " a/{b => c}.rs | 12 ++--\n logo.png | Bin 3 -> 4 bytes\n create mode 100644 x\n 2 files changed, 1 insertion(+)";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "BBD!");
        let text = "M\ta\nR099\ta\tb\nD\tc\n:100644 100755 a b M\tx\n-\t-\tlogo.png";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "TTTTT");
    }

    #[test]
    fn a_table_of_numbers_and_prose_are_no_lists() {
        assert!(!sniffs(&SHAPE, "12\t3\tx\n4\t5\ty\n1\t2\tz\n"));
        assert!(!sniffs(&SHAPE, "A | B\nthis | that\n one | two\n"));
    }

    #[test]
    fn a_result_whose_end_is_not_seen_is_no_list() {
        let rows = " 17 | beacon |  37\n".repeat(60);
        assert!(!sniffs(&SHAPE, &format!(" id |  name  | sum \n----+--------+-----\n{rows}")));
        assert!(!sniffs(&SHAPE, &rows) && sniffs(&SHAPE, &" src/a.rs | 12 ++--\n".repeat(60)));
    }
}
