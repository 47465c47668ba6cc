//! The registry: one row a shape (or dialect of one), most certain first.
//!
//! To add one: a file beside this one with its rows, its word in `FAMILIES`, two fixtures
//! or more. `size.rs` is the smallest to look at.

pub mod build;
pub mod csv;
pub mod diff;
pub mod digits;
pub mod docker;
pub mod gitlog;
pub mod gitstatus;
pub mod install;
pub mod json;
pub mod kind;
pub mod lint;
pub mod log;
pub mod mix;
pub mod novel;
pub mod odd;
pub mod place;
pub mod repeat;
pub mod search;
pub mod seen;
pub mod size;
pub mod spread;
pub mod sql;
pub mod stacktrace;
pub mod tests;
pub mod tree;

use crate::cut::Shape;
use crate::declared;

/// All shapes but `size`, which takes what nobody else does, in the order in which they
/// are asked: what one line proves comes before what many lines make likely.
pub const FAMILIES: &[&[&Shape]] = &[
    // One family a line.
    diff::SHAPES,
    gitlog::SHAPES,
    gitstatus::SHAPES,
    // Objects a line that are a build's or a search's.
    &[&build::cargo_json::SHAPE, &search::json::SHAPE],
    json::SHAPES,
    tests::SHAPES,
    lint::SHAPES,
    docker::SHAPES,
    install::SHAPES,
    build::SHAPES,
    stacktrace::SHAPES,
    // Declared filters of a tool that the command names beyond doubt; see `declared`.
    &[&declared::NAMED],
    log::SHAPES,
    search::SHAPES,
    tree::SHAPES,
    sql::SHAPES,
    csv::SHAPES,
    // Those that only the text tells come before what is merely alike.
    &[&declared::TOLD],
    repeat::SHAPES,
    // Tables and the like that a cut would have taken, had it recognised them.
    &[&declared::LAST],
];

/// The rows of all families, in order.
pub fn shapes() -> impl Iterator<Item = &'static Shape> {
    FAMILIES.iter().copied().flatten().copied()
}

/// The names that `--only` and `--disable` know, each once, in registry order.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for shape in shapes().chain([&size::SHAPE]) {
        if !names.contains(&shape.name) {
            names.push(shape.name);
        }
    }
    names
}

/// The verdicts of a shape's cut on a text, a sign each: `T B D E` kept by rank (Top,
/// Body, Detail, Edge), `!` Total, `.` dropped, `+` folded, `p` parked, `h` heading, `s` spared,
/// `?` passed on.
#[cfg(test)]
pub(crate) fn marks(shape: &Shape, text: &str) -> String {
    use crate::cut::{Rank, Verdict};
    let mut cut = (shape.cut)(&crate::hint::Hint::default());
    let rank = |rank| match rank {
        Rank::Edge => 'E',
        Rank::Detail => 'D',
        Rank::Body => 'B',
        Rank::Top => 'T',
        Rank::Total => '!',
    };
    let mark = |(i, text): (usize, &str)| match cut.line(&crate::line::Line::new(text.as_bytes(), i as u64 + 1)) {
        Verdict::Keep(r) | Verdict::KeepWith { rank: r, .. } | Verdict::Around { rank: r, .. } => rank(r),
        Verdict::Drop(_) => '.',
        Verdict::Fold { .. } => '+',
        Verdict::Park(_) => 'p',
        Verdict::Head => 'h',
        Verdict::Spare(_) => 's',
        Verdict::Pass => '?',
    };
    text.split('\n').enumerate().map(mark).collect()
}

/// Does the shape take this text for its own?
#[cfg(test)]
pub(crate) fn sniffs(shape: &Shape, text: &str) -> bool {
    let lines: Vec<_> = text.split('\n').enumerate().map(|(i, l)| crate::line::Line::new(l.as_bytes(), i as u64 + 1)).collect();
    (shape.sniff)(&crate::hint::Hint::default(), &lines)
}
