//! What `git fetch`, `pull`, `push`, `merge` and `clone` say: refs, refusals, totals.

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::diff::list::{row, Row};
use crate::hint::Hint;
use crate::line::Line;

/// Refs that moved, files that came.
pub const SHAPE: Shape = Shape {
    name: "gitstatus",
    dialect: "sync",
    about: "git fetch, pull, push, merge, clone: refs that moved or were refused, conflicts, totals",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Sync::default()),
};

/// Rows of a kind that are held as findings.
const FIRST: u32 = 15;

/// `   1f2..3a4  main -> origin/main`, ` * [new branch] x -> y`, ` ! [rejected] ...`: the flag.
fn moved(text: &[u8]) -> Option<u8> {
    match text {
        [b' ', flag @ (b' ' | b'+' | b'-' | b'*' | b'!' | b'=' | b't'), b' ', ..] if crate::line::find(text, b" -> ").is_some() => {
            Some(*flag)
        }
        _ => None,
    }
}

/// `Counting objects: 100% (5/5), done.`, the last state of a counter.
fn is_counter(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"remote: ").unwrap_or(text);
    if !matches!(text.first(), Some(b'E' | b'C' | b'W' | b'R' | b'U' | b'D')) {
        return false;
    }
    let known = [
        "Enumerating objects: ",
        "Counting objects: ",
        "Compressing objects: ",
        "Writing objects: ",
        "Receiving objects: ",
        "Resolving deltas: ",
        "Updating files: ",
        "Delta compression using ",
    ];
    known.iter().any(|k| text.starts_with(k.as_bytes()))
}

/// `Updating 0e462ef..483ff6f`
fn is_range(text: &[u8]) -> bool {
    text.strip_prefix(b"Updating ").is_some_and(|r| r.contains(&b'.') && r.iter().all(|b| b.is_ascii_hexdigit() || *b == b'.'))
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let near = || lines.iter().take(12);
    let at_end = lines.iter().any(|l| row(l.text) == Some(Row::Summary));
    let updating = near().any(|l| is_range(l.text))
        && lines.iter().any(|l| l.starts("Fast-forward") || moved(l.text).is_some() || row(l.text) == Some(Row::Stat));
    let merge =
        near().any(|l| l.starts("Merge made by the '") || l.starts("CONFLICT (")) && (at_end || lines.iter().any(|l| l.starts("Auto")));
    let moves = || lines.iter().filter(|l| moved(l.text).is_some()).count();
    let remote = near().any(|l| l.starts("From ") || l.starts("To ") || is_counter(l.text));
    updating || merge || remote && moves() > 0 && lines.iter().filter(|l| is_mine(l.text)).count() * 10 >= lines.len() * 7
}

fn is_mine(text: &[u8]) -> bool {
    moved(text).is_some()
        || is_counter(text)
        || row(text).is_some()
        || text.starts_with(b"remote: ")
        || text.starts_with(b"From ")
        || text.trim_ascii().is_empty()
}

#[derive(Default)]
struct Sync {
    /// The last line was not ours.
    astray: bool,
    rows: u32,
    moves: u32,
    modes: u32,
}

impl Sync {
    /// The opinion on a line.
    fn opinion(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        if let Some(flag) = moved(text) {
            if matches!(flag, b'!' | b'-' | b'+') {
                return Verdict::Keep(Rank::Top);
            }
            self.moves += 1;
            // ` * [new branch]      x -> y`: counted by what is new, tags apart.
            if let (Some(from), Some(to)) = (memchr::memchr(b'[', text), memchr::memchr(b']', text)) {
                let is_tag = line.has("[new tag]") && self.moves <= 3 * FIRST;
                let rank = if is_tag { Rank::Top } else { Rank::Body };
                return if from < to && !is_tag { Verdict::Fold { rank, from: from + 1, to } } else { Verdict::Keep(rank) };
            }
            return Verdict::Keep(if self.moves <= 3 * FIRST { Rank::Top } else { Rank::Edge });
        }
        if is_counter(text) {
            return Verdict::Keep(Rank::Edge);
        }
        match row(text) {
            Some(Row::Summary) => return Verdict::Keep(Rank::Total),
            Some(Row::Stat) => {
                self.rows += 1;
                return Verdict::Keep(if self.rows <= FIRST { Rank::Detail } else { Rank::Edge });
            }
            Some(Row::Mode) => {
                self.modes += 1;
                let rare = !line.starts(" create ");
                return Verdict::Keep(if rare && self.modes <= 3 * FIRST { Rank::Detail } else { Rank::Edge });
            }
            _ => {}
        }
        if line.starts("Auto-merging ") || line.starts("hint: ") || line.starts("Cloning into ") {
            return Verdict::Keep(Rank::Edge);
        }
        // What a server's hook or git itself has to say, and the places.
        let says = [
            "remote: ",
            "From ",
            "To ",
            "Total ",
            "remote: Total ",
            "Updating ",
            "Fast-forward",
            "Merge made by ",
            "CONFLICT (",
            "Already up to date",
            "Automatic merge ",
            "error: ",
            "fatal: ",
            "Switched to ",
            "branch '",
            "Everything up-to-date",
            "Successfully rebased",
            "Rebasing (",
            "warning: ",
        ];
        if says.iter().any(|s| line.starts(s)) {
            return Verdict::Keep(if line.trimmed() == b"remote:" { Rank::Edge } else { Rank::Top });
        }
        if line.is_blank() {
            // Between blocks of ours; behind a foreign line it is no more ours than that.
            return if self.astray { Verdict::Pass } else { Verdict::Keep(Rank::Edge) };
        }
        Verdict::Pass
    }
}

impl Cut for Sync {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let verdict = self.opinion(line);
        self.astray = verdict == Verdict::Pass;
        verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn a_pull_is_a_range_rows_and_totals() {
        let text = "Updating 0e462ef..483ff6f\nFast-forward\n a | 1 +\n b | 2 +-\n 2 files changed, 2 insertions(+), 1 deletion(-)\n create mode 100644 a";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "TTDD!E");
    }

    #[test]
    fn refusals_stay() {
        let text = "Counting objects: 100% (5/5), done.\nremote: error: file is 143 MB\nTo example.com:x.git\n ! [remote rejected] main -> main (hook declined)\n * [new branch] a -> a";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "ETTT+");
    }

    #[test]
    fn arrows_and_letters_are_no_fetch() {
        assert!(!sniffs(&SHAPE, "From the start:\n a -> b\nc\nd\ne\nf\n"));
    }
}
