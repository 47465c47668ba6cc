//! Status.
use crate::cut::Shape;
/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[];
