//! `git status`: branch, state, conflicts, every group with its first entries.
//!
//! Rare kinds (conflicts, renames, deletions) stay; crowds are counted, untracked files by
//! folder. Only the hints that every status prints go as noise.

mod long;
mod short;
mod sync;

use crate::cut::{Rank, Shape, Verdict};

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[&long::SHAPE, &short::SHAPE, &sync::SHAPE];

/// Entries of a group that are held as findings, and those that explain.
const FIRST: u32 = 20;
const SECOND: u32 = 40;

/// An untracked (or ignored) entry: counted by its folder, a few of each kept.
fn untracked(text: &[u8], from: usize, count: u32) -> Verdict {
    let path = text.get(from..).unwrap_or_default();
    let folder = memchr::memrchr(b'/', path.strip_suffix(b"/").unwrap_or(path)).unwrap_or(path.len());
    // The first ones are worth as much as a tracked change: few files are not a crowd.
    Verdict::Fold { rank: if count <= 10 { Rank::Top } else { Rank::Detail }, from, to: from + folder }
}

/// A tracked change in a group with `count` so far; `rare` kinds stay longer.
fn tracked(count: u32, rare: bool) -> Verdict {
    Verdict::Keep(match count {
        n if n <= FIRST || rare && n <= 2 * FIRST => Rank::Top,
        n if n <= SECOND || rare => Rank::Detail,
        _ => Rank::Edge,
    })
}
