//! Stack traces: message, causes, the frames of the reader's own code.
//!
//! One file a tool or family of tools; each is a row of the registry under one name.

use crate::cut::Shape;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[];
