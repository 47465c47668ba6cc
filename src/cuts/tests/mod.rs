//! Test runners: every failure with its explanation, and the totals; passing tests go.
//!
//! One file a tool or family of tools; each is a row of the registry under one name.

pub mod ava;
mod ending;
mod explain;
pub mod jest;
pub mod mocha;
pub mod node_spec;
pub mod pytest;
pub mod tap;
pub mod tox;
pub mod vitest;

use crate::cut::{Rank, Shape, Verdict};
use crate::line::Line;

/// The rows, most certain first.
#[rustfmt::skip]
pub const SHAPES: &[&Shape] = &[
    &tox::SHAPE,
    &pytest::SHAPE,
    &vitest::SHAPE,
    &jest::SHAPE,
    &ava::SHAPE,
    &node_spec::SHAPE,
    &tap::SHAPE,
    &mocha::SHAPE,
];

/// A line between runs that is no test runner's: another tool's verdict stays.
fn beside(line: &Line<'_>) -> Verdict {
    if ending::is_verdict(line) {
        Verdict::Keep(Rank::Top)
    } else {
        Verdict::Pass
    }
}
