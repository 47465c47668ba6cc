//! Diffs: unified, git's with renames, modes, binaries and submodules, merges, words, mails.
//!
//! Changed lines, file and hunk heads stay; context, `index` lines and what a tool wrote
//! (lock files, bundles) go first. What is inside a hunk is counted, never guessed.

pub mod file;
pub mod hunk;
pub mod list;
pub mod patch;
pub mod word;

use super::gitlog::commit::{self, Commits};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;
use patch::Patch;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[&SHAPE, &WORDS, &list::SHAPE];

/// Diffs with signs in front of their lines, and mails of them.
pub const SHAPE: Shape = Shape {
    name: "diff",
    dialect: "unified",
    about: "unified, git, merges, plain: changed lines, heads, a line of context; sources before lock files",
    sniff: |hint, lines| !asks_for_words(hint) && sniff(hint, lines, false),
    opens: Opens::first(b"dF", |line| file::opens_file(line.text) || commit::opens_mail(line.text)),
    cut: |hint| Box::new(Diff::new(hint, false)),
};

/// Diffs whose changes stand inside the lines.
pub const WORDS: Shape = Shape {
    name: "diff",
    dialect: "words",
    about: "git diff --word-diff: lines with changed words, heads",
    sniff: |hint, lines| asks_for_words(hint) && sniff(hint, lines, true),
    opens: Opens::NEVER,
    cut: |hint| Box::new(Diff::new(hint, true)),
};

/// Lines of something else that may stand before the first file.
const PRELUDE: usize = 8;

fn asks_for_words(hint: &Hint) -> bool {
    hint.command.contains("--word-diff") || hint.command.contains("--color-words")
}

/// A diff starts near the top, and most of what follows belongs to it.
fn sniff(hint: &Hint, lines: &[Line<'_>], words: bool) -> bool {
    let text = |i: usize| lines.get(i).map_or(b"".as_slice(), |l| l.text);
    let commits = lines.iter().filter(|l| commit::opens(l.text)).take(2).count();
    let is_log = commits > 1 || hint.names("log") && hint.names("git");
    // `git diff --stat` before it, or `git show --stat -p`, may be long.
    let mut other = 0;
    let prelude = |l: &&Line<'_>| {
        other += usize::from(list::row(l.text).is_none() && !l.is_blank());
        other <= PRELUDE
    };
    let near = lines.iter().take_while(prelude).count();
    let start = (0..near).find(|i| opens_at(lines, *i));
    // What a commit says of itself may be long: `git show` has its diff after it.
    let show = || {
        (0..lines.len().min(3)).find(|i| commit::opens(text(*i)) || text(*i).starts_with(b"tag ") && text(*i + 1).starts_with(b"Tagger: "))
    };
    let Some(start) = start.or_else(|| show().filter(|_| commits == 1 && !is_log)) else { return false };
    if is_log && commits > 0 || start > 0 && text(start - 1).starts_with(b"```") {
        return false;
    }
    let mut cut = Diff::new(hint, words);
    let mine = lines[start..].iter().filter(|l| cut.line(l) != Verdict::Pass).count();
    let is_diff = cut.patch.files() + u32::from(cut.hunks) > 0 && mine * 10 >= (lines.len() - start) * 6;
    is_diff && (cut.patch.files() > 1 || mine >= 3)
}

/// Does a diff start at this line, beyond doubt, seen with the lines after it?
fn opens_at(lines: &[Line<'_>], at: usize) -> bool {
    let line = &lines[at];
    let next = |n: usize| lines.get(at + n).map_or(b"".as_slice(), |l| l.text);
    if file::opens_file(line.text) || commit::opens_mail(line.text) {
        return true;
    }
    let has_hunk = |n: usize| next(n).starts_with(b"@@ -") && hunk::Hunk::open(next(n)).is_some();
    if line.starts("--- ") {
        return next(1).starts_with(b"+++ ") && has_hunk(2);
    }
    if line.starts("diff -") && file::new_path(line.text).is_some() {
        return next(1).starts_with(b"--- ") && next(2).starts_with(b"+++ ") || holds(lines, at + 1);
    }
    // `diff -rq`: nothing but what differs
    let listed =
        |l: &[u8]| l.starts_with(b"Only in ") || (l.starts_with(b"Files ") || l.starts_with(b"Binary files ")) && l.ends_with(b" differ");
    if listed(line.text) {
        return at == 0 && (1..4).all(|n| listed(next(n)) || next(n).starts_with(b"diff -"));
    }
    line.starts("Submodule ") && next(1).starts_with(b"  > ")
        || line.text.first().is_some_and(u8::is_ascii_digit) && at == 0 && holds(lines, at)
}

/// Does the hunk of a plain diff that starts here hold what its counts say?
fn holds(lines: &[Line<'_>], at: usize) -> bool {
    let Some(mut open) = lines.get(at).and_then(|l| hunk::Hunk::open(l.text)) else { return false };
    for line in &lines[at + 1..] {
        if open.is_done() {
            return true;
        }
        if open.take(line.text).is_none() {
            return false;
        }
    }
    true
}

struct Diff {
    /// The last line was not ours.
    astray: bool,
    patch: Patch,
    commits: Commits,
    hunks: bool,
    /// Lines before the first file.
    before: usize,
    warned: u32,
}

impl Diff {
    fn new(_: &Hint, words: bool) -> Diff {
        let mut patch = Patch::new(words);
        patch.names = true;
        Diff { astray: false, patch, commits: Commits::new(true), hunks: false, before: 0, warned: 0 }
    }
}

impl Diff {
    /// The opinion on a line.
    fn opinion(&mut self, line: &Line<'_>) -> Verdict {
        if !self.patch.in_hunk() && (commit::opens(line.text) || commit::opens_mail(line.text) || line.text == b"-- ") {
            if let Some(verdict) = self.commits.line(line.text) {
                // The same files come again: their names alone would not tell which.
                self.patch.names = self.commits.count <= 1;
                return verdict;
            }
        }
        if let Some(verdict) = self.patch.line(line) {
            self.hunks |= self.patch.in_hunk();
            return verdict;
        }
        if let Some(verdict) = self.commits.line(line.text) {
            return verdict;
        }
        if line.is_blank() {
            // Between blocks of ours; behind a foreign line it is no more ours than that.
            return if self.astray { Verdict::Pass } else { Verdict::Keep(Rank::Edge) };
        }
        if patch::says_git(line.text) {
            return Verdict::Keep(Rank::Top);
        }
        // `warning: in the working copy of 'x', CRLF will be replaced by LF the next time ...`
        let line_ends = line.starts("warning: ") && line.has(" will be replaced by ");
        if line_ends || line.starts("The file will have its original line endings") {
            self.warned += 1;
            return if self.warned <= 2 { Verdict::Keep(Rank::Detail) } else { Verdict::Drop("line-end warnings") };
        }
        // The totals that some put before or after: ` 3 files changed, ...`
        match list::row(line.text) {
            Some(list::Row::Summary) => Verdict::Keep(Rank::Total),
            Some(_) => Verdict::Keep(Rank::Edge),
            // `25 files would be reformatted`, as a formatter closes that shows its changes
            None if super::lint::is_total(line) => Verdict::Keep(Rank::Total),
            // Few lines before the first file: a branch line, a warning, an echoed command.
            None if self.patch.files() == 0 && self.before < PRELUDE => {
                self.before += 1;
                Verdict::Keep(Rank::Top)
            }
            None => Verdict::Pass,
        }
    }
}

impl Cut for Diff {
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
mod tests;
