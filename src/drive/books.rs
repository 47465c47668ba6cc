//! The two accounts of one input: what the cuts make of it, and what it is without them.

use super::quiet::Quiet;
use crate::budget::Budget;
use crate::cut::{Cut, Rank, Verdict};
use crate::cuts::size::Size;
use crate::ledger::{Ledger, Place};
use crate::line::{Line, Signs};

/// Lines before one with a sign that the plain account shows of a text that a cut is sure of.
const NEAR: usize = 4;
/// Lines without a sign that a cut holds dear and that the plain account tells from the rest,
/// once it is full: more would only push one another out.
const DEAR: u32 = 400;
/// How a line of which a cut has spoken is booked: where to look is said by its signs and by
/// the cut.
const PLAIN: Place = Place { lane: 0, joint: false, quotes: false, watch: false };

/// Both ledgers, and the cut of the plain one.
pub struct Books {
    plain: Ledger,
    size: Size,
    /// Lines that a cut claims and the plain ledger has not seen.
    quiet: Quiet,
    /// Those that it held dear and the plain ledger has seen, once full.
    dear: u32,
    /// None while only `size` has spoken, whose ledger is the plain one.
    pub cuts: Option<Ledger>,
}

impl Books {
    pub fn new(budget: Budget) -> Self {
        Books { quiet: Quiet::new(budget.bytes), plain: Ledger::new(budget), size: Size::default(), dear: 0, cuts: None }
    }

    pub fn has_cuts(&self) -> bool {
        self.cuts.is_some()
    }

    /// A cut speaks: from here on there are two accounts of what has been so far.
    #[inline]
    pub fn open_cuts(&mut self) {
        if self.cuts.is_none() {
            self.cuts = Some(self.plain.clone());
        }
    }

    pub fn begin_part(&mut self, step: bool) {
        self.wake(NEAR);
        self.plain.begin_part(step);
        if let Some(ledger) = &mut self.cuts {
            ledger.begin_part(step);
        }
    }

    /// The part that lines are now booked in.
    pub fn part(&self) -> u16 {
        self.plain.part()
    }

    /// A carrier says that this part failed.
    pub fn part_failed(&mut self, part: u16) {
        self.plain.part_failed(part);
        if let Some(ledger) = &mut self.cuts {
            ledger.part_failed(part);
        }
    }

    /// What `size` says of a line. Asked once a line, if at all.
    pub fn size(&mut self, line: &Line<'_>) -> Verdict {
        self.wake(NEAR);
        self.size.line(line)
    }

    /// The kind of the line that `size` was last asked of.
    pub fn kind(&self) -> u64 {
        self.size.kind
    }

    /// Books a line in the plain ledger; `joint`: it is the heading of a part.
    pub fn book_plain(&mut self, line: &Line<'_>, verdict: Verdict, joint: bool) {
        self.wake(NEAR);
        self.plain.book(line, verdict, Place { joint, ..Place::default() });
    }

    /// Books a line of which a cut has spoken in the plain ledger, or holds it for that.
    #[inline]
    pub fn follow(&mut self, line: &Line<'_>, said: Verdict) {
        let signs = line.signs();
        let has_sign = signs.has(Signs::ERROR) || signs.has(Signs::WARNING);
        if !has_sign && !said.passes() && self.plain.is_full() && self.cuts.is_some() && line.hole.is_none() && line.ended {
            if claimed(said) < Some(Rank::Body) || self.dear == DEAR {
                return self.quiet.push(line, &mut self.plain);
            }
            self.dear += 1;
        }
        let verdict = informed(self.size(line), said, signs.has(Signs::ERROR));
        self.plain.book(line, verdict, PLAIN);
    }

    fn wake(&mut self, lines: usize) {
        if !self.quiet.is_empty() {
            self.quiet.wake(lines, &mut self.plain, |plain, line| plain.book(line, Verdict::Keep(Rank::Edge), PLAIN));
        }
    }

    /// Closes both accounts: the cuts' one, if they are trusted, or the plain one.
    pub fn close(mut self, trusted: bool) -> Ledger {
        match self.cuts.take().filter(|_| trusted) {
            Some(cuts) => cuts,
            None => {
                self.wake(usize::MAX);
                let (lines, with) = self.size.end();
                self.plain.end_cut(lines, with, 0);
                self.plain
            }
        }
    }
}

/// The rank at which a cut keeps a line, if it does.
fn claimed(said: Verdict) -> Option<Rank> {
    match said {
        Verdict::Keep(rank) | Verdict::KeepWith { rank, .. } | Verdict::Around { rank, .. } | Verdict::Fold { rank, .. } => Some(rank),
        Verdict::Head => Some(Rank::Detail),
        Verdict::Drop(_) | Verdict::Park(_) | Verdict::Spare(_) | Verdict::Pass => None,
    }
}

/// What a line is without the cuts, by one who has heard what a cut says of it: what it calls
/// noise is plain data, what it keeps or does not know is more than that.
fn informed(plain: Verdict, said: Verdict, has_error: bool) -> Verdict {
    let mut verdict = plain;
    if let Verdict::Keep(rank) | Verdict::KeepWith { rank, .. } = &mut verdict {
        *rank = match claimed(said) {
            Some(kept) if kept >= Rank::Body => (*rank).max(kept.min(Rank::Top)),
            Some(_) => *rank,
            None if said.passes() => match *rank {
                Rank::Edge => Rank::Detail,
                Rank::Detail => Rank::Body,
                rank => rank,
            },
            None if has_error => *rank,
            None => Rank::Edge,
        };
    }
    verdict
}
