//! Lists of paths, one a line: find, glob, `grep -l`, `git ls-files`, archives.

use super::groups::Groups;
use super::{extension, is_report, report, Places};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;
use std::ops::Range;

/// `./src/a.rs` rows.
pub const SHAPE: Shape = Shape {
    name: "tree",
    dialect: "paths",
    about: "find, glob, grep -l: the directories, a few names of each, crowds counted",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Paths::default()),
};

/// Bytes at the head of a list that are shown as far as the names of the directories leave
/// room: a short list answers which.
const SHORT: usize = 2_600;
/// Hidden entries, and rare kinds, that are held as dearly as a directory.
const ODD: u32 = 8;
/// Paths before a kind of file may be a rare one.
const WARM: u32 = 60;

#[derive(Default)]
struct Paths {
    lines: u32,
    bytes: usize,
    groups: Groups,
    dirs: Places,
    kinds: Places,
    hidden: u32,
    rare: u32,
}

impl Cut for Paths {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(verdict) = report(line) {
            return verdict;
        }
        let Some(at) = entry_at(line.text) else {
            if line.is_blank() {
                return Verdict::Keep(Rank::Edge);
            }
            return about(line.text).map_or(Verdict::Pass, |key| Verdict::Fold { rank: Rank::Total, from: key.start, to: key.end });
        };
        let path = &line.text[at..];
        self.lines += 1;
        let name_at = path.strip_suffix(b"/").unwrap_or(path).iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
        let name = &path[name_at..];
        let entries = self.dirs.count(&path[..name_at]);
        // A name without an end is of a kind too, unless it is a directory's.
        let end = extension(name).or(if name.ends_with(b"/") { None } else { Some(b"") });
        let kind = end.map_or(u32::MAX, |end| self.kinds.count(end));
        let mut rank = if entries == 1 { Rank::Detail } else { Rank::Edge };
        if self.lines > WARM && kind == 1 {
            self.rare += 1;
            rank = if self.rare <= ODD { Rank::Top } else { Rank::Body };
        }
        if name.len() > 1 && name[0] == b'.' && name != b".." || entries == 1 && is_hidden(&path[..name_at]) {
            self.hidden += 1;
            if self.hidden <= 20 {
                rank = rank.max(if self.hidden <= ODD { Rank::Top } else { Rank::Body });
            }
        }
        let (key, first) = self.groups.group(path, line.text.len());
        rank = rank.max(first);
        self.bytes += line.text.len() + 1;
        if self.bytes <= SHORT {
            rank = rank.max(Rank::Body);
        }
        if rank == Rank::Top || key.is_empty() {
            return Verdict::Keep(rank);
        }
        Verdict::Fold { rank, from: at + key.start, to: at + key.end }
    }

    fn end(&mut self) -> (u16, Rank) {
        (1, Rank::Body)
    }
}

/// Is one of the directories hidden, below the one that all begins at?
fn is_hidden(dir: &[u8]) -> bool {
    dir.windows(3).any(|w| w[0] == b'/' && w[1] == b'.' && !matches!(w[2], b'.' | b'/'))
}

/// What a tool says about a path between its entries, by what it says: the bytes before the
/// path or behind it.
///
/// ```text
/// file has vanished: "/srv/img/raven/7.jpg"
/// zip warning: name not matched: a/b
/// cp: cannot stat 'a/b': No such file or directory
/// ```
fn about(text: &[u8]) -> Option<Range<usize>> {
    let colon = crate::line::find(text, b": ").filter(|at| (2..=60).contains(at))?;
    let is_said = |part: &[u8]| part.iter().all(|b| b.is_ascii_alphabetic() || matches!(b, b' ' | b'-' | b'_'));
    let last = memchr::memmem::rfind(text, b": ").unwrap_or(colon);
    let path = &text[last + 2..];
    if text.len() > 400 || !text[0].is_ascii_alphabetic() || !is_said(&text[..colon]) {
        return None;
    }
    let names = |part: &[u8]| matches!(part, [b'"' | b'\'', ..]) || part.contains(&b'/') && !part.contains(&b' ');
    if names(path) {
        return Some(0..last);
    }
    text[colon..last].split(|b| *b == b' ').any(names).then_some(last + 2..text.len())
}

/// What was or would be done to a path, in a row that says no more.
const VERBS: &[&str] = &[
    "add ",
    "rm ",
    "remove ",
    "Removing ",
    "removed ",
    "removed directory ",
    "Would remove ",
    "Would skip repository ",
    "Skipping repository ",
    "deleting ",
    "deleted ",
    "renamed ",
    "inflating: ",
    "extracting: ",
    "creating: ",
    "linking: ",
    "adding: ",
    "updating: ",
    "x ",
    "a ",
];

