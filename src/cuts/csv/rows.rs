//! What a row of a table is worth.

use crate::cut::{Rank, Verdict};
use crate::cuts::odd::Profile;
use crate::line::Line;

/// Rows that show what a table looks like.
const FIRST: u32 = 5;
/// Rows after which further plain ones are spared.
const ENOUGH: u32 = 10;
/// Bytes of rows that do not fit: as dear as a finding up to here,
const DEAR: usize = 3_000;
/// explaining up to here, data beyond.
const TOLD: usize = 7_000;
/// Rows in whose words one looks for trouble, before the columns can tell.
const YOUNG: u32 = 16;

/// Words of a state that is not well, where no other row has told what is usual.
const TROUBLE: &[&[u8]] = &[
    b"Exited",
    b"Restarting",
    b"Dead",
    b"Pending",
    b"Evicted",
    b"BackOff",
    b"ImagePull",
    b"NotReady",
    b"Terminating",
    b"<defunct>",
    b"OOM",
    b"DOWN",
    b"NaN",
    b"readonly",
];

/// The rows of one table so far.
#[derive(Default)]
pub struct Rows {
    profile: Profile,
    rows: u32,
    told: usize,
    troubled: u32,
}

impl Rows {
    /// The rank of the next row. `misfit`: it has not as many fields as the header.
    pub fn rank<'a>(&mut self, line: &Line<'_>, fields: impl Iterator<Item = &'a [u8]>, misfit: bool) -> Rank {
        self.rows += 1;
        let mut odd = misfit;
        for (column, value) in fields.enumerate() {
            odd |= self.profile.is_odd(column, value);
        }
        if !odd && self.rows <= YOUNG {
            let trouble = line.is_error() || TROUBLE.iter().any(|w| crate::line::find(line.text, w).is_some());
            self.troubled += u32::from(trouble);
            odd = trouble && self.troubled <= 6;
        }
        if odd {
            return self.odd_rank(line.text.len());
        }
        if self.rows <= FIRST {
            Rank::Body
        } else {
            Rank::Edge
        }
    }

    /// The rank of one more thing that does not fit.
    pub fn odd_rank(&mut self, bytes: usize) -> Rank {
        self.told += bytes.min(500);
        match self.told {
            told if told <= DEAR => Rank::Top,
            told if told <= TOLD => Rank::Body,
            _ => Rank::Edge,
        }
    }

    /// The verdict on a row of this rank: of plain rows enough are shown soon.
    pub fn verdict(&self, rank: Rank) -> Verdict {
        if rank == Rank::Edge && self.rows > ENOUGH {
            Verdict::Spare("rows")
        } else {
            Verdict::Keep(rank)
        }
    }

    /// Rows met so far.
    pub fn count(&self) -> u32 {
        self.rows
    }
}

/// `(400 rows)`, `79 rows in set (0.000 sec)`, `400 rows affected`
#[must_use]
pub fn is_count(line: &Line<'_>) -> bool {
    let text = line.text.strip_prefix(b"(").unwrap_or(line.text);
    // `rows)`, `sec)`, `rows`, `in set`: rows begin with a number, too, and seldom end so.
    if !matches!(text.last(), Some(b')' | b's' | b't')) {
        return false;
    }
    if !text.first().is_some_and(u8::is_ascii_digit) && !line.starts("Empty set") {
        return false;
    }
    line.ends(" rows)")
        || line.ends(" row)")
        || line.has(" rows in set")
        || line.has(" row in set")
        || line.starts("Empty set (")
        || line.ends(" rows")
}
