//! Commit logs.
use crate::cut::Shape;
pub mod commit;
/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[];
