//! x
use crate::cut::Shape;
/// x
pub const SHAPES: &[&Shape] = &[];
