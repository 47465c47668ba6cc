//! Compilers and build tools: errors and warnings with their code, and the closing line.
//!
//! One file a tool or family of tools; each is a row of the registry under one name.

use crate::cut::Shape;

pub mod cargo;
pub mod cargo_json;
mod cargo_lines;
pub mod cc;
mod cc_lines;
pub mod go;
pub mod java;
pub mod msbuild;
mod repeats;
pub mod tsc;
pub mod web;

/// The rows, most certain first. A bundler's output holds tsc's lines, cgo's holds gcc's.
pub const SHAPES: &[&Shape] =
    &[&cargo::CLIPPY, &cargo::SHAPE, &go::SHAPE, &web::SHAPE, &msbuild::SHAPE, &tsc::SHAPE, &java::SHAPE, &cc::SHAPE];
