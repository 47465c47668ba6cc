//! The parts of a text that several commands printed: which of them failed, and what the
//! others give up for it.

use super::tags::{Tag, Tags};
use super::{Item, Ledger, State};
use crate::cut::Rank;
use crate::line::Signs;

/// Lines of each rank that a part keeps before a later one of its standing is served.
const SHARE: u16 = 12;

/// Warnings of a step that passed which are told, where the budget is tight.
const WARNINGS: usize = 4;

/// Totals without an error sign that are held as dearly as any: so many of the first,
const FIRST_TOTALS: usize = 4;
/// and of the last.
const LAST_TOTALS: usize = 16;

/// What a part has to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// It speaks of no failure.
    #[default]
    Clean,
    /// Findings with an error sign are among its lines.
    Found,
    /// Its carrier said that it failed.
    Failed,
}

#[derive(Clone, Copy, Debug, Default)]
struct Part {
    standing: Standing,
    /// A step of a job, whose end says how it went.
    step: bool,
}

/// All parts so far; there is always one.
#[derive(Clone, Debug)]
pub(super) struct Parts(Vec<Part>);

impl Default for Parts {
    fn default() -> Self {
        Parts(vec![Part::default()])
    }
}

impl Parts {
    /// The number of the present part. Those beyond 16 bits are one.
    pub fn now(&self) -> u16 {
        u16::try_from(self.0.len() - 1).unwrap_or(u16::MAX)
    }

    pub fn begin(&mut self, step: bool) {
        if self.0.len() <= usize::from(u16::MAX) {
            self.0.push(Part { step, ..Part::default() });
        }
    }

    pub fn found(&mut self) {
        if let Some(last) = self.0.last_mut() {
            last.standing = last.standing.max(Standing::Found);
        }
    }

    pub fn failed(&mut self, part: u16) {
        if let Some(part) = self.0.get_mut(usize::from(part)) {
            part.standing = Standing::Failed;
        }
    }

    /// The part that is served first: the last of those with most to tell.
    pub fn first_served(&self) -> Option<u16> {
        let best = self.best();
        let last = self.0.iter().rposition(|p| p.standing == best)?;
        (self.0.len() > 1).then(|| u16::try_from(last).unwrap_or(u16::MAX))
    }

    fn best(&self) -> Standing {
        self.0.iter().map(|p| p.standing).max().unwrap_or_default()
    }
}

impl Ledger {
    /// Once all is said: parts that went well give way to those that failed.
    pub(super) fn weigh(&mut self) {
        let best = self.parts.best();
        if self.parts.0.len() < 2 || best == Standing::Clean {
            return;
        }
        let tag = self.tags.noun("passing step lines");
        let (mut warned, mut of) = (0, usize::MAX);
        for item in &mut self.items {
            let State::Kept(rank) = item.state else { continue };
            let number = usize::from(item.part);
            let Some(part) = self.parts.0.get(number).filter(|p| p.standing < best) else { continue };
            item.state = if part.step && part.standing == Standing::Clean {
                if std::mem::replace(&mut of, number) != number {
                    warned = 0;
                }
                warned += usize::from(item.signs.has(Signs::WARNING));
                shrunk(item, rank, self.budget.omit_unknown.then_some(tag), warned <= WARNINGS)
            } else if number + 1 == self.parts.0.len() && !part.step {
                // What was printed last is why one reads on.
                item.state
            } else {
                State::Kept(lower(rank))
            };
        }
    }

    /// Totals of one run after another that tell of no failure: the last ones say how it ended,
    /// the others make room for what does.
    pub(super) fn rank_totals(&mut self) {
        let good = |i: &Item| i.state == State::Kept(Rank::Total) && !i.signs.has(Signs::ERROR);
        let count = self.items.iter().filter(|i| good(i)).count();
        let middle = self.items.iter_mut().filter(|i| good(i)).skip(FIRST_TOTALS).take(count.saturating_sub(FIRST_TOTALS + LAST_TOTALS));
        middle.for_each(|item| item.state = State::Kept(Rank::Detail));
    }

    /// Of lines of one rank: those beyond each part's share before the others, unless their
    /// part is served first.
    pub(super) fn by_part(&self, order: Vec<usize>) -> Vec<usize> {
        let Some(first) = self.parts.first_served() else { return order };
        let mut shares = vec![SHARE; self.parts.0.len()];
        let mut beyond = vec![false; self.items.len()];
        let mut in_place = order.clone();
        in_place.sort_unstable();
        for i in in_place {
            let part = self.items[i].part;
            let share = &mut shares[usize::from(part)];
            beyond[i] = *share == 0 && part != first;
            *share = share.saturating_sub(1);
        }
        let (mut before, after): (Vec<_>, Vec<_>) = order.into_iter().partition(|i| beyond[*i]);
        before.extend(after);
        before
    }
}

/// A step that passed: its heading and its first warnings stay; `tag`: the rest goes.
fn shrunk(item: &mut Item, rank: Rank, tag: Option<Tag>, warns: bool) -> State {
    if item.joint || rank == Rank::Total || warns && item.signs.has(Signs::WARNING) {
        return State::Kept(rank.min(Rank::Detail));
    }
    // A finding may be worded without a sign.
    let stays = item.signs.has(Signs::ERROR) || rank == Rank::Top;
    let Some(tag) = tag.filter(|_| !stays) else { return State::Kept(Rank::Edge) };
    if item.tag == Tags::NONE {
        item.tag = tag;
    }
    State::Dropped
}

fn lower(rank: Rank) -> Rank {
    match rank {
        Rank::Edge | Rank::Detail => Rank::Edge,
        Rank::Body => Rank::Detail,
        Rank::Top => Rank::Body,
        Rank::Total => Rank::Top,
    }
}
