//! Diffs: files, hunks, insertions, deletions, counted as the hunks' heads say.

use super::{sums, Facts, Reader};
use crate::cut::Verdict;
use crate::line::Line;

/// Unified diffs, git's and plain.
#[derive(Default)]
pub(super) struct Patch {
    /// Old and new lines that the present hunk still has.
    old: u64,
    new: u64,
    git: bool,
    words: bool,
}

impl Patch {
    /// Of whole lines, or of words in them.
    pub(super) fn new(dialect: &str) -> Patch {
        Patch { words: dialect == "words", ..Patch::default() }
    }
}

impl Reader for Patch {
    fn line(&mut self, line: &Line<'_>, _: Verdict, facts: &mut Facts) {
        if self.old > 0 || self.new > 0 {
            match line.text.first() {
                Some(b'+') => {
                    self.new = self.new.saturating_sub(1);
                    return facts.add("insertions", 1);
                }
                Some(b'-') => {
                    self.old = self.old.saturating_sub(1);
                    return facts.add("deletions", 1);
                }
                Some(b' ' | b'\t') | None => {
                    (self.old, self.new) = (self.old.saturating_sub(1), self.new.saturating_sub(1));
                    return;
                }
                Some(b'\\') => return,
                _ => (self.old, self.new) = (0, 0),
            }
        }
        if line.starts("diff --git ") || line.starts("diff --cc ") || line.starts("diff --combined ") {
            self.git = true;
            self.file(line, facts);
        } else if line.starts("+++ ") && !self.git {
            self.file(line, facts);
        } else if line.starts("@@") {
            facts.add("hunks", 1);
            if let Some((old, new)) = head(line.text).filter(|_| !self.words) {
                (self.old, self.new) = (old, new);
            }
        } else if line.text.first() == Some(&b' ') && is_stat(line) {
            facts.refer("stat_lines", line);
        }
    }
}

impl Patch {
    fn file(&mut self, line: &Line<'_>, facts: &mut Facts) {
        facts.add("files", 1);
        facts.add("hunks", 0);
        // Lines of merges and of word diffs are marked in other ways: their number is not known.
        if !self.words && !line.starts("diff --c") {
            facts.add("insertions", 0);
            facts.add("deletions", 0);
        }
        let from = line.text.iter().position(|b| *b == b' ').map_or(0, |n| n + 1);
        let from = if self.git { from + line.text[from..].iter().position(|b| *b == b' ').map_or(0, |n| n + 1) } else { from };
        // `a/src/x.rs b/src/x.rs`: the new name, where the two halves are alike.
        let both = &line.text[from..];
        let half = both.len() / 2;
        let alike = both.len() % 2 == 1 && both[half] == b' ' && both.get(2..half) == both.get(half + 3..);
        let from = if self.git && alike { from + half + 3 } else { from };
        facts.refer_to("files", line, from, line.text.len());
    }
}

/// ` src/x.rs | 12 +++---`, ` 2 files changed, ...`
fn is_stat(line: &Line<'_>) -> bool {
    line.has(" | ") || line.has(" changed, ")
}

/// `@@ -1,7 +1,8 @@`: how many old and new lines follow. Not of merges: their lines have
/// several columns.
fn head(text: &[u8]) -> Option<(u64, u64)> {
    let text = std::str::from_utf8(text.strip_prefix(b"@@ -")?).ok().or_else(|| {
        // What follows the second `@@` may be in any encoding.
        let end = memchr::memmem::find(text, b" @@")?;
        std::str::from_utf8(&text[4..end]).ok()
    })?;
    let (old, rest) = text.split_once(" +")?;
    let new = rest.split(' ').next()?;
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, n)| n.parse().ok());
    Some((count(old)?, count(new)?))
}

/// Lists of changed files, with or without bars.
pub(super) struct List;

impl Reader for List {
    fn line(&mut self, line: &Line<'_>, verdict: Verdict, facts: &mut Facts) {
        if line.has(" changed") && (line.has(" file changed") || line.has(" files changed")) {
            sums::each(line.text, |name, n| facts.add(name, n));
            facts.refer("stat_lines", line);
        } else if line.has(" | ") && verdict != Verdict::Pass {
            facts.refer("stat_lines", line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Facts {
        let mut facts = Facts::default();
        let mut reader = Patch::default();
        for (i, line) in text.split('\n').enumerate() {
            reader.line(&Line::new(line.as_bytes(), i as u64 + 1), Verdict::Pass, &mut facts);
        }
        facts
    }

    #[test]
    fn lines_that_look_like_heads_are_counted_as_what_they_are() {
        let facts = facts("diff --git a/x y.sql b/x y.sql\nindex 1..2 100644\n--- a/x y.sql\n+++ b/x y.sql\n@@ -1,3 +1,3 @@ f\n one\n--- old comment\n+++ new\n two\n@@ -9 +9,2 @@\n-a\n+b\n+c\n\\ No newline at end of file\ndiff --git a/old b/new\nrename from old\n");
        let count = |n| facts.count(n).unwrap();
        assert_eq!((count("files"), count("hunks"), count("insertions"), count("deletions")), (2, 2, 3, 2));
        let names: Vec<_> = facts.places("files").iter().map(|p| String::from_utf8_lossy(&p.words).into_owned()).collect();
        assert_eq!(names, ["x y.sql", "a/old b/new"]);
    }
}