/// Where the path begins in a row: behind a mode, a size or a checksum, or a verb.
///
/// ```text
/// add 'src/main.rs'
///   inflating: src/main.rs
/// 100644 blob 9d1f5a2c1e8b4d07a3f6c5e4b2a19087f6e5d4c3<TAB>src/main.rs
/// 100644 9d1f5a2c1e8b4d07a3f6c5e4b2a19087f6e5d4c3 0<TAB>src/main.rs
/// 0cc175b9c0f1b6a831c399e269772661  src/main.rs
/// -rw-r--r-- 51 ./src/main.rs
///      212 src/main.rs
/// ```
fn path_at(text: &[u8]) -> usize {
    let bare = text.trim_ascii_start();
    if let Some(verb) = VERBS.iter().rev().find(|v| bare.starts_with(v.as_bytes())) {
        let at = text.len() - bare.len() + verb.len();
        return at + usize::from(text.get(at) == Some(&b'\''));
    }
    let (mut at, mut path) = (0, 0);
    for _ in 0..6 {
        at += text[at..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let end = memchr::memchr2(b' ', b'\t', &text[at..]).map_or(text.len(), |end| at + end);
        let word = &text[at..end];
        if is_lead(word) {
            at = end;
            path = at;
        } else if path > 0 {
            return at;
        } else {
            break;
        }
    }
    path
}

/// Does this word stand before a path?
fn is_lead(word: &[u8]) -> bool {
    let is_number = |word: &[u8]| word.iter().all(|b| b.is_ascii_digit() || matches!(b, b',' | b'.'));
    let is_sum = |word: &[u8]| word.len() >= 32 && word.iter().all(u8::is_ascii_hexdigit);
    let is_mode = |word: &[u8]| word.len() == 10 && word[1..].iter().all(|b| b"rwxsStT-".contains(b));
    word == b"blob" || word == b"commit" || word == b"tree" || is_number(word) || is_sum(word) || is_mode(word)
}

/// What a byte is to an entry.
mod class {
    /// In none.
    pub const ODD: u8 = 1;
    pub const SPACE: u8 = 2;
    pub const TAB: u8 = 4;
    pub const SLASH: u8 = 8;
    pub const COLON: u8 = 16;
}

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' => class::SPACE,
            b'\t' => class::ODD | class::TAB,
            b'/' | b'\\' => class::SLASH,
            b':' => class::COLON,
            b'<' | b'>' | b'|' | b';' | b'`' | b'"' | 0..=31 | 127 => class::ODD,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// The classes of all bytes of a text.
fn classes(text: &[u8]) -> u8 {
    text.iter().fold(0, |all, b| all | CLASSES[usize::from(*b)])
}

/// Where the path begins, if this line could be an entry of a list. Prose and rows of tables
/// are not.
fn entry_at(text: &[u8]) -> Option<usize> {
    let mut all = classes(text);
    let mut at = 0;
    if all & (class::SPACE | class::TAB) != 0 {
        at = path_at(text);
        all = classes(&text[at..]);
    } else if all & class::SLASH == 0 && is_lead(text) {
        // One word, as most rows are: it is the path, or there is none.
        return None;
    }
    let text = &text[at..];
    if text.is_empty() || text.len() > 1024 || all & class::ODD != 0 || text[0].is_ascii_whitespace() || text.ends_with(b":") {
        return None;
    }
    let has = |part: &[u8]| crate::line::find(text, part).is_some();
    if all & class::SPACE != 0 {
        let spaces = text.iter().filter(|b| **b == b' ').count();
        if spaces > if all & class::SLASH != 0 { 6 } else { 2 } || spaces > 1 && has(b"  ") {
            return None;
        }
    }
    let is_prose = all & class::COLON != 0 && (has(b"://") || has(b": "));
    (!is_prose).then_some(at)
}

fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let asked = matches!(hint.tool().as_str(), "glob" | "find" | "ls" | "list")
        || ["find", "ls", "fd", "fdfind", "ls-files", "tar", "unzip", "zipinfo", "locate", "tree"].iter().any(|w| hint.names(w));
    let (mut all, mut slashed, mut entries, mut spaced, mut rooted) = (0, 0, 0, 0, 0);
    for line in lines.iter().filter(|l| !l.is_blank() && !is_report(l)) {
        all += 1;
        let Some(at) = entry_at(line.text) else { continue };
        entries += 1;
        slashed += usize::from(memchr::memchr2(b'/', b'\\', line.text).is_some());
        let path = &line.text[at..];
        rooted += usize::from(matches!(path, [b'/', ..] | [b'.', b'/', ..]));
        spaced += usize::from(path.contains(&b' '));
    }
    if asked {
        return entries >= 3 && entries * 10 >= all * 9 && (slashed * 2 >= entries || spaced * 5 <= entries);
    }
    entries >= 8 && entries * 20 >= all * 19 && spaced * 10 <= entries && (rooted == entries || slashed * 10 >= entries * 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn directories_come_before_their_crowds() {
        let text = "./a/b/1.c\n./a/b/2.c\n./a/d/1.c\nfind: ‘./x’: Permission denied\n./a/d/.env";
        assert_eq!(marks(&SHAPE, text), "T+T+T");
        assert_eq!(path_at(b"100644 9d1f5a2c1e8b4d07a3f6c5e4b2a19087f6e5d4c3 0\tsrc/a b.rs"), 50);
        for text in ["./a/b.c", "add 'a/b.c'", "Would remove a/b/", "  inflating: a/b.c", "removed 'a/b.c'"] {
            assert!(sniffs(&SHAPE, &format!("{text}\n").repeat(9)), "{text}");
        }
    }

    #[test]
    fn what_is_said_of_a_path_stays_and_so_does_what_is_hidden_or_rare() {
        let many: String = (0..90).map(|i| format!("/srv/img/{}.jpg\n", i)).collect();
        let said = marks(&SHAPE, &format!("{many}file has vanished: \"/srv/img/7.jpg\"\n/srv/x/id_rsa\n/srv/.cache/a.jpg\nnow: gone"));
        assert_eq!(&said[90..], "+TT?");
    }

    #[test]
    fn prose_and_tables_are_no_lists() {
        for text in ["either/or is a choice: take one", "use std::fmt;", "a/b 12 c", "https://example.com/a", "    /indented"] {
            assert!(!sniffs(&SHAPE, &format!("{text}\n").repeat(9)), "{text}");
        }
    }
}
