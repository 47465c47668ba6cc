//! Lists of paths, one a line: find, glob, `grep -l`, `git ls-files`, archives.

use super::{extension, is_report, report, Places};
use crate::cut::{never_opens, Cut, Rank, Shape, Verdict};
use crate::cuts::spread::Spread;
use crate::hint::Hint;
use crate::line::Line;

/// `./src/a.rs` rows.
pub const SHAPE: Shape = Shape {
    name: "tree",
    dialect: "paths",
    about: "find, glob, grep -l: the directories, a few names of each, crowds counted",
    sniff,
    opens: never_opens,
    cut: |_| Box::new(Paths::default()),
};

/// Top directories up to this many: one looks at the level below them.
const FEW: usize = 12;
/// Bytes at the head of a list that are shown as far as the names of the directories leave
/// room: a short list answers which.
const SHORT: usize = 2_600;
/// Bytes of a key.
const KEY: usize = 48;
/// Paths before a kind of file may be a rare one.
const WARM: u32 = 60;

#[derive(Default)]
struct Paths {
    lines: u32,
    bytes: usize,
    /// The directory that all paths share.
    shared: Vec<u8>,
    /// The first level below it, while there are few.
    firsts: Vec<Vec<u8>>,
    crowded: bool,
    tops: Places,
    spread: Spread,
    dirs: Places,
    kinds: Places,
    hidden: u32,
}

impl Paths {
    /// Shrinks the shared directory to what this path shares too.
    fn share(&mut self, path: &[u8]) {
        let dir = memchr::memrchr(b'/', path).map_or(0, |at| at + 1);
        if self.lines == 1 {
            self.shared = path[..dir].to_vec();
            return;
        }
        if path.starts_with(&self.shared) {
            return;
        }
        let same = self.shared.iter().zip(path).take_while(|(a, b)| a == b).count();
        let cut = memchr::memrchr(b'/', &self.shared[..same]).map_or(0, |at| at + 1);
        self.shared.truncate(cut);
        // What was the first level is a deeper one now.
        self.firsts.clear();
        self.crowded = false;
    }

    /// Where the directory ends that this path is counted under.
    fn top(&mut self, path: &[u8]) -> usize {
        let from = self.shared.len().min(path.len());
        let level = |from: usize| memchr::memchr(b'/', &path[from..]).map(|at| from + at);
        let Some(first) = level(from) else { return from.saturating_sub(1) };
        if !self.crowded && !self.firsts.iter().any(|f| *f == path[from..first]) {
            if self.firsts.len() == FEW {
                self.crowded = true;
            } else {
                self.firsts.push(path[from..first].to_vec());
            }
        }
        // Few directories are two levels; so is a scope (`@babel/core`).
        if self.crowded && path[from] != b'@' {
            first
        } else {
            level(first + 1).unwrap_or(first)
        }
    }
}

impl Cut for Paths {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(verdict) = report(line) {
            return verdict;
        }
        if line.is_blank() {
            return Verdict::Keep(Rank::Edge);
        }
        if !is_entry(line.text) {
            return Verdict::Pass;
        }
        let path = line.text;
        self.lines += 1;
        self.share(path);
        let top = self.top(path);
        let name_at = memchr::memrchr(b'/', path.strip_suffix(b"/").unwrap_or(path)).map_or(0, |at| at + 1);
        let name = &path[name_at..];
        let entries = self.dirs.count(&path[..name_at]);
        let kind = extension(name).map_or(u32::MAX, |end| self.kinds.count(end));
        let mut rank = if entries == 1 { Rank::Detail } else { Rank::Edge };
        if self.lines > WARM && kind == 1 {
            rank = Rank::Body;
        }
        if name.len() > 1 && name[0] == b'.' && name != b".." {
            self.hidden += 1;
            if self.hidden <= 20 {
                rank = Rank::Body;
            }
        }
        if self.tops.count(&path[..top]) == 1 {
            rank = rank.max(self.spread.rank(path.len(), top.saturating_sub(self.shared.len())));
        }
        // The marker stands among lines that begin with what all share.
        let shared = if self.shared.len() < top { self.shared.len() } else { 0 };
        let mut from = top.saturating_sub(KEY).max(shared);
        if from > shared {
            // Whole names, or the beginning of the first.
            from = memchr::memchr(b'/', &path[from..top]).map_or(shared, |at| from + at + 1);
        }
        self.bytes += path.len() + 1;
        if self.bytes <= SHORT {
            rank = rank.max(Rank::Body);
        }
        if rank == Rank::Top || top == 0 {
            return Verdict::Keep(rank);
        }
        Verdict::Fold { rank, from, to: top }
    }

    fn end(&mut self) -> (u16, Rank) {
        (1, Rank::Body)
    }
}

/// Could this line be an entry of a list? Prose and rows of tables are not.
fn is_entry(text: &[u8]) -> bool {
    if text.is_empty() || text.len() > 1024 || text[0].is_ascii_whitespace() || text.ends_with(b":") {
        return false;
    }
    let odd = |b: &u8| b.is_ascii_control() || matches!(b, b'<' | b'>' | b'|' | b';' | b'`' | b'"');
    let slash = memchr::memchr2(b'/', b'\\', text).is_some();
    let spaces = text.iter().filter(|b| **b == b' ').count();
    !text.iter().any(odd)
        && spaces <= if slash { 6 } else { 2 }
        && crate::line::find(text, b"  ").is_none()
        && crate::line::find(text, b"://").is_none()
        && crate::line::find(text, b": ").is_none()
}

fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let asked = matches!(hint.tool().as_str(), "glob" | "find" | "ls" | "list")
        || ["find", "ls", "fd", "fdfind", "ls-files", "tar", "unzip", "zipinfo", "locate", "tree"].iter().any(|w| hint.names(w));
    let (mut all, mut slashed, mut entries, mut spaced, mut rooted) = (0, 0, 0, 0, 0);
    for line in lines.iter().filter(|l| !l.is_blank() && !is_report(l)) {
        all += 1;
        if !is_entry(line.text) {
            continue;
        }
        entries += 1;
        slashed += usize::from(memchr::memchr2(b'/', b'\\', line.text).is_some());
        rooted += usize::from(matches!(line.text, [b'/', ..] | [b'.', b'/', ..]));
        spaced += usize::from(line.text.contains(&b' '));
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
        assert_eq!(marks(&SHAPE, text), "TTT+T");
        assert!(sniffs(&SHAPE, &"./a/b.c\n".repeat(9)));
    }

    #[test]
    fn prose_and_tables_are_no_lists() {
        for text in ["either/or is a choice: take one", "use std::fmt;", "a/b 12 c", "https://example.com/a", "    /indented"] {
            assert!(!sniffs(&SHAPE, &format!("{text}\n").repeat(9)), "{text}");
        }
    }
}
