//! Commit logs: the newest commits with subject, author and date, then how far back it goes.
//!
//! Older commits are data and go first, counted, but for the oldest; refs and merges are
//! rare and stay longer. Patches inside a log are read as any diff.

mod blame;
pub mod commit;
mod lines;

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::diff::patch::{says_git, Patch};
use crate::hint::Hint;
use crate::line::Line;
use commit::Commits;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[&SHAPE, &lines::REFLOG, &lines::ONELINE, &blame::SHAPE];

/// Logs with a head and a message a commit.
pub const SHAPE: Shape = Shape {
    name: "gitlog",
    dialect: "long",
    about: "git log: the 15 newest commits with subject and author, refs, merges, how many older ones",
    sniff,
    opens: Opens::first(b"c", |line| commit::opens(line.text) && line.text.len() >= 47),
    cut: |_| Box::new(Log::default()),
};

/// Bytes of graph in front of a commit: `* `, `| * `, `|\ \ `.
pub(crate) fn graph(text: &[u8]) -> usize {
    if !matches!(text.first(), Some(b'*' | b'|' | b'/' | b'\\' | b' ')) {
        return 0;
    }
    text.iter().take(120).take_while(|b| matches!(b, b'*' | b'|' | b'/' | b'\\' | b'_' | b' ' | b'.' | b'-' | b'o' | b'<' | b'>')).count()
}

/// Where a commit's first line starts, behind the graph if there is one.
fn commit_at(text: &[u8]) -> Option<usize> {
    if text.starts_with(b"commit ") {
        return commit::opens(text).then_some(0);
    }
    let star = memchr::memchr(b'*', &text[..text.len().min(120)])?;
    let at = star + crate::line::find(&text[star..text.len().min(star + 120)], b"commit ")?;
    (graph(&text[..at]) == at && commit::opens(&text[at..])).then_some(at)
}

/// A commit near the top with its author below; or so many commits that nothing else fits.
fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().take(8).enumerate().any(|(i, line)| {
        commit_at(line.text).is_some_and(|at| {
            lines[i + 1..].iter().take(4).any(|next| {
                let text = next.text.get(at..).unwrap_or_default();
                [b"Author: ".as_slice(), b"Author:     ", b"author ", b"tree "].iter().any(|label| text.starts_with(label))
            })
        })
    })
}

struct Log {
    /// The last line was not ours.
    astray: bool,
    commits: Commits,
    patch: Patch,
    /// Bytes of graph before the present commit's lines.
    width: usize,
}

impl Default for Log {
    fn default() -> Self {
        Log { astray: false, commits: Commits::new(false), patch: Patch::new(false), width: 0 }
    }
}

impl Log {
    /// The opinion on a line whose graph was taken off.
    fn bare(&mut self, line: &Line<'_>) -> Verdict {
        if !self.patch.in_hunk() && commit::opens(line.text) {
            let verdict = self.commits.line(line.text);
            self.patch.lower = !self.commits.is_new();
            return verdict.unwrap_or(Verdict::Pass);
        }
        if let Some(verdict) = self.patch.line(line) {
            return verdict;
        }
        if let Some(verdict) = self.commits.line(line.text) {
            return verdict;
        }
        if says_git(line.text) {
            return Verdict::Keep(Rank::Top);
        }
        if line.is_blank() && !self.astray {
            return Verdict::Keep(Rank::Edge);
        }
        Verdict::Pass
    }
}

impl Log {
    /// The opinion on a line.
    fn opinion(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(at) = commit_at(line.text) {
            if !self.patch.in_hunk() || at > 0 {
                self.width = at;
            }
        }
        if self.width == 0 {
            return self.bare(line);
        }
        let width = self.width.min(graph(line.text)).min(line.text.len());
        let mut rest = Line::new(&line.text[width..], line.number);
        rest.ended = line.ended;
        if !rest.is_blank() && graph(rest.text) == rest.text.len() {
            return Verdict::Keep(Rank::Edge);
        }
        match self.bare(&rest) {
            Verdict::Fold { rank, from, to } => Verdict::Fold { rank, from: from + width, to: to + width },
            verdict => verdict,
        }
    }
}

impl Cut for Log {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let verdict = self.opinion(line);
        self.astray = verdict == Verdict::Pass;
        verdict
    }

    fn quotes(&self) -> bool {
        true
    }

    fn end(&mut self) -> (u16, Rank) {
        (self.commits.spared(), Rank::Detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const HASH: &str = "f3beede3a3d9b952ccb350479138f8eb9e00529a";

    fn commit(mark: &str) -> String {
        format!(
            "{mark}commit {HASH}\n{mark}Author: D <d@e>\n{mark}Date:   x\n{mark}\n{mark}    subject\n{mark}    \n{mark}    body\n{mark}"
        )
    }

    #[test]
    fn the_newest_have_subject_author_and_date() {
        let text = commit("") + "\n" + &commit("");
        assert!(sniffs(&SHAPE, &text));
        assert_eq!(marks(&SHAPE, &text), "TDDETEEETDDETEEE");
    }

    #[test]
    fn of_older_ones_a_count_is_enough() {
        let text = (commit("") + "\n").repeat(16);
        assert_eq!(&marks(&SHAPE, &text)[15 * 8..], "sssssssss");
    }

    #[test]
    fn a_graph_is_taken_off() {
        let text = commit("| ").replacen("| commit", "* commit", 1);
        assert!(sniffs(&SHAPE, &text));
        assert_eq!(marks(&SHAPE, &(text + "\n|/  ")), "TDDETEEEE");
    }

    #[test]
    fn a_crash_between_commits_is_no_file() {
        assert!(marks(&SHAPE, &(commit("") + "\nSegmentation fault (core dumped)\n" + &commit(""))).contains('?'));
    }

    #[test]
    fn patches_and_quoted_diffs() {
        let text = commit("") + "\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a b\n+commit c\n" + &commit("");
        assert_eq!(marks(&SHAPE, &text), "TDDETEEETEEBTTTDDETEEE");
        assert_eq!(marks(&SHAPE, &(commit("") + "\n    diff --git a/x b/x\n    @@ -1 +1 @@")), "TDDETEEEEE");
    }

    #[test]
    fn prose_about_commits_is_no_log() {
        assert!(!sniffs(&SHAPE, "commit deadbeef\nwas reverted\n"));
        assert!(!sniffs(&SHAPE, &format!("Fixed in\ncommit {HASH}\nby the author: D\n")));
    }
}
