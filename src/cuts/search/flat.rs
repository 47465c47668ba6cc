//! Matches a line each: `path:12:text`, under headings, or of one file alone.

use super::row::{self, Row};
use super::sought::{Sought, LONG};
use super::{asked, is_report, is_stat};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::cuts::spread::Spread;
use crate::hint::Hint;
use crate::line::Line;

/// `path:12:text`, with context rows `path-12-text`.
pub const SHAPE: Shape = Shape {
    name: "search",
    dialect: "grep",
    about: "grep, rg, git grep: every file that matched, its first match, further matches counted",
    sniff: sniff_numbered,
    opens: Opens::NEVER,
    cut: |hint| Box::new(Flat::new(hint, Rows::Numbered)),
};

/// `path:text`.
pub const NAMED: Shape = Shape {
    name: "search",
    dialect: "grep without numbers",
    about: "grep without -n: every file that matched, its first match",
    sniff: sniff_named,
    opens: Opens::NEVER,
    cut: |hint| Box::new(Flat::new(hint, Rows::Named)),
};

/// A path alone on a line, then `12:text` rows, then a blank line.
pub const HEADING: Shape = Shape {
    name: "search",
    dialect: "heading",
    about: "rg with headings: every file that matched, its first match",
    sniff: sniff_heading,
    opens: Opens::NEVER,
    cut: |hint| Box::new(Flat::new(hint, Rows::Heading)),
};

/// `12:text` of one file.
pub const ONE_FILE: Shape = Shape {
    name: "search",
    dialect: "one file",
    about: "grep -n on one file: its matches, as many as fit",
    sniff: sniff_one_file,
    opens: Opens::NEVER,
    cut: |hint| Box::new(Flat::new(hint, Rows::OneFile)),
};

/// Results of so many bytes are shown whole: they answer which.
const SHORT: usize = 3_000;
/// Bytes of one file's matches that are held dear: what a tight budget can show.
const ONE_FILE_BYTES: usize = 9_000;

/// Files before one may be of a rare kind, and such files that are held as findings.
const WARM: u32 = 60;
const RARE: u32 = 8;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Numbered,
    Named,
    Heading,
    OneFile,
}

struct Flat {
    rows: Rows,
    /// Path of the rows before.
    known: Vec<u8>,
    spread: Spread,
    /// Matches of the present file.
    matches: u32,
    /// Bytes of matches held dear so far.
    dear: usize,
    /// A blank line came, so a heading may follow.
    between: bool,
    /// The totals have begun.
    totals: bool,
    sought: Sought,
    said: Seen,
    /// Ends of files' names, and directories that paths begin with, so far.
    kinds: Seen,
    /// Files so far, and those of a kind that turned up late.
    files: u32,
    rare: u32,
}

impl Flat {
    fn new(hint: &Hint, rows: Rows) -> Flat {
        let sought = Sought::new(&hint.command);
        Flat {
            rows,
            known: Vec::new(),
            spread: Spread::after(SHORT),
            matches: 0,
            dear: 0,
            between: true,
            totals: false,
            said: Seen::default(),
            kinds: Seen::default(),
            files: 0,
            rare: 0,
            sought,
        }
    }

    /// A row, but for one that has a number and the path of the rows before.
    fn row(&self, text: &[u8]) -> Option<Row> {
        match self.rows {
            Rows::Numbered => row::anew(text),
            Rows::Named => row::named(text, &self.known),
            Rows::Heading | Rows::OneFile => row::bare(text),
        }
    }

    /// The path of this row is not that of the rows before.
    fn turn_to(&mut self, path: &[u8]) {
        if self.known != path {
            self.known.clear();
            self.known.extend_from_slice(path);
            self.matches = 0;
        }
    }

    /// Is the file of a kind, or in a directory, that none of many before was?
    fn is_rare(&mut self, path: &[u8]) -> bool {
        self.files += 1;
        let name = memchr::memrchr(b'/', path).map_or(path, |at| &path[at + 1..]);
        let end = memchr::memrchr(b'.', name).map_or(&b""[..], |at| &name[at..]);
        let top = memchr::memchr(b'/', path).map_or(&b""[..], |at| &path[..at + 1]);
        let (end, top) = (self.kinds.same(end), self.kinds.same(top));
        let rare = (end == 1 || top == 1) && self.files > WARM && self.rare < RARE;
        self.rare += u32::from(rare);
        rare
    }

