//! `grep -c`, `rg -c`: a count a file.

use super::flat::report;
use super::{asked, is_report, is_stat, row};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;

/// `src/a.rs:12` rows.
pub const SHAPE: Shape = Shape {
    name: "search",
    dialect: "counts",
    about: "grep -c: files by count; files without a match are counted",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Counts::default()),
};

/// Bytes of rows that are held dear: what a tight budget can show.
const DEAR: usize = 7_000;
/// Files with as many matches as the largest so far stay, so many of them.
const LARGEST: u32 = 12;

#[derive(Default)]
struct Counts {
    dear: usize,
    most: u64,
    largest: u32,
    said: Seen,
}

impl Cut for Counts {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if is_report(line) {
            return report(line, &mut self.said);
        }
        if line.is_blank() {
            return Verdict::Keep(Rank::Edge);
        }
        if is_stat(line) {
            return Verdict::Keep(Rank::Total);
        }
        let Some((path, count)) = row::counted(line.text) else { return Verdict::Pass };
        if count == 0 {
            // `:0` is the key: files without a match, by the hundred.
            return Verdict::Fold { rank: Rank::Detail, from: path, to: line.text.len() };
        }
        self.dear += line.text.len() + 1;
        if self.dear <= DEAR {
            self.most = self.most.max(count);
            return Verdict::Keep(Rank::Top);
        }
        if count > self.most && self.largest < LARGEST {
            (self.most, self.largest) = (count, self.largest + 1);
            return Verdict::Keep(Rank::Top);
        }
        Verdict::Keep(Rank::Edge)
    }

    fn end(&mut self) -> (u16, Rank) {
        (2, Rank::Body)
    }
}

fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let (mut all, mut rows) = (0, 0);
    for line in lines.iter().filter(|l| !l.is_blank() && !is_report(l) && !is_stat(l)) {
        all += 1;
        rows += usize::from(row::counted(line.text).is_some());
    }
    rows == all && rows >= if asked(hint) { 3 } else { 8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn counts_stay_and_files_without_a_match_are_folded() {
        let text = "a/a.rs:12\na/b.rs:0\na/c.rs:3\na/d.rs:0\na/e.rs:1\na/f.rs:0\na/g.rs:0\na/h.rs:0";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "T+T+T+++");
    }

    #[test]
    fn ports_and_matches_are_no_counts() {
        assert!(!sniffs(&SHAPE, &"10.0.0.1:80\n".repeat(9)));
        assert!(!sniffs(&SHAPE, &"a.rs:8:x\n".repeat(9)));
    }
}
