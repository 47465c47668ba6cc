//! Runs of near-identical lines: two of a kind and the last stay, the rest is counted; so
//! are lines that are nothing but progress. What is unlike the rest is what matters.

mod alike;
mod ansible;
mod progress;
mod reports;

use crate::cut::Shape;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[&ansible::SHAPE, &progress::SHAPE, &reports::SHAPE, &alike::SHAPE];
