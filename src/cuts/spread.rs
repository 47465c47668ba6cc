//! Which of many are named by a line of their own when a budget cannot hold them all.
//!
//! The first ones all are. Then every sixth, and later every fortieth, since the marker of a
//! gap names up to forty groups in it; and the nearer the end of a tight budget, the fewer,
//! so that the whole length of a list is seen and not only its head.

use crate::cut::Rank;

/// What a marker takes beside the names in it, in bytes.
const MARKER: usize = 44;

/// What the count before a name takes, and the comma after it.
const COUNT: usize = 5;
/// Names in a marker at most.
const NAMED: u32 = 40;

/// Spreads what a tight budget can hold over a list of unknown length.
#[derive(Default)]
pub struct Spread {
    spent: usize,
    since: u32,
}

impl Spread {
    /// A spread for what comes after so many bytes that are shown whole.
    #[must_use]
    pub fn after(bytes: usize) -> Spread {
        Spread { spent: bytes, since: 0 }
    }

    /// The rank of the next one: Top for those that are named, Body for those that will be
    /// named only as far as there is room. `line` and `name` are their bytes.
    pub fn rank(&mut self, line: usize, name: usize) -> Rank {
        let step = match self.spent {
            0..=1_499 => 1,
            1_500..=3_499 => 6,
            3_500..=9_199 => NAMED,
            _ => 3 * NAMED,
        };
        self.since += 1;
        if self.since < step {
            return Rank::Body;
        }
        self.since = 0;
        self.spent += line.min(500) + MARKER + (name.min(48) + COUNT) * step.min(NAMED) as usize;
        Rank::Top
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_are_all_named_then_fewer_and_fewer() {
        let mut spread = Spread::default();
        let ranks: Vec<bool> = (0..2_000).map(|_| spread.rank(60, 20) == Rank::Top).collect();
        let named = |from: usize, to: usize| ranks[from..to].iter().filter(|r| **r).count();
        assert_eq!(named(0, 12), 12);
        assert!((1..=5).contains(&named(40, 100)) && named(1_500, 2_000) < 10);
        assert!(named(0, 2_000) < 50);
    }
}
