//! `git status` in its long form.

use super::{tracked, untracked};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::line::Line;

/// Headings, tabs and labels.
pub const SHAPE: Shape = Shape {
    name: "gitstatus",
    dialect: "long",
    about: "git status: branch, state and next step, conflicts, each group with its first entries and counts",
    sniff: |_, lines| {
        let near = || lines.iter().take(6);
        let branch = near().any(|l| opens(l.text));
        branch && lines.iter().take(60).any(|l| is_heading(l.text) || is_state(l.text))
    },
    opens: Opens::first(b"OHir", |line| opens(line.text) && !line.has(".")),
    cut: |_| Box::new(Long::default()),
};

/// `On branch main`, `HEAD detached at 761a1b1`, `interactive rebase in progress; onto 8489950`.
fn opens(text: &[u8]) -> bool {
    for head in ["On branch ", "HEAD detached at ", "HEAD detached from "] {
        if let Some(name) = text.strip_prefix(head.as_bytes()) {
            return !name.is_empty() && !name.contains(&b' ');
        }
    }
    text.starts_with(b"interactive rebase in progress; onto ") || text.starts_with(b"rebase in progress; onto ")
}

fn is_heading(text: &[u8]) -> bool {
    let known = ["Changes to be committed:", "Changes not staged for commit:", "Untracked files:", "Unmerged paths:", "Ignored files:"];
    known.iter().any(|h| text == h.as_bytes())
        || text.starts_with(b"Submodules changed but not updated:")
        || text.starts_with(b"Submodule changes to be committed:")
}

fn is_state(text: &[u8]) -> bool {
    let known = [
        "Your branch ",
        "nothing to commit",
        "nothing added to commit",
        "no changes added to commit",
        "You have unmerged paths",
        "You are currently ",
        "All conflicts fixed",
        "No commits yet",
        "Not currently on any branch",
    ];
    known.iter().any(|h| text.starts_with(h.as_bytes()))
}

/// Hints that stand in every status and tell nothing of this one.
const HINTS: &[&str] = &[
    "  (use \"git add <file>...\" to update what will be committed)",
    "  (use \"git add <file>...\" to include in what will be committed)",
    "  (use \"git add/rm <file>...\" to update what will be committed)",
    "  (use \"git restore <file>...\" to discard changes in working directory)",
    "  (use \"git restore --staged <file>...\" to unstage)",
    "  (use \"git restore --source=",
    "  (use \"git rm --cached <file>...\" to unstage)",
    "  (use \"git reset HEAD <file>...\" to unstage)",
    "  (use \"git checkout -- <file>...\" to discard changes in working directory)",
    "  (use \"git push\" to publish your local commits)",
    "  (use \"git pull\" to update your local branch)",
    "  (commit or discard the untracked or modified content in submodules)",
    "  (use \"git add -f <file>...\" to include in what will be committed)",
];

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Group {
    #[default]
    Head,
    Tracked,
    Unmerged,
    Untracked,
}

#[derive(Default)]
struct Long {
    /// The last line was not ours.
    astray: bool,
    group: Group,
    changes: u32,
    rare: u32,
    next: u32,
}

/// The label of a row in a list (`\tboth modified:   x`), where it ends.
fn label(text: &[u8]) -> Option<&[u8]> {
    let end = memchr::memchr(b':', text)?;
    text.get(1..end).filter(|l| l.len() < 24)
}

impl Long {
    fn entry(&mut self, line: &Line<'_>) -> Verdict {
        match self.group {
            Group::Untracked => {
                self.changes += 1;
                untracked(line.text, 1, self.changes)
            }
            Group::Unmerged => Verdict::Keep(Rank::Top),
            Group::Head | Group::Tracked => {
                let rare = label(line.text).is_some_and(|l| matches!(l, b"deleted" | b"renamed" | b"copied" | b"typechange"));
                let count = if rare { &mut self.rare } else { &mut self.changes };
                *count += 1;
                tracked(*count, rare)
            }
        }
    }
}

impl Long {
    /// The opinion on a line.
    fn opinion(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        if text.starts_with(b"\t") {
            return self.entry(line);
        }
        if line.is_blank() {
            // Between blocks of ours; behind a foreign line it is no more ours than that.
            return if self.astray { Verdict::Pass } else { Verdict::Keep(Rank::Edge) };
        }
        if is_heading(text) {
            self.group = match text {
                b"Untracked files:" | b"Ignored files:" => Group::Untracked,
                b"Unmerged paths:" => Group::Unmerged,
                _ => Group::Tracked,
            };
            (self.changes, self.rare) = (0, 0);
            return Verdict::Keep(Rank::Top);
        }
        if opens(text) {
            return Verdict::Keep(Rank::Total);
        }
        if is_state(text) {
            return Verdict::Keep(Rank::Total);
        }
        if HINTS.iter().any(|h| text.starts_with(h.as_bytes())) {
            return Verdict::Drop("hints");
        }
        // `  (fix conflicts and run "git commit")`: the next step of a state.
        if text.starts_with(b"  (") && text.ends_with(b")") {
            return Verdict::Keep(Rank::Detail);
        }
        // Last commands done (1 command done): / Next commands to do (5 remaining commands):
        if text.starts_with(b"Last command") || text.starts_with(b"Next command") {
            self.next = 0;
            return Verdict::Keep(Rank::Top);
        }
        let is_step = text.starts_with(b"   ")
            || line.starts("It took ")
            || line.starts("and have ")
            || line.starts("Stash currently ")
            || line.starts("Your stash ");
        if is_step || line.starts("No commands ") || line.starts("*") || text.starts_with(b"#") {
            self.next += 1;
            return Verdict::Keep(if self.next <= 8 { Rank::Body } else { Rank::Edge });
        }
        Verdict::Pass
    }
}

impl Cut for Long {
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
    fn groups_states_and_hints() {
        let text = "On branch main\nYour branch is ahead of 'origin/main' by 4 commits.\n  (use \"git push\" to publish your local commits)\n\n\
                    Changes to be committed:\n  (use \"git restore --staged <file>...\" to unstage)\n\tnew file:   a\n\nUnmerged paths:\n\tboth modified:   b\n\n\
                    Untracked files:\n\tc/d\n\nno changes added to commit (use \"git add\")";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "!!.ET.TETTET+E!");
    }

    #[test]
    fn the_next_step_of_a_rebase_stays() {
        let text = "interactive rebase in progress; onto 8489950\nLast command done (1 command done):\n   pick 1a2b3c4 x\n\
                    Next commands to do (5 remaining commands):\n   pick 2a2b3c4 y\n  (use \"git rebase --edit-todo\" to view and edit)\n\
                    You are currently rebasing branch 'a' on '8489950'.\n  (fix conflicts and then run \"git rebase --continue\")";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "!TBTBD!D");
    }

    #[test]
    fn prose_about_a_branch_is_none() {
        assert!(!sniffs(&SHAPE, "On branch protection and how to set it\nUntracked files are not covered\n"));
    }
}
