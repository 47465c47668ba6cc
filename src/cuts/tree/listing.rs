//! `ls -l`, `ls -R`, `tar tv`: rows with mode, owner, size and name, under headings or not.

use super::groups::Groups;
use super::{is_report, report, Places};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::odd::{self, Profile};
use crate::hint::Hint;
use crate::line::Line;

/// `-rw-r--r-- 1 dev dev 192762 Nov 30 15:03 a.rs` rows, and `dir:` headings.
pub const SHAPE: Shape = Shape {
    name: "tree",
    dialect: "ls",
    about: "ls -l, ls -R: the directories, hidden entries, rare kinds, the largest files",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Listing { groups: Groups::after(NAMED / 2), ..Listing::default() }),
};

/// A listing of so many bytes is shown whole: it answers which.
const SHORT: usize = 2_200;
/// Entries of a directory before it is a crowd.
const ENTRIES: u32 = 8;
/// Largest files that stay, of all directories together, and of each.
const LARGEST: usize = 6;
const LARGEST_HERE: usize = 3;

/// Bytes of deeper headings that are named whatever stands below them.
const NAMED: usize = 2_000;

#[derive(Default)]
struct Listing {
    headings: u32,
    /// Bytes of headings that are named for themselves.
    named: usize,
    groups: Groups,
    /// Entries of the present directory.
    entries: u32,
    rows: u32,
    bytes: usize,
    hidden: u32,
    between: bool,
    names: Places,
    profile: Profile,
    /// The largest files so far, smallest first: of all, and of the present directory.
    largest: Vec<f64>,
    largest_here: Vec<f64>,
}

/// Is the size among the `most` largest so far?
fn is_large(largest: &mut Vec<f64>, most: usize, size: f64) -> bool {
    if largest.len() == most {
        if size <= largest[0] {
            return false;
        }
        largest.remove(0);
    }
    let at = largest.partition_point(|s| *s <= size);
    largest.insert(at, size);
    true
}

impl Listing {
    fn entry(&mut self, row: &Row<'_>) -> Rank {
        self.rows += 1;
        self.entries += 1;
        if matches!(row.name, b"." | b".." | b"./" | b"../") {
            return Rank::Edge;
        }
        let mode = &row.mode[..row.mode.len().min(10)];
        let odd = self.profile.is_odd(0, &mode[..1]) | self.profile.is_odd(1, &mode[1..]) | self.profile.is_odd(2, row.owner);
        let large = mode[0] == b'-' && is_large(&mut self.largest, LARGEST, row.size) && self.rows > 30;
        let large_here = mode[0] == b'-' && is_large(&mut self.largest_here, LARGEST_HERE, row.size) && self.entries > ENTRIES;
        if row.name.first() == Some(&b'.') && self.names.count(row.name) == 1 {
            self.hidden += 1;
            if self.hidden <= 24 {
                return Rank::Top;
            }
        }
        if odd || large || large_here {
            return if large && self.largest.last() == Some(&row.size) { Rank::Top } else { Rank::Body };
        }
        if self.headings > 1 && self.entries <= ENTRIES && self.rows > 40 {
            Rank::Detail
        } else {
            Rank::Edge
        }
    }
}

impl Cut for Listing {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        if line.is_blank() {
            self.between = true;
            return Verdict::Keep(Rank::Edge);
        }
        if let Some(verdict) = report(line) {
            return verdict;
        }
        let between = std::mem::take(&mut self.between) || self.rows == 0;
        if between && is_heading(line) {
            self.headings += 1;
            self.entries = 0;
            self.largest_here.clear();
            let path = [&text[..text.len() - 1], b"/"].concat();
            let (key, rank) = self.groups.group(&path, path.len());
            if rank > Rank::Edge && rank < Rank::Top && !key.is_empty() {
                return Verdict::Fold { rank, from: key.start, to: key.end };
            }
            // One below a directory that was named stays with what stays of its entries.
            self.named += if rank == Rank::Edge { text.len() } else { 0 };
            return if rank == Rank::Top || self.named <= NAMED { Verdict::Keep(Rank::Top) } else { Verdict::Head };
        }
        if is_total(line) {
            return Verdict::Keep(Rank::Edge);
        }
        match row(text) {
            Some(row) => {
                self.bytes += text.len() + 1;
                let mut rank = self.entry(&row);
                if self.bytes <= SHORT && self.headings <= 1 {
                    return Verdict::Keep(Rank::Top);
                }
                // An archive names directories in its rows.
                let at = row.at;
                let Some(slash) = memchr::memrchr(b'/', row.name) else { return Verdict::Keep(rank) };
                let (key, first) = self.groups.group(row.name, text.len());
                if self.names.count(&row.name[..slash]) == 1 {
                    rank = rank.max(first).max(Rank::Detail);
                }
                if rank == Rank::Top || key.is_empty() {
                    return Verdict::Keep(rank);
                }
                Verdict::Fold { rank, from: at + key.start, to: at + key.end }
            }
            // `ls -R` without -l: names alone.
            None if self.headings > 0 && !text.is_empty() => {
                self.entries += 1;
                self.rows += 1;
                self.bytes += text.len() + 1;
                if self.bytes <= SHORT && self.headings == 1 {
                    return Verdict::Keep(Rank::Top);
                }
                let hidden = text[0] == b'.' && self.names.count(text) == 1;
                Verdict::Keep(if hidden {
                    Rank::Body
                } else if self.entries <= 2 {
                    Rank::Detail
                } else {
                    Rank::Edge
                })
            }
            None => Verdict::Pass,
        }
    }

    fn end(&mut self) -> (u16, Rank) {
        // One long directory: its end tells how far the names go.
        if self.headings <= 1 {
            (18, Rank::Top)
        } else {
            (3, Rank::Body)
        }
    }
}