    fn hit(&mut self, line: &Line<'_>, row: &Row) -> Verdict {
        self.matches += 1;
        self.sought.learn(&line.text[row.text..]);
        self.dear += line.text.len().min(LONG) + 1;
        let rare = self.matches == 1 && row.path > 0 && self.is_rare(&line.text[..row.path]);
        let rank = match self.rows {
            Rows::OneFile => {
                if self.dear <= ONE_FILE_BYTES {
                    Rank::Top
                } else {
                    Rank::Edge
                }
            }
            // Of a long list the middle is shed; what turned up late stands in it.
            _ if rare => Rank::Total,
            _ if self.dear <= SHORT => Rank::Top,
            _ if self.matches == 1 && self.rows == Rows::Heading => Rank::Body,
            _ if self.matches == 1 => self.spread.rank(line.text.len(), row.path),
            _ => Rank::Edge,
        };
        if line.text.len() > LONG && rank > Rank::Edge {
            return match self.sought.find(&line.text[row.text..]) {
                Some(at) => Verdict::Around { rank, from: row.text + at.start, to: row.text + at.end },
                None => Verdict::Around { rank, from: row.text, to: row.text + 1 },
            };
        }
        if rank >= Rank::Top || row.path == 0 {
            return Verdict::Keep(rank);
        }
        let key = row::key(&line.text[..row.path]);
        Verdict::Fold { rank, from: key.start, to: key.end }
    }
}

impl Cut for Flat {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        // Whatever the text behind such a beginning is, it is a row.
        if let Some(row) = row::again(text, &self.known).filter(|_| self.rows == Rows::Numbered) {
            self.between = false;
            return if row.beside { Verdict::Keep(Rank::Edge) } else { self.hit(line, &row) };
        }
        if text.is_empty() {
            self.between = true;
            return Verdict::Keep(Rank::Edge);
        }
        if text == b"--" {
            return Verdict::Keep(Rank::Edge);
        }
        if is_report(line) {
            return report(line, &mut self.said);
        }
        if self.between && is_stat(line) {
            let verdict = line.ends(" matches")
                || line.ends(" matched lines")
                || line.ends(" files contained matches")
                || line.ends(" files searched");
            let rank = if verdict { Rank::Total } else { Rank::Edge };
            // The last match stands before the totals.
            let lines = if std::mem::replace(&mut self.totals, true) { 0 } else { 2 };
            return Verdict::KeepWith { rank, lines, with: Rank::Top };
        }
        if self.rows == Rows::Heading && self.between && row::bare(text).is_none() && row::is_path(text) {
            self.turn_to(text);
            self.between = false;
            self.dear += text.len() + 1;
            return Verdict::Keep(if self.dear <= SHORT { Rank::Top } else { self.spread.rank(text.len() + 80, 0) });
        }
        let Some(row) = self.row(text) else { return Verdict::Pass };
        self.between = false;
        if self.rows != Rows::Heading && row.path > 0 && !row.beside {
            self.turn_to(&text[..row.path]);
        }
        if row.beside {
            return Verdict::Keep(Rank::Edge);
        }
        self.hit(line, &row)
    }

    fn end(&mut self) -> (u16, Rank) {
        let lines = match self.rows {
            _ if self.totals => 0,
            Rows::OneFile => 2,
            _ => 1,
        };
        (lines, Rank::Top)
    }
}

/// What the tool says itself: the first of a kind matter, the kind is what it ends in. What
/// is said again word by word is noise: a pattern's warning may come once a call.
pub(super) fn report(line: &Line<'_>, said: &mut Seen) -> Verdict {
    let text = line.text;
    if said.same(text) > 3 {
        return Verdict::Drop("repeated notes");
    }
    let from = memchr::memmem::rfind(text, b": ").map_or(0, |at| at + 2);
    Verdict::Fold { rank: Rank::Total, from, to: text.len() }
}

/// How many of the window's lines could be rows of a search, and how many are.
struct Votes {
    all: usize,
    rows: usize,
    /// Rows that read like a compiler's or linter's: `a.c:3:7: error: x`, `a.py:3: note`.
    diagnoses: usize,
    /// Neighbours with the same path.
    repeats: usize,
}

