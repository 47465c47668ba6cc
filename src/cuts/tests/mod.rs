//! Test runners: every failure with its explanation, and the totals; passing tests go.
//!
//! One file a tool or family of tools; each is a row of the registry under one name.

mod ending;
pub mod pytest;
pub mod tox;

use crate::cut::Shape;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[&tox::SHAPE, &pytest::SHAPE];
