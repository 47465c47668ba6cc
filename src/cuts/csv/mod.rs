//! Tables: the header, the first and last rows, the rows that do not fit, the count line.
//!
//! Delimited files, boxes, Markdown and aligned columns differ in how a row is taken apart;
//! what a row is worth is decided in one place (`rows`).

mod aligned;
mod boxed;
mod delimited;
mod records;
pub(super) mod rows;

use crate::cut::Shape;

pub(super) use aligned::RULED;
pub(super) use boxed::SHAPE as BOXED;
pub(super) use delimited::SHAPE as DELIMITED;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] =
    &[&records::SHAPE, &boxed::SHAPE, &aligned::RULED, &aligned::SHAPE, &delimited::SHAPE, &delimited::HEADLESS, &aligned::HEADLESS];