fn vote(lines: &[Line<'_>], split: impl Fn(&[u8], &[u8]) -> Option<Row>) -> Votes {
    let mut votes = Votes { all: 0, rows: 0, diagnoses: 0, repeats: 0 };
    let mut known: &[u8] = b"";
    for line in lines.iter().filter(|l| !l.text.is_empty() && l.text != b"--" && !is_report(l) && !is_stat(l)) {
        votes.all += 1;
        let Some(row) = split(line.text, known) else { continue };
        votes.rows += 1;
        votes.repeats += usize::from(&line.text[..row.path] == known);
        known = &line.text[..row.path];
        let rest = line.text.get(row.text..).unwrap_or_default();
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let rest = if digits > 0 && rest.get(digits) == Some(&b':') { &rest[digits + 1..] } else { rest };
        votes.diagnoses += usize::from(rest.first() == Some(&b' ') && rest.get(1).is_some_and(|b| *b != b' '));
    }
    votes
}

fn sniff_numbered(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let votes = vote(lines, row::numbered);
    // A window of few lines is full of a long one.
    let few = if asked(hint) || lines.iter().any(|l| l.text.len() > 4 * LONG) { 2 } else { 3 };
    // Many complaints of the tool itself and nothing else.
    let reports = lines.iter().filter(|l| is_report(l)).count();
    if reports >= 8 && votes.rows == votes.all {
        return true;
    }
    let enough = votes.rows >= few && votes.rows * 10 >= votes.all * 7;
    enough && (votes.diagnoses * 2 < votes.rows || asked(hint) && votes.rows * 10 >= votes.all * 9)
}

fn sniff_named(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let votes = vote(lines, row::named);
    // Rows of a count are no text, and rows with numbers that the other dialect did not take
    // are some other tool's.
    let counts = lines.iter().filter(|l| row::counted(l.text).is_some()).count();
    let numbered = lines.iter().filter(|l| row::numbered(l.text, b"").is_some()).count();
    if counts * 10 >= votes.all * 8 || numbered * 2 >= votes.rows || votes.rows < 4 {
        return false;
    }
    let enough = votes.rows * 10 >= votes.all * if asked(hint) { 7 } else { 9 };
    enough && (asked(hint) || votes.repeats * 3 >= votes.rows && votes.diagnoses * 4 < votes.rows)
}

fn sniff_heading(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let (mut headings, mut rows, mut others, mut last) = (0, 0, 0, b"".as_slice());
    for (i, line) in lines.iter().enumerate() {
        let text = line.text;
        if row::bare(text).is_some() {
            rows += 1;
        } else if last.is_empty() && row::is_path(text) && lines.get(i + 1).is_some_and(|l| row::bare(l.text).is_some()) {
            headings += 1;
        } else if !text.is_empty() && text != b"--" && !is_report(line) && !is_stat(line) {
            others += 1;
        }
        last = text;
    }
    headings >= 1 && rows >= headings && others * 10 <= rows && (headings >= 2 || asked(hint))
}

fn sniff_one_file(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let (mut rows, mut all, mut last, mut gaps) = (0, 0, 0, 0);
    for line in lines.iter().filter(|l| !l.text.is_empty() && l.text != b"--" && !is_report(l) && !is_stat(l)) {
        all += 1;
        let Some(number) = row::bare(line.text).and_then(|r| r.number) else { continue };
        if number <= last {
            return false;
        }
        gaps += usize::from(number > last + 1);
        last = number;
        rows += 1;
    }
    // Without a command, a numbered list or a clock must not pass for it.
    let sure = asked(hint) && rows >= 3 || rows >= 8 && gaps * 2 > rows && last > 60;
    rows * 10 >= all * 9 && sure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn the_first_match_of_a_file_outranks_the_others() {
        let text = "src/a.rs:1:use x;\nsrc/a.rs:9:x();\nsrc/b.rs:3:x();\nsrc/b.rs-4-y\n--\ngrep: c.bin: binary file matches";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "TTTEE+");
    }

    #[test]
    fn a_file_of_a_kind_that_turns_up_late_is_a_finding() {
        let many: String = (0..190).map(|i| format!("src/a{i}.py:1:import os\n")).collect();
        assert!(marks(&SHAPE, &format!("{many}deploy/prod.env:3:import os\nsrc/b.py:1:import os")).ends_with("!+"));
    }

    #[test]
    fn a_heading_names_the_file() {
        let text = "src/a.rs\n1:use x;\n9:x();\n\nb.rs\n3:x();\n\n3 matches\n3 matched lines";
        assert!(sniffs(&HEADING, text));
        assert_eq!(marks(&HEADING, text), "TTTETTE!!");
    }

    #[test]
    fn one_file_has_no_names() {
        let text = "3:a: b\n18:c:d\n30:e\n41:f\n52:g\n60:h\n71:i\n80:j";
        assert!(sniffs(&ONE_FILE, text) && !sniffs(&SHAPE, text));
        assert_eq!(marks(&ONE_FILE, text), "TTTTTTTT");
    }

    #[test]
    fn diagnoses_logs_and_lists_are_no_searches() {
        for text in [
            "src/a.c:3:7: error: x\nsrc/a.c:4:7: error: y\nsrc/b.c:3:7: warning: z",
            "main.go:12: listening\nmain.go:14: ready\nmain.go:20: bye\nmain.go:12: again",
            "12:30:01 a\n12:30:02 b\n12:30:03 c\n12:30:04 d\n12:30:05 e\n12:30:06 f\n12:30:07 g\n12:30:08 h",
            "1: one\n2: two\n3: three\n4: four\n5: five\n6: six\n7: seven\n8: eight\n9: nine",
            "Note: this is prose\nSee also: that\nAnd so: on\nAnd on: and on",
        ] {
            assert!(!SHAPES_HERE.iter().any(|s| sniffs(s, text)), "{text}");
        }
    }

    const SHAPES_HERE: [&Shape; 4] = [&SHAPE, &NAMED, &HEADING, &ONE_FILE];
}