struct Row<'a> {
    mode: &'a [u8],
    owner: &'a [u8],
    size: f64,
    name: &'a [u8],
    /// Where the name stands in the line.
    at: usize,
}

/// Takes a row apart without knowing the language of its date:
///
/// ```text
/// drwxr-xr-x   5 dev dev   4096 Nov 30 15:03 src
/// -rw-r--r-- 1 dev  staff  52151 2月 17 23:44 billing.md
/// crw-rw-rw- 1 root root 1, 3 Jan  1  2024 null
/// -rw-r--r-- dev/dev 192 2026-03-01 10:00 a/b.rs
/// ```
fn row(text: &[u8]) -> Option<Row<'_>> {
    let mut fields = Fields { text, at: mode_at(text)? };
    let mode = fields.next()?;
    let second = fields.next()?;
    let owner = if second.iter().all(u8::is_ascii_digit) { fields.next()? } else { second };
    // The size is the first number after the owner and group; what follows up to a clock or
    // a year is the date.
    let mut size = None;
    let mut name_at = 0;
    for _ in 0..8 {
        let Some(field) = fields.next() else { break };
        if size.is_none() {
            size = odd::number(field.strip_suffix(b",").unwrap_or(field));
        } else if is_clock(field) || field.len() == 4 && field.iter().all(u8::is_ascii_digit) {
            name_at = fields.at;
            let rest = text[name_at..].trim_ascii_start();
            // `15:03:00.000000000 +0100`
            if rest.len() > 5 && matches!(rest[0], b'+' | b'-') && rest[1..5].iter().all(u8::is_ascii_digit) && rest[5] == b' ' {
                name_at = text.len() - rest.len() + 5;
            }
            break;
        } else {
            name_at = fields.at;
        }
    }
    let name = text[name_at..].trim_ascii_start();
    let name_at = text.len() - name.len();
    // `x -> ../y`
    let name = if mode[0] == b'l' { &name[..crate::line::find(name, b" -> ").unwrap_or(name.len())] } else { name };
    Some(Row { mode, owner, size: size.unwrap_or(0.0), name, at: name_at })
}

/// Where the mode of a row stands: first, or behind an inode, blocks or both.
///
/// ```text
///   1310722      4 drwxr-xr-x   2 root root 4096 Nov 30 15:03 ./a      (find -ls)
/// ```
fn mode_at(text: &[u8]) -> Option<usize> {
    let at = text.iter().take(32).take_while(|b| b.is_ascii_digit() || **b == b' ').count();
    is_mode(&text[at..]).then_some(at)
}

/// `-rw-r--r--`, `drwxrwsr-t+`
fn is_mode(text: &[u8]) -> bool {
    text.len() > 12
        && b"-dlbcpsDhC.".contains(&text[0])
        && text[1..10].iter().all(|b| b"rwxsStT-".contains(b))
        && matches!(text[10], b' ' | b'.' | b'+' | b'@')
}

fn is_clock(field: &[u8]) -> bool {
    field.len() >= 4 && memchr::memchr(b':', field).is_some_and(|at| (1..=2).contains(&at) && field[..at].iter().all(u8::is_ascii_digit))
}

struct Fields<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Fields<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let from = self.at + self.text[self.at..].iter().position(|b| *b != b' ')?;
        let to = self.text[from..].iter().position(|b| *b == b' ').map_or(self.text.len(), |n| from + n);
        self.at = to;
        Some(&self.text[from..to])
    }
}

