//! Test runners: every failure with its explanation, and the totals; passing tests go.
//!
//! One file a tool or family of tools; each is a row of the registry under one name.

pub mod ava;
mod catch;
mod ctest;
pub mod dotnet;
mod go;
mod go_json;
mod gotrace;
mod gradle;
mod gtest;
mod javatrace;
mod junit;
mod libtest;
mod meson;
mod nextest;
mod panic;
mod surefire;
mod unity;

mod ending;
mod explain;
pub mod exunit;
pub mod jest;
pub mod minitest;
pub mod mocha;
pub mod node_spec;
pub mod phpunit;
pub mod playwright;
pub mod pytest;
mod pytest_failure;
mod pytest_lines;
pub mod rspec;
mod stray;
pub mod tap;
pub mod tox;
pub mod unittest;
pub mod vitest;

use crate::cut::{Rank, Shape, Verdict};
use crate::line::Line;

/// The rows, most certain first.
#[rustfmt::skip]
pub const SHAPES: &[&Shape] = &[
    &nextest::SHAPE,
    &libtest::SHAPE,
    &go_json::SHAPE,
    &go::SHAPE,
    &tox::SHAPE,
    &pytest::SHAPE,
    &vitest::SHAPE,
    &jest::SHAPE,
    &ctest::SHAPE,
    &gtest::SHAPE,
    &unity::SHAPE,
    &catch::CATCH,
    &catch::DOCTEST,
    &meson::SHAPE,
    &surefire::SHAPE,
    &gradle::SHAPE,
    &junit::SHAPE,
    &playwright::SHAPE,
    &ava::SHAPE,
    &phpunit::SHAPE,
    &rspec::SHAPE,
    &minitest::SHAPE,
    &dotnet::SHAPE,
    &unittest::SHAPE,
    &node_spec::SHAPE,
    &tap::SHAPE,
    &mocha::SHAPE,
    &exunit::SHAPE,
];

/// A line between runs that is no test runner's: another tool's verdict stays.
fn beside(line: &Line<'_>) -> Verdict {
    if ending::is_verdict(line) {
        Verdict::Keep(Rank::Top)
    } else {
        Verdict::Pass
    }
}
