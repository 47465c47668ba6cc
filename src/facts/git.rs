//! git log and git status.

use super::{Facts, Reader};
use crate::cut::Verdict;
use crate::line::Line;

/// Commits, and where their subjects stand.
pub(super) struct Log {
    oneline: bool,
    /// The head of a commit is open: its subject is to come.
    open: bool,
}

impl Log {
    pub(super) fn new(dialect: &str) -> Log {
        Log { oneline: dialect != "long", open: false }
    }
}

impl Reader for Log {
    fn line(&mut self, line: &Line<'_>, verdict: Verdict, facts: &mut Facts) {
        // Before the text there may be a graph: `* | abc1234 Subject`
        let at = line.text.iter().position(|b| !matches!(b, b' ' | b'*' | b'|' | b'/' | b'\\' | b'_')).unwrap_or(line.text.len());
        let text = &line.text[at..];
        let hash = |word: &[u8]| (7..=64).contains(&word.len()) && word.iter().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(b));
        let first = text.split(|b| *b == b' ').next().unwrap_or_default();
        if self.oneline {
            if hash(first) && verdict != Verdict::Pass {
                facts.add("commits", 1);
                facts.refer_to("subjects", line, at, line.text.len());
            }
            return;
        }
        let id = text.strip_prefix(b"commit ").map(|r| r.split(|b| *b == b' ').next().unwrap_or_default());
        if id.is_some_and(|id| id.len() >= 7 && hash(id)) && at <= line.indent().max(at) {
            facts.add("commits", 1);
            self.open = true;
        } else if self.open && line.text[..at].ends_with(b"    ") && !text.is_empty() {
            self.open = false;
            facts.refer_to("subjects", line, at, line.text.len());
        }
    }
}

/// Changed and untracked files, conflicts, the branch.
pub(super) struct Status {
    long: bool,
    untracked: bool,
    ignored: bool,
}

impl Status {
    pub(super) fn new(dialect: &str) -> Status {
        Status { long: dialect == "long", untracked: false, ignored: false }
    }

    fn entry(&mut self, line: &Line<'_>, untracked: bool, conflict: bool, facts: &mut Facts) {
        facts.add("changed_files", 1);
        facts.add("untracked_files", u64::from(untracked));
        facts.add("conflicts", u64::from(conflict));
        facts.refer("status_lines", line);
    }

    fn long(&mut self, line: &Line<'_>, facts: &mut Facts) {
        if let Some(name) = line.after("On branch ") {
            return facts.refer_to("branch", line, line.text.len() - name.len(), line.text.len());
        }
        if line.starts("HEAD detached ") {
            return facts.refer("branch", line);
        }
        if !line.starts("\t") {
            if line.ends(":") {
                self.untracked = line.starts("Untracked files");
                self.ignored = line.starts("Ignored files");
            }
            if line.starts("nothing to commit") {
                facts.add("changed_files", 0);
                facts.add("untracked_files", 0);
            }
            return;
        }
        if !self.ignored {
            let conflict = ["both ", "added by ", "deleted by "].iter().any(|p| line.text[1..].starts_with(p.as_bytes()));
            self.entry(line, self.untracked, conflict, facts);
        }
    }

    fn short(&mut self, line: &Line<'_>, facts: &mut Facts) {
        match line.text {
            [b'#', b'#', b' ', ..] => {
                facts.refer_to("branch", line, 3, line.text.len());
                facts.add("changed_files", 0);
                facts.add("untracked_files", 0);
            }
            [b'#', ..] => {
                if let Some(name) = line.after("# branch.head ") {
                    facts.refer_to("branch", line, line.text.len() - name.len(), line.text.len());
                }
            }
            [b'?', ..] => self.entry(line, true, false, facts),
            [b'!', ..] => {}
            [b'u', b' ', ..] => self.entry(line, false, true, facts),
            [x, y, b' ', ..] => {
                let conflict = *x == b'U' || *y == b'U' || (*x == *y && matches!(x, b'A' | b'D'));
                self.entry(line, false, conflict, facts);
            }
            [b'1' | b'2', b' ', ..] => self.entry(line, false, false, facts),
            _ => {}
        }
    }
}

impl Reader for Status {
    fn line(&mut self, line: &Line<'_>, verdict: Verdict, facts: &mut Facts) {
        if self.long {
            self.long(line, facts);
        } else if verdict != Verdict::Pass {
            self.short(line, facts);
        }
    }
}