/// `node_modules/eslint:`
fn is_heading(line: &Line<'_>) -> bool {
    line.ends(":") && line.text.len() > 1 && !line.text[0].is_ascii_whitespace() && !line.has(": ") && !line.has("  ")
}

/// `total 1812`, `insgesamt 12`, `总用量 128`, `total 12K`
fn is_total(line: &Line<'_>) -> bool {
    let mut words = line.text.split(|b| *b == b' ');
    let (Some(word), Some(number), None) = (words.next(), words.next(), words.next()) else { return false };
    !word.is_empty() && !word[0].is_ascii_digit() && odd::number(number).is_some()
}

fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let (mut all, mut rows, mut headings, mut modes, mut last_blank) = (0, 0, 0, 0, true);
    for line in lines {
        if line.is_blank() {
            last_blank = true;
            continue;
        }
        let heading = last_blank && is_heading(line);
        last_blank = false;
        if is_report(line) {
            continue;
        }
        all += 1;
        headings += usize::from(heading);
        let mode = mode_at(line.text).is_some();
        modes += usize::from(mode);
        rows += usize::from(heading || mode || is_total(line));
    }
    // A list of names and numbers alone (`UPDATE 1`, `host0 10.1.0.1`) is none.
    if rows > headings && modes * 2 >= rows - headings && rows >= 4 && rows * 10 >= all * 9 {
        return true;
    }
    // `ls -R`: headings, blank lines and names. What is listed first may be long.
    let Some(first) = lines.iter().find(|l| !l.is_blank()).filter(|l| is_heading(l)) else { return false };
    if hint.names("ls") || hint.tool() == "ls" {
        return headings >= 2 || hint.command.contains("-R") || hint.command.contains("R ");
    }
    let root = &first.text[..first.text.len() - 1];
    let below = |l: &&Line<'_>| is_heading(l) && l.text.starts_with(root) && l.text.get(root.len()) == Some(&b'/');
    let names = lines.iter().filter(|l| !l.is_blank() && l.text.len() <= 255 && !l.text[0].is_ascii_whitespace()).count();
    headings >= 3 && lines.iter().filter(below).count() + 1 == headings && names == all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn hidden_entries_and_headings_stay() {
        let text = "a:\ntotal 8\ndrwxr-xr-x 2 dev dev 4096 Nov 30 15:03 .\n-rw-r--r-- 1 dev dev 9 Nov 30 15:03 .env\n\
                    -rw-r--r-- 1 dev dev 9 2月 17 23:44 b\n\na/c:\ntotal 0\nls: cannot open directory 'a/d': Permission denied";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "TETTTETE+");
    }

    #[test]
    fn names_are_found_in_any_language() {
        let name = |text: &str| row(text.as_bytes()).map(|r| String::from_utf8_lossy(r.name).into_owned());
        assert_eq!(name("-rw-r--r-- 2 dev staff 52151 2月 17 23:44 b c.md").as_deref(), Some("b c.md"));
        assert_eq!(name("crw-rw-rw- 1 root root 1, 3 Jan  1  2024 null").as_deref(), Some("null"));
        assert_eq!(name("-rw-r--r-- 1 d d 9 2026-03-01 10:00:01.000000000 +0100 x").as_deref(), Some("x"));
        assert_eq!(name("- item of a list"), None);
    }

    #[test]
    fn names_under_headings_are_a_listing_when_the_headings_lie_below_the_first() {
        assert!(sniffs(&SHAPE, ".:\na\nb.txt\n\n./a:\nc\n\n./a/c:\nd.rs"));
        assert!(!sniffs(&SHAPE, "Steps:\nread\nwrite\n\nNotes:\nnone\n\nMore:\nx"));
    }

    #[test]
    fn the_largest_of_each_directory_and_the_directories_of_an_archive_stay() {
        let row = |i: u32, size: u32| format!("-rw-r--r-- 1 dev dev {size} Nov 30 15:03 f{i}\n");
        let text: String = (0..20).map(|i| row(i, if i == 15 { 900 } else { 90 - i })).collect();
        assert_eq!(marks(&SHAPE, &format!("a:\nx\n\na/b:\n{text}")).matches('B').count(), 1);
        assert_eq!(marks(&SHAPE, "  12 4 drwxr-xr-x 2 dev dev 4096 Nov 30 15:03 ./a/b\nlrwxrwxrwx 1 d d 9 Nov 30 15:03 x -> ../y/z"), "TT");
    }

    #[test]
    fn lists_in_prose_are_no_listings() {
        assert!(!sniffs(&SHAPE, "Steps:\n- read\n- write\n\nNotes:\n- none\n- yet"));
    }
}
