//! Compilers and build tools: errors and warnings with their code, and the closing line.
//!
//! One file a tool or family of tools; each is a row of the registry under one name.

use crate::cut::Shape;

pub mod cargo;
pub mod cc;
pub mod java;
mod repeats;
pub mod tsc;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[&cargo::CLIPPY, &cargo::SHAPE, &cc::SHAPE, &tsc::SHAPE, &java::SHAPE];
